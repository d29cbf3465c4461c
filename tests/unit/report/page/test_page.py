"""The report as a file: complete, safe, small and quick."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from heorot.model.evaluation import Evaluation
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.plan import DroppedLaunch
from heorot.report.page import format_report, write_comparison, write_report
from heorot.report.sections.steps import find_dropped, word_account
from tests.unit.model.keys import but
from tests.unit.report.sample_breakdowns import HOSTILE_PHASE
from tests.unit.report.sample_statements import make_comparison
from tests.unit.report.samples import HOSTILE, MACHINE_ROWS, make_evaluation
from tests.yardstick import processor_time

_VOID = {"meta", "link", "img", "input", "br", "hr"}


class Structure(HTMLParser):
    """Collects parts of a page for tests, and checks that elements nest."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember the element; remember that it is open."""
        values = dict(attrs)
        self.elements.append((tag, values))
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "a":
            self.links.append(str(values["href"]))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """A closing tag must match the last opening one."""
        assert self.open.pop() == tag


def unpack(page: str) -> dict[str, Any]:
    match = re.search(r'id="packed">([^<]*)<', page)
    assert match
    digits = match[1].translate(str.maketrans(",.", "<&"))
    content: dict[str, Any] = json.loads(gzip.decompress(base64.b85decode(digits)))
    return content


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return make_evaluation()


@pytest.fixture(scope="module")
def page(evaluation: Evaluation) -> str:
    return format_report(evaluation, MACHINE_ROWS)


def test_elements_nest_and_ids_are_unique(page: str) -> None:
    structure = Structure(page)
    assert structure.open == []
    assert len(set(structure.ids)) == len(structure.ids)


def test_every_link_leads_somewhere(page: str) -> None:
    structure = Structure(page)
    packed = "".join(unpack(page).values())
    targets = set(structure.ids) | set(re.findall(r' id="([^"]+)"', packed))
    assert all(link.startswith("#") for link in structure.links)
    assert {link[1:] for link in structure.links} <= targets


def test_evidence_of_statements_stands_in_the_page_itself(page: str) -> None:
    structure = Structure(page)
    cited = re.findall(r'<a href="#([^"]+)" title="[^"]*" aria-label="Evidence', page)
    assert len(cited) > 10
    assert set(cited) <= set(structure.ids)


def test_nothing_is_fetched(page: str) -> None:
    for tag, attributes in Structure(page).elements:
        for name in ("src", "href", "xlink:href", "action"):
            value = attributes.get(name) or ""
            assert value.startswith(("#", "data:,")) or not value, (tag, value)
    head = page[: page.index("<body>")]
    assert "default-src 'none'" in head
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", head)
    assert "@import" not in head


def test_program_output_cannot_write_html(page: str) -> None:
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(" in page
    assert HOSTILE not in json.dumps(unpack(page))
    scripts = [attributes for tag, attributes in Structure(page).elements if tag == "script"]
    assert len(scripts) == 2


def test_sections_stand_in_their_order(page: str) -> None:
    order = [
        'id="summary"', 'id="verdict"', 'id="scores"', 'id="findings"', 'id="f-compute"',
        'id="f-memory"', 'id="f-messages"', 'id="f-npb"', 'id="cross"', 'id="scope"',
        'id="trouble"', 'id="configuration"', 'id="machine"', 'id="toolchains"', 'id="plan"',
        'id="placement"', 'id="glossary"',
    ]  # fmt: skip
    places = [page.index(each) for each in order]
    assert places == sorted(places)


def test_everything_that_went_wrong_is_said(page: str) -> None:
    for text in (
        (
            "30 launches and 1 repeat: 25 completed, 2 failed, 1 timed out, 2 lost, 1 refused; "
            "2 cases left out"
        ),
        "no end line",
        "Segmentation fault",
        "killed after 60 s",
        "started and never reported its end",
        "never started",
        "largest relative deviation is 0.25, allowed 1e-14, in divide at n 16",
        "would take 22 min, which the budget does not have",
        "other processes used 12 % of the processors",
        "verification failed: withheld",
        "disagree",
        "Repeat on a quiet machine.",
    ):
        assert text in page, text


def test_launches_that_were_given_up_are_listed_with_the_reason() -> None:
    evaluation = make_evaluation(2)
    drops = tuple(
        DroppedLaunch(step=f"S004{n}", setup=Setup("npb/ep", "W", "t"), launch=n, reason="slow")
        for n in (4, 5)
    )
    given_up = replace(evaluation, dropped=drops)
    assert word_account(given_up).endswith("; 2 planned launches given up for want of time.")
    assert "given up" not in word_account(evaluation)
    (row,) = find_dropped(given_up)
    assert (row.benchmark, row.case, row.reason) == ("npb/ep", "W, launch 4, 5", "slow")


def test_a_refused_step_is_skipped_and_no_trouble(page: str) -> None:
    skipped = page[page.index('id="skipped"') : page.index('id="disturbed-steps"')]
    row = next(row for row in skipped.split("<tr") if "needs a network between its ranks" in row)
    assert "messages/pingpong" in row
    assert 'data-n="1">1</td>' in row
    assert 'id="trouble-step-S0024"' not in page
    assert 'id="trouble-step-S0004"' in page
    assert "30 launches and 1 repeat, 5 failed" in page
    assert "3 cases left out" in page


def test_facts_needed_to_repeat_the_run_are_there(page: str) -> None:
    for text in (
        "./heorot evaluate --profile standard --out runs/first",
        "heorot export runs/first --format csv",
        "20261120",
        "0123456789ab",
        "ba9876543210",
        "Open MPI v5.0.11, package: Open MPI",
        "-O3 -march=native -fno-tree-loop-distribute-patterns",
        "OMP_PROC_BIND=close",
        "sapphirerapids",
    ):
        assert text in page, text


def test_processors_time_and_memory_of_every_rank_are_there(page: str) -> None:
    placement = page[page.index('id="placement"') :]
    assert "<td>hall-01</td>" in placement
    assert "4-5" in placement
    assert "3.90 s" in placement
    assert "50.0 ms" in placement
    assert "200 MiB" in placement


def test_withheld_values_are_marked_and_not_in_figures(evaluation: Evaluation, page: str) -> None:
    withheld = [row for row in evaluation.analysis.results if not row.ranked]
    assert withheld
    assert page.count('class="bad"') >= len(withheld)
    assert page.count("<figure") == page.count('<div class="picture"><svg') == 9
    figure = page.partition('id="fig-compute_vector_kernels-0"')[2].partition("</figure>")[0]
    drawn = [text for texts in re.findall(r'data-t="([^"]*)"', figure) for text in texts.split("|")]
    rates = [
        row
        for row in evaluation.analysis.results
        if row.metric == "flop_rate" and row.benchmark == "compute/vector_kernels"
    ]
    assert len(drawn) == sum(row.ranked for row in rates) == len(rates) - len(withheld)


def test_what_a_program_loses_its_time_to_stands_in_its_section(page: str) -> None:
    section = page[page.index('id="b-npb_ep"') : page.index('id="cross"')]
    assert "What its time is lost to" in section
    assert "spends 18\N{NO-BREAK SPACE}% of its time communicating" in section
    assert 'id="t-npb_ep-shares"' in section
    assert 'id="t-npb_ep-phases"' in section
    assert section.count("Hatched: communicating") == 1
    assert HOSTILE_PHASE not in page


def test_a_long_table_is_an_excerpt_and_says_where_the_rest_is(page: str) -> None:
    assert "40 of 2\N{NARROW NO-BREAK SPACE}173 rows" in page
    assert unpack(page)["t-compute_vector_kernels"].count("<tr") == 2173


def test_tables_are_accessible(page: str) -> None:
    elements = Structure(page).elements
    n_tables = sum(tag == "table" for tag, _ in elements)
    assert n_tables == sum(tag == "caption" for tag, _ in elements)
    assert all("scope" in attributes for tag, attributes in elements if tag == "th")
    figures = [a for tag, a in elements if tag == "figure"]
    assert all(a.get("aria-labelledby") for a in figures)


@pytest.mark.timed
def test_ten_thousand_results_are_small_and_quick(tmp_path: Path) -> None:
    large = make_evaluation(190)
    assert len(large.analysis.results) > 9500
    path = tmp_path / "report.html"
    with processor_time(5.0):
        write_report(large, path, machine_rows=MACHINE_ROWS)
    assert path.stat().st_size <= 4_000_000


@pytest.mark.slow
def test_more_rows_than_a_page_holds_are_left_to_the_export(tmp_path: Path) -> None:
    evaluation = make_evaluation(2)
    one = evaluation.analysis.results[-1]
    many = [but(one, point={"n": i}) for i in range(12_000)]
    results = (*evaluation.analysis.results, *many)
    analysis = evaluation.analysis.model_copy(update={"results": results})
    changed = Evaluation(**{**evaluation.__dict__, "analysis": analysis})
    path = tmp_path / "report.html"
    write_report(changed, path, machine_rows=MACHINE_ROWS)
    page = path.read_text(encoding="utf-8")
    assert "too many for this page: heorot export runs/first --format csv" in page
    assert len(page) <= 4_000_000


def test_an_empty_run_still_has_a_report() -> None:
    evaluation = make_evaluation(2)
    empty = evaluation.analysis.model_copy(
        update={"results": (), "scores": (), "verdict": (), "findings": (), "cross_checks": ()}
    )
    account = Account(submitted=0, completed=0, failed=0, timed_out=0, lost=0, refused=0)
    without = {"analysis": empty, "steps": (), "outcomes": (), "account": account, "disturbed": {}}
    page = format_report(Evaluation(**evaluation.__dict__ | without), ())
    assert "Nothing was measured" in page
    assert "0 launches: 0 completed" in page
    Structure(page)


@pytest.mark.slow
def test_writing_twice_gives_the_same_bytes(evaluation: Evaluation, page: str) -> None:
    assert format_report(evaluation, MACHINE_ROWS) == page


def test_comparison_names_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make_comparison(8), path)
    page = path.read_text(encoding="utf-8")
    Structure(page)
    assert re.search(r"B is worse at memory/stream \(0\.9", page)
    assert re.search(r"B is better at messages/pingpong \(1\.0", page)
    assert "B does not differ significantly from A at compute/peak, compute/vector_kernels" in page
    assert "hall-&lt;b&gt;02" in page
    assert "Only in first: 1" in page
    assert len(page) < 500_000
    assert {"further", "everything"} == set(unpack(page))


def test_comparison_without_anything_in_common_is_a_page() -> None:
    from heorot.report.comparison import format_comparison  # noqa: PLC0415

    bare = make_comparison(2).model_copy(update={"groups": (), "metrics": ()})
    assert "no metric in common" in format_comparison(bare)
