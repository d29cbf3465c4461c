"""The page of a throughput test in a real browser: first screen, zoom, saving, paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.report.simulation import write_simulation
from heorot.throughput.report.throughput_page import write_throughput
from tests.end_to_end.browser.first_screens import first_screen_of
from tests.unit.throughput.report.synthetic import (
    many_jobs,
    published_throughput,
    write_side_by_side,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.end_to_end.browser.conftest import Opener

pytestmark = pytest.mark.browser

PAPER_HEIGHT = 1017
"""What the margins leave of A4 [px]."""
PAPER_WIDTH = 695


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    test = published_throughput()
    path = tmp_path_factory.mktemp("published") / "day.html"
    write_throughput(test, analyse_throughput(test), path)
    return path


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    test = many_jobs(2000)
    path = tmp_path_factory.mktemp("many") / "day.html"
    write_throughput(test, analyse_throughput(test), path)
    return path


def colliding_names(page: Page) -> list[str]:
    """Names of jobs that lie over each other, or that are cut."""
    found: list[str] = page.evaluate(_COLLIDING)
    return found


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_twelve_systems_side_by_side_are_legible(show: Opener, tmp_path: Path, width: int) -> None:
    write_side_by_side(12, tmp_path / "page.html")
    page = show(tmp_path / "page.html", width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("svg.timed[data-id]").count() == 24


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_is_complete(
    show: Opener, published: Path, scheme: Literal["light", "dark"]
) -> None:
    page = show(published, width=1280, scheme=scheme)
    assert first_screen_of(page) == []
    for label in ("How fast", "Can I trust it", "What is wrong", "Not covered"):
        assert page.locator("#summary .label", has_text=label).is_visible()
    assert page.locator("#summary .wrong li").count() == 3
    sections = page.evaluate("[...document.querySelectorAll('main > section')].map((s) => s.id)")
    assert sections[:3] == ["summary", "verdict", "findings"]
    assert page.locator("#verdict li").count() <= 7


def test_the_first_screen_of_compared_tests_and_of_simulations_is_complete(
    show: Opener, tmp_path: Path
) -> None:
    write_side_by_side(3, tmp_path / "compared.html")
    assert first_screen_of(show(tmp_path / "compared.html", width=1280)) == []
    timelines = {
        name: timeline_of(published_throughput()) for name in ("FCFS", "EASY", "conservative")
    }
    measures = {name: measure(each) for name, each in timelines.items()}
    write_simulation(timelines, measures, tmp_path / "simulated.html", title="published")
    assert first_screen_of(show(tmp_path / "simulated.html", width=1280)) == []


def test_the_first_screen_fits_one_page_of_paper(show: Opener, published: Path) -> None:
    page = show(published, width=PAPER_WIDTH)
    page.emulate_media(media="print")
    box = page.locator("#summary").bounding_box()
    assert box is not None
    assert box["height"] <= PAPER_HEIGHT
    assert (
        page.evaluate("getComputedStyle(document.querySelector('#summary')).breakAfter") == "page"
    )


def test_words_seen_on_load_are_few(show: Opener, published: Path) -> None:
    page = show(published, width=1280)
    assert len(page.locator("main").inner_text().split()) <= 1500


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_the_published_day_is_legible(show: Opener, published: Path, width: int) -> None:
    page = show(published, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    graph = page.locator("svg.timed[data-id=jobs-over-time]")
    assert graph.locator(".texts text").count() == 33
    assert colliding_names(page) == []
    box = graph.bounding_box()
    assert box is not None
    least = 11.0 * box["width"] / 900
    assert least >= (7.5 if width < 900 else 11.0)


def test_graphs_are_zoomed_together_by_keys(show: Opener, published: Path) -> None:
    page = show(published)
    group = page.locator(".times").first
    group.focus()
    before = moved(page)
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    assert len(set(map(tuple, moved(page)))) == 1
    # 0.7 x 0.7 of the whole.
    assert moved(page)[0][0] == pytest.approx(1 / 0.49, rel=1e-6)
    assert " to " in page.locator(".range").first.inner_text()
    page.keyboard.press("0")
    assert moved(page) == before
    assert page.locator(".range").first.inner_text() == ""


def test_a_stretch_is_chosen_by_dragging_and_left_by_a_double_click(
    show: Opener, published: Path
) -> None:
    page = show(published)
    strip = page.locator("svg.timed[data-id=jobs-over-time-queue]")
    strip.scroll_into_view_if_needed()
    box = strip.bounding_box()
    assert box is not None
    scale, y = box["width"] / 900, box["y"] + 30
    # A quarter of the width of the plot, from its left end.
    page.mouse.move(box["x"] + 52 * scale, y)
    page.mouse.down()
    page.mouse.move(box["x"] + (52 + 838 / 4) * scale, y, steps=3)
    page.mouse.up()
    assert [each[0] for each in moved(page)] == pytest.approx([4.0] * 3, rel=0.01)
    ticks = page.locator("svg.timed[data-id=jobs-over-time] .ticks text").all_text_contents()
    assert ticks[-1] == "25 min"
    strip.dblclick(position={"x": 200, "y": 20})
    assert [each[0] for each in moved(page)] == [1.0] * 3


def test_the_wheel_scrolls_the_page_until_the_graph_was_clicked(
    show: Opener, published: Path
) -> None:
    page = show(published)
    graph = page.locator("svg.timed").first
    graph.scroll_into_view_if_needed()
    graph.hover()
    page.mouse.wheel(0, -100)
    assert moved(page)[0][0] == 1.0
    page.locator(".times").first.focus()
    page.mouse.wheel(0, -100)
    page.wait_for_function(f"({_MOVED})()[0][0] > 1.2")


def test_graphs_are_saved_as_a_picture(show: Opener, published: Path, tmp_path: Path) -> None:
    page = show(published)
    with page.expect_download() as download:
        page.locator("[data-act=save]").first.click()
    path = tmp_path / "saved.svg"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert download.value.suggested_filename == "jobs-over-time.svg"
    assert "adf7" in text
    assert "--s0: #0072b2" in text
    assert text.count('class="timed"') == 3


@pytest.mark.slow
def test_two_thousand_jobs_show_their_names_when_looked_at_closely(
    show: Opener, many: Path
) -> None:
    page = show(many)
    graph = page.locator("svg.timed[data-id=jobs-over-time]")
    assert graph.locator(".job").count() == 2000
    assert graph.locator(".texts text").count() == 0
    page.locator(".times").first.focus()
    for _ in range(11):
        page.keyboard.press("PageUp")
    names = graph.locator(".texts text")
    assert 5 < names.count() <= 60
    # The first jobs start soon after the begin, in the order of the table.
    assert str(names.first.text_content()).startswith("code")
    page.keyboard.press("0")
    assert names.count() == 0


@pytest.mark.parametrize("which", ["published", "many"])
def test_graphs_fit_a_page_of_paper(
    show: Opener, which: str, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(which), width=PAPER_WIDTH)
    page.emulate_media(media="print")
    for graph in page.locator("svg.timed[data-id]").all():
        box = graph.bounding_box()
        assert box is not None
        assert box["height"] <= PAPER_HEIGHT
    assert not page.locator(".time-tools").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_contrast_with_the_paper(
    show: Opener, published: Path, scheme: Literal["light", "dark"]
) -> None:
    page = show(published, scheme=scheme)
    paper = page.evaluate(_LUMINANCE, "body")
    for kind in range(6):
        bar = page.evaluate(_LUMINANCE, f"svg.timed .job.s{kind} rect.bar:not(.bad-end)")
        high, low = max(bar, paper), min(bar, paper)
        assert (high + 0.05) / (low + 0.05) >= 3.0  # WCAG 2.1, 1.4.11


def test_the_page_is_complete_without_scripts(show: Opener, published: Path) -> None:
    page = show(published, scripts=False)
    assert page.locator("svg.timed .texts text", has_text="adf7").is_visible()
    assert not page.locator(".time-tools").first.is_visible()


def moved(page: Page) -> list[list[float]]:
    """Scale and shift in time of every graph of the first group."""
    found: list[list[float]] = page.evaluate(_MOVED)
    return found


_MOVED = """
() => [...document.querySelector('.times').querySelectorAll('.moved')].map((each) => {
  const matrix = each.transform.baseVal.consolidate()?.matrix;
  return matrix ? [matrix.a, matrix.e] : [1, 0];
})
"""

_COLLIDING = """
() => [...document.querySelectorAll('svg.timed .texts')].flatMap((group) => {
  const whole = group.ownerSVGElement.getBoundingClientRect();
  const texts = [...group.querySelectorAll('text')]
    .map((each) => [each.textContent, each.getBoundingClientRect()]);
  const cut = texts.filter(([, box]) => box.left < whole.left - 1 || box.right > whole.right + 1)
    .map(([text]) => `${text} is cut`);
  const over = texts.flatMap(([one, a], i) => texts.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
    .map(([other]) => `${one} lies over ${other}`));
  return [...cut, ...over];
})
"""

_LUMINANCE = """
(place) => {
  const style = getComputedStyle(document.querySelector(place));
  const paint = place === 'body' ? style.backgroundColor : style.fill;
  const parts = paint.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
"""
