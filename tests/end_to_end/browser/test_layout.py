"""The layout of the report in a real browser: every width, paper, both colours, long names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from heorot.model.evaluation import Evaluation
from heorot.report.page import write_report
from heorot.store.samples import read_samples
from tests.end_to_end.browser.conftest import misplaced_texts
from tests.end_to_end.browser.layout import count_words, faults_of, scrolled_scores, unfold_all
from tests.unit.report.recorded import MEDIANS, evaluate
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation

if TYPE_CHECKING:
    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (390, 1000, 1280, 1920)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAPER_WIDTH = 695
"""What the margins leave of A4 [px]."""

MOST_WORDS = 1500
MOST_PAGES = 12
FONTS = ("", "DejaVu Sans")
"""What the browser chooses, and the widest font of a plain Debian."""

_LONG = "gnu-12.2.0-with-every-flag+openmpi-5.0.11-over-ethernet"
_NOTE = "rests on 3 launches of which 2 were perturbed by other processes of the same user"


def _long_names(evaluation: Evaluation) -> Evaluation:
    """The run with names and notes as long as those of a site, some of them unbreakable."""
    results = tuple(
        row.model_copy(update={"caution": _NOTE.replace(" ", "\N{NO-BREAK SPACE}") * (i % 7 == 0)})
        for i, row in enumerate(evaluation.analysis.results)
    )
    scores = tuple(
        each.model_copy(
            update={
                "label": f"{each.label}, {'bandwidth_of_all_' * 3}levels",
                "ceiling": f"{reason} {_LONG} {_NOTE}",
                "result": each.result.model_copy(update={"caution": _NOTE}),
            }
        )
        for each, reason in ((one, one.ceiling) for one in evaluation.analysis.scores)
    )
    analysis = evaluation.analysis.model_copy(update={"results": results, "scores": scores})
    machine = evaluation.machine.model_copy(update={"hostname": "hall-01." + "department-" * 6})
    return replace(evaluation, analysis=analysis, machine=machine)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("layout") / "report.html"
    rows = (*MACHINE_ROWS, ("Kernel command line", f"root=UUID={'0123456789abcdef-' * 9}"))
    write_report(_long_names(make_evaluation()), path, machine_rows=rows)
    return path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a recorded quick run: all families, 2962 results, 45 headlines."""
    path = tmp_path_factory.mktemp("recorded") / "report.html"
    write_report(evaluate(read_samples(MEDIANS)), path, machine_rows=MACHINE_ROWS)
    return path


@pytest.mark.parametrize("width", WIDTHS)
def test_a_recorded_run_is_few_words_and_nothing_of_it_is_cut(
    show: Opener, recorded: Path, width: int
) -> None:
    page = show(recorded, width=width)
    assert page.locator("section.family").count() > 5
    assert 500 < count_words(page) <= MOST_WORDS
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert faults_of(page) == []
    assert scrolled_scores(page) == []
    if width == 1280:
        box = page.locator("#summary").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
    # What the score card leaves out is one click away.
    page.locator("#scores .legend summary").click()
    assert page.locator("#scores td.more-of").first.is_visible()
    assert faults_of(page) == []


def test_a_recorded_run_is_few_pages_of_paper(show: Opener, recorded: Path) -> None:
    page = show(recorded, width=PAPER_WIDTH)
    assert 2 <= _count_pages(page.pdf(prefer_css_page_size=True)) <= MOST_PAGES
    page.emulate_media(media="print")
    assert faults_of(page) == []
    assert page.locator("#scores td.more-of").first.is_visible()


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_or_wider_than_its_box_or_upon_another_text(
    show: Opener, report: Path, width: int, font: str
) -> None:
    page = show(report, width=width)
    if font:
        page.add_style_tag(content=f':root {{ --sans: "{font}"; }}')
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert faults_of(page) == []
    assert scrolled_scores(page) == []
    unfold_all(page)
    assert faults_of(page) == []
    if not font:  # pictures are as wide as their own font makes them
        assert misplaced_texts(page) == []


def test_nothing_is_cut_on_paper(show: Opener, report: Path) -> None:
    page = show(report, width=PAPER_WIDTH)
    page.emulate_media(media="print")
    assert faults_of(page) == []
    assert scrolled_scores(page) == []


def test_a_fault_is_seen(show: Opener, report: Path) -> None:
    page = show(report, width=1280)
    page.add_style_tag(content="#verdict p { white-space: nowrap; margin-left: 1000px; }")
    assert any("outside the window" in fault for fault in faults_of(page))
    page = show(report, width=1280)
    page.add_style_tag(content="#cross h2 { margin-bottom: -2rem; }")
    assert any(" lies over " in fault for fault in faults_of(page))
    page = show(report, width=1280)
    page.add_style_tag(
        content="#scores table { display: block; overflow-x: auto; } "
        "#scores tbody { display: block; min-width: 2000px; }"
    )
    assert scrolled_scores(page) != []


def test_what_scrolls_sideways_shows_where_there_is_more(show: Opener, report: Path) -> None:
    page = show(report, width=390)
    unfold_all(page)
    scroller = page.locator("#t-compute_vector_kernels").locator("xpath=..")
    wider = scroller.evaluate("(each) => each.scrollWidth - each.clientWidth")
    assert wider > 0
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        image = scroller.evaluate("(each) => getComputedStyle(each).backgroundImage")
        assert image.count("linear-gradient") == 4
    attached = scroller.evaluate("(each) => getComputedStyle(each).backgroundAttachment")
    assert attached == "local, local, scroll, scroll, scroll"


@pytest.mark.parametrize("width", [390, 1280])
def test_few_words_are_in_sight_before_anything_is_opened(
    show: Opener, report: Path, width: int
) -> None:
    page = show(report, width=width)
    before = count_words(page)
    assert 100 < before <= MOST_WORDS
    unfold_all(page)
    assert count_words(page) > 2 * before


def test_what_is_open_is_printed_and_the_rest_once_it_is_unfolded(
    show: Opener, report: Path
) -> None:
    page = show(report, width=1280)
    folded = _count_pages(page.pdf(prefer_css_page_size=True))
    assert 2 <= folded <= MOST_PAGES
    page.get_by_role("button", name="Unfold all").click()
    assert page.locator("main details:not([open])").count() == 0
    whole = _count_pages(page.pdf(prefer_css_page_size=True))
    assert whole > folded
    page.get_by_role("button", name="Fold all", exact=True).click()
    assert page.locator("main details[open]").count() == 0


def _count_pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_a_link_opens_all_that_encloses_its_target(show: Opener, report: Path) -> None:
    page = show(report, width=1280)
    row = page.evaluate("document.querySelector('details.programs details.table tr[id]').id")
    page.evaluate("(id) => { location.hash = id; }", row)
    page.wait_for_selector(f"#{row}:target", state="visible")
    assert page.locator(f"details:has(#{row}):not([open])").count() == 0
