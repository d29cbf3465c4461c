"""The page of several systems: first the fastest, its lead, differences, and open questions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heorot.model.analysis.studies.systems import MOST_SYSTEMS, letter_of
from heorot.report.comparison import write_pair
from heorot.report.systems.page import format_systems
from tests.unit.analyse.synthesis import SOME_FAMILIES
from tests.unit.report.systems.sample_systems import make_systems
from tests.unit.report.test_comparison import text_of


def page_of(n: int) -> str:
    side, rows = make_systems(n)
    return format_systems(side, SOME_FAMILIES, rows)


@pytest.fixture(scope="module")
def page() -> str:
    return page_of(3)


def section(page: str, name: str) -> str:
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_systems_are_named_once_and_escaped(page: str) -> None:
    header = page.partition("</header>")[0].partition('class="title"')[2]
    for letter, number in zip("ABC", range(3), strict=True):
        shown = f"<b>{letter}</b> run-{number}&lt;b&gt; on host-{number}, 2001-09-{9 + number:02}"
        assert shown in header
    assert "<b>run" not in page


def test_the_verdict_comes_first_and_is_that_of_the_analysis(page: str) -> None:
    side, _ = make_systems(3)
    sections = re.findall(r'<section id="([\w-]+)"', page)
    assert sections[:4] == ["summary", "verdict", "programs", "machines"]
    verdict = section(page, "verdict")
    assert verdict.count("<li>") == len(side.verdict) <= 7
    assert re.search(r"C is slower than A at npb/ep \(1\.(19|20|21)", verdict)
    assert "Not all builds are recorded" in verdict
    assert "governor differs" in verdict
    first = section(page, "summary")
    assert "show no significant difference." in first
    assert "show no significant difference" not in verdict


def test_a_program_has_a_column_for_each_further_system(page: str) -> None:
    heading, *rows = text_of(page, "groups")
    assert heading == "program, family or bound|bound|B|C|"
    (ep,) = [row for row in rows if row.startswith("npb/ep")]
    ratios = [float(cell.split("\n")[0]) for cell in ep.split("|")[2:4]]
    assert ratios == pytest.approx([1 / 1.1, 1 / 1.2], abs=0.02)
    assert re.match(r"all metrics\|\|\d+ better\n3 worse\n\d+\nindistinguishable\|", rows[-1])


def test_what_differs_stands_with_the_value_of_every_system(page: str) -> None:
    (row,) = text_of(page, "facts")[1:]
    assert row == "governor|performance|powersave|performance|computing|"
    (row,) = text_of(page, "networks-of-all")[1:]
    assert row == "A|&lt;ib&gt;|100 Gbit/s|–|–|1.00 µs|–|shared with others|–|"


def test_the_advantage_stands_with_interval_and_launches_of_both(page: str) -> None:
    rows = [row for row in text_of(page, "advantages-by-cores") if row.startswith("npb/ep")]
    assert rows
    lead = r"1: (alike,|A by) -?\d+\.\d % \[[^]]+; 3 launches\]"
    assert all(re.search(lead, row) for row in rows)


def test_courses_over_sizes_are_drawn_and_listed_for_every_further_system(page: str) -> None:
    sizes = section(page, "sizes")
    assert "Advantage over A by" in sizes
    heading, *rows = text_of(page, "courses")
    assert heading.startswith("system|program|quantity|")
    assert {row.split("|")[0] for row in rows} == {"B", "C"}


@pytest.mark.slow
def test_twelve_systems_have_twelve_columns_and_colours() -> None:
    page = page_of(MOST_SYSTEMS)
    heading, *_ = text_of(page, "groups")
    assert heading.split("|")[2:-1] == [letter_of(number) for number in range(1, MOST_SYSTEMS)]
    for style in range(MOST_SYSTEMS):
        assert f'class="bar s{style}"' in page
        assert f'id="m{style}"' in page
        assert re.search(rf"\.s{style} {{ --c:", page)


def test_two_systems_keep_their_page_with_machines_and_figures_beside(tmp_path: Path) -> None:
    side, rows = make_systems(2)
    path = tmp_path / "pair.html"
    write_pair(side, SOME_FAMILIES, rows, path)
    page = path.read_text(encoding="utf-8")
    assert "run-1&lt;b&gt; compared with run-0&lt;b&gt;" in page
    assert "<dd>run-1&lt;b&gt; on host-1, 2001-09-10</dd>" in page
    assert 'id="differing"' in page
    assert text_of(page, "facts")[1] == "governor|performance|powersave|computing|"
    assert section(page, "figures").count("<figure") > 4
    # Who is faster stands there already, in the words for two.
    verdict = section(page, "verdict")
    assert "B is worse at npb/ep (" in verdict
    assert "slower than" not in verdict
    assert "governor differs" in verdict


def test_the_verdict_on_two_systems_has_at_most_seven_sentences(tmp_path: Path) -> None:
    side, rows = make_systems(2)
    write_pair(side, SOME_FAMILIES, rows, tmp_path / "pair.html")
    verdict = section((tmp_path / "pair.html").read_text(encoding="utf-8"), "verdict")
    assert 3 <= verdict.count("<li>") <= 7
    assert "Not to be concluded" not in verdict
