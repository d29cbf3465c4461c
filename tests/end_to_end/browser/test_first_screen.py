"""The first screen and the score card in a real browser, of a recorded run, at all widths."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from heorot.model.analysis.result import Finding, Mode
from heorot.report.page import write_report, write_summary
from heorot.store.samples import read_samples
from tests.unit.report.recorded import MEDIANS, evaluate
from tests.unit.report.samples import MACHINE_ROWS

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from heorot.model.evaluation import Evaluation
    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = [390, 1000, 1280, 1920]
SCHEMES = ["light", "dark"]
MOST_PAGES = 12

# What is wider than its box, below an element: text that is cut, or that makes a box scroll.
_WIDER = """
(root) => [...document.querySelectorAll(`${root}, ${root} *`)].filter((each) => {
  const style = getComputedStyle(each);
  if (each.closest('svg') || style.display === 'inline' || !each.clientWidth) return false;
  if (style.clipPath !== 'none') return false;
  return each.scrollWidth > each.clientWidth + 1;
}).map((each) => `${each.className || each.tagName}: ${each.textContent.trim().slice(0, 70)}`)
"""
_BEYOND = """
(root) => [...document.querySelectorAll(`${root} *`)].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && getComputedStyle(each).clipPath === 'none' && !each.closest('th[title]')
    && (box.right > document.documentElement.clientWidth + 1 || box.left < -1);
}).map((each) => each.textContent.trim().slice(0, 70))
"""
_HEIGHTS = """
() => [...document.querySelectorAll('#scores tr.score')].map((each) => [
  each.getBoundingClientRect().height, parseFloat(getComputedStyle(each).fontSize)])
"""


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """A recorded run with a bimodal headline, whose text is long."""
    recorded = evaluate(read_samples(MEDIANS))
    first, *others = recorded.analysis.scores
    modes = (
        Mode(median=29e9, share=0.4, launches=(1, 3)),
        Mode(median=77e9, share=0.6, launches=(2, 4, 5)),
    )
    score = first.model_copy(update={"result": first.result.model_copy(update={"modes": modes})})
    object.__setattr__(recorded.analysis, "scores", (score, *others))
    return recorded


@pytest.fixture(scope="module")
def report(evaluation: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("first") / "report.html"
    write_report(evaluation, path, machine_rows=MACHINE_ROWS)
    return path


def wider(page: Page, root: str) -> list[str]:
    found: list[str] = page.evaluate(_WIDER, root)
    return found


def count_pages(printed: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", printed))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_screen_answers_five_questions_without_scrolling(
    show: Opener, report: Path, scheme: Literal["light", "dark"]
) -> None:
    page = show(report, width=1280, scheme=scheme)
    box = page.locator("#summary").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900
    summary = page.locator("#summary")
    labels = summary.locator("h2.label").all_inner_texts()
    assert [label.partition(",")[0] for label in labels] == [
        "How fast", "Roofline", "Can I trust it", "What is wrong", "Not covered",
    ]  # fmt: skip
    assert 6 <= summary.locator(".tile").count() <= 10
    assert summary.locator(".tile .share").count() >= 4
    assert summary.locator(".thumb svg .marker, .thumb svg .curve").count() > 5
    assert summary.locator(".wrong li").count() == 3
    assert re.search(r"\d{4}-\d\d-\d\d", summary.locator(".facts").inner_text())
    # Each finding is one or two lines and leads to the whole of it.
    for link in summary.locator(".wrong a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_row_of_the_score_card_is_one_line_and_nothing_is_cut(
    show: Opener, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    page = show(report, width=width, scheme=scheme)
    heights = page.evaluate(_HEIGHTS)
    assert len(heights) > 20
    assert all(height < 2.6 * size for height, size in heights)
    assert wider(page, "#summary") == []
    # A name may be longer than a phone is wide: then it ends with an ellipsis, and on it is whole.
    cut = wider(page, "#scores")
    assert all(each.startswith("TH: ") for each in cut)
    assert page.evaluate(_BEYOND, "#scores") == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [1280, 1920])
def test_names_are_whole_on_a_desk(show: Opener, report: Path, width: int) -> None:
    assert wider(show(report, width=width), "#scores") == []


def test_paper_has_the_first_screen_and_one_line_for_each_headline(
    show: Opener, report: Path
) -> None:
    page = show(report)
    printed = page.pdf(prefer_css_page_size=True)
    assert 2 <= count_pages(printed) <= MOST_PAGES
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 900})
    heights = page.evaluate(_HEIGHTS)
    assert all(height < 2.6 * size for height, size in heights)
    assert page.evaluate(_BEYOND, "#scores") == []
    assert page.evaluate(_BEYOND, "#summary") == []


def test_the_first_screen_alone_is_printed_on_one_page(
    show: Opener, evaluation: Evaluation, tmp_path: Path
) -> None:
    path = tmp_path / "summary.html"
    write_summary(evaluation, path, report=None)
    page = show(path, width=1280)
    assert count_pages(page.pdf(prefer_css_page_size=True)) == 1
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.locator(".tile").count() >= 6


def test_a_card_that_is_too_wide_is_seen(show: Opener, report: Path) -> None:
    """Why a cut score card was not found earlier: a box that scrolls is as wide as the page."""
    page = show(report, width=1280)
    page.add_style_tag(content="#scores { overflow: auto } .scores { min-width: 1500px }")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    assert wider(page, "#scores") != []
    assert page.evaluate(_BEYOND, "#scores") != []


def test_long_findings_stay_on_the_first_screen(
    show: Opener, evaluation: Evaluation, tmp_path: Path
) -> None:
    text = "job J0001 (slurm 4711) on n1, n2, n3 did not end well: the node failed; 3 steps lost"
    findings = tuple(Finding(text=text, severity="error") for _ in range(12))
    many = evaluation.analysis.model_copy(update={"findings": findings})
    path = tmp_path / "long.html"
    changed = type(evaluation)(**{**evaluation.__dict__, "analysis": many})
    write_report(changed, path, machine_rows=MACHINE_ROWS)
    page = show(path, width=1280)
    box = page.locator("#summary").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900
