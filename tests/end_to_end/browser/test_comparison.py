"""Comparisons and acceptance tests in a real browser with the network cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.acceptance.report import write_acceptance
from heorot.analyse.results import group_series, make_results
from heorot.families import BENCHMARKS, FAMILIES
from heorot.model.batch.acceptance import STATUSES, Acceptance, Verdict
from heorot.report.comparison import write_comparison, write_pair
from heorot.report.systems.page import write_systems
from heorot.store.samples import read_samples
from tests.end_to_end.browser.first_screens import first_screen_of
from tests.end_to_end.browser.layout import count_words, faults_of, unfold_all
from tests.end_to_end.browser.test_layout import MOST_WORDS
from tests.unit.analyse.compare.contenders import contender, side_by_side
from tests.unit.analyse.synthesis import SOME_FAMILIES
from tests.unit.report.recorded import MEDIANS
from tests.unit.report.sample_comparison import make_marked_comparison
from tests.unit.report.sample_statements import make_comparison
from tests.unit.report.systems.sample_systems import make_systems

if TYPE_CHECKING:
    from collections.abc import Callable

    from heorot.model.analysis.comparison import Comparison
    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("make", [make_comparison, make_marked_comparison])
def test_no_column_is_cut(
    show: Opener, tmp_path: Path, make: Callable[[], Comparison], width: int
) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make(), path)
    page = show(path, width=width)
    for summary in page.locator("details > summary").all():
        summary.click()
    cut = page.evaluate(
        "() => [...document.querySelectorAll('.table-scroll')]"
        ".filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)"
    )
    assert cut == []


def test_comparison_opens_too(show: Opener, tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make_comparison(), path)
    page = show(path)
    assert page.locator("#groups svg.ratio").count() == 2
    assert page.locator("#other-groups svg.ratio").count() == 3
    page.locator("#groups thead th", has_text="ratio").first.locator("button").click()
    assert page.locator("#groups tbody tr").first.inner_text().startswith("memory/stream")
    assert page.evaluate("document.documentElement.scrollWidth") == 1200


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded quick run against itself with a slower memory and without dot products."""
    before = read_samples(MEDIANS)
    after = [
        replace(one, seconds=1.3 * one.seconds) if one.benchmark.startswith("memory/") else one
        for one in before
        if one.benchmark != "compute/dot_product"
    ]
    contenders = [contender("before", before), contender("after", after)]
    known = {benchmark.name: benchmark for benchmark in BENCHMARKS}
    rows = [
        row
        for name, series in (("A before", before), ("B after", after))
        for row in make_results(group_series(series), known, run="run", system=name)
    ]
    path = tmp_path_factory.mktemp("pair") / "comparison.html"
    write_pair(side_by_side(*contenders), FAMILIES, rows, path)
    return path


@pytest.mark.parametrize("width", [390, 1280])
def test_two_recorded_runs_are_few_words_and_nothing_of_them_is_cut(
    show: Opener, recorded: Path, width: int
) -> None:
    page = show(recorded, width=width)
    assert 300 < count_words(page) <= MOST_WORDS
    assert faults_of(page) == []
    shown = page.locator("#groups tbody th, #groups tbody td:first-child").all_inner_texts()
    assert {"memory", "memory/stream"} <= set(shown)
    assert "compute/peak" not in shown
    unfold_all(page)
    assert faults_of(page) == []


def _systems(tmp_path: Path, n: int) -> Path:
    side, rows = make_systems(n)
    path = tmp_path / "systems.html"
    write_systems(side, SOME_FAMILIES, rows, path)
    return path


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_twelve_systems_are_no_wider_than_the_screen(
    show: Opener, tmp_path: Path, width: int
) -> None:
    page = show(_systems(tmp_path, 12), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = page.evaluate(
        "() => [...document.querySelectorAll('header .keys rect')]"
        ".map((each) => getComputedStyle(each).fill)"
    )
    assert len(set(colours)) == 12


@pytest.mark.parametrize("n", [3, 12])
def test_the_first_screen_of_several_systems_is_complete(
    show: Opener, tmp_path: Path, n: int
) -> None:
    page = show(_systems(tmp_path, n), width=1280)
    assert first_screen_of(page) == []
    assert page.locator("#summary .tile").count() == n - 1
    assert page.locator("#verdict li").count() <= 7


@pytest.mark.parametrize("make", [make_comparison, make_marked_comparison])
def test_the_first_screen_of_two_runs_is_complete(
    show: Opener, tmp_path: Path, make: Callable[[], Comparison]
) -> None:
    path = tmp_path / "comparison.html"
    write_comparison(make(), path)
    page = show(path, width=1280)
    assert first_screen_of(page) == []
    for label in ("What differs", "Can I trust it", "What is wrong", "Not covered"):
        assert page.locator("#summary .label", has_text=label).is_visible()
    page.emulate_media(media="print")
    assert (
        page.evaluate("getComputedStyle(document.querySelector('#summary')).breakAfter") == "page"
    )


def test_the_first_screen_of_an_acceptance_is_complete(show: Opener, tmp_path: Path) -> None:
    words = "the job of the second user has no node while that of the first one runs"
    verdicts = tuple(
        Verdict(feature=f"feature-{i}", question="Does it?", status=STATUSES[i % 4], text=words)
        for i in range(28)
    )
    found = Acceptance(
        system="slurm", heorot_version="1", begun=1000.0, ended=1600.0, verdicts=verdicts
    )
    write_acceptance(found, tmp_path / "acceptance.html")
    page = show(tmp_path / "acceptance.html", width=1280)
    assert first_screen_of(page) == []
    assert page.locator("#summary .wrong li").count() == 3


def test_without_scripts_figures_and_tables_are_there(show: Opener, tmp_path: Path) -> None:
    page = show(_systems(tmp_path, 3), scripts=False)
    page.locator("#figures summary", has_text="messages/pingpong").click()
    assert page.locator("#figures details[open] svg[role=img]").first.is_visible()
    assert page.locator("#groups tbody tr").count() > 4
    assert page.locator("#facts").is_visible()


def test_a_key_hides_its_system_in_a_figure(show: Opener, tmp_path: Path) -> None:
    page = show(_systems(tmp_path, 3), width=1280)
    page.locator("#figures summary", has_text="messages/pingpong").click()
    figure = page.locator("#figures details[open] figure").first
    figure.locator(".key", has_text="B run-1").click()
    assert not figure.locator(".picture g.s1").first.is_visible()
    assert figure.locator(".picture g.s2").first.is_visible()
