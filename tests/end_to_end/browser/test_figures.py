"""Figures in a real browser: values under pointer and keys, a closer look, series, a saved file."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.report.page import write_report
from tests.end_to_end.browser.figures import box_of, drag, expect_true_axes, opened, points
from tests.unit.report.samples import MACHINE_ROWS, make_evaluation

if TYPE_CHECKING:
    from tests.end_to_end.browser.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_PANELS = "#fig-compute_vector_kernels-0"
_CURVES = "#fig-messages_pingpong-0"
_BARS = "#fig-memory_stream-0"
_STACKS = "#fig-npb_ep-2"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "report.html"
    write_report(make_evaluation(), path, machine_rows=MACHINE_ROWS)
    return path


def test_the_pointer_finds_every_point_with_its_value(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    series = figure.locator(".key").first.inner_text().strip()
    others = [place[:2] for place in points(figure, 1)]
    apart = [each for each in points(figure) if min(math.dist(each[:2], o) for o in others) > 8]
    assert len(apart) > 3
    for x, y, text in apart:
        page.mouse.move(x + 1, y - 1)
        tip = page.locator("#tip")
        assert tip.is_visible()
        assert tip.inner_text().split("\n") == [series, text]
        assert "launches]" in text
        assert box_of(figure.locator(".here"))["width"] > 5
    page.mouse.move(5, 5)
    assert page.locator("#tip").is_hidden()


def test_the_pointer_tells_of_bars_ceilings_and_cut_names(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _BARS)
    box = box_of(figure.locator(".marks .bar").nth(3))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert re.search(r": [\d.]+ GB/s \[", page.locator("#tip").inner_text())
    limit = box_of(figure.locator(".marks .limit").first)
    page.mouse.move(limit["x"] + 1, limit["y"] + limit["height"] / 2)
    assert ": bound " in page.locator("#tip").inner_text()
    assert figure.locator("title").count() == 0  # no second tip from the browser


def test_keys_go_from_value_to_value_and_say_them(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    figure.locator(".picture").focus()
    expected = [text for _, _, text in points(figure)]
    for text in expected[:3]:
        page.keyboard.press("ArrowRight")
        assert text in page.locator("#tip").inner_text()
        assert text in page.locator("#live").inner_text()
    page.keyboard.press("ArrowLeft")
    assert expected[1] in page.locator("#tip").inner_text()
    page.keyboard.press("ArrowUp")
    assert expected[1] not in page.locator("#tip").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


def test_a_closer_look_by_dragging_keeps_axes_true_and_a_double_click_ends_it(
    show: Opener, report: Path
) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    before = figure.locator(".picture > svg").inner_html()
    expect_true_axes(figure)
    found = points(figure)
    first, last = found[4], found[9]
    drag(
        page,
        (first[0] - 8, min(first[1], last[1]) - 20),
        (last[0] + 8, max(first[1], last[1]) + 20),
    )
    closer = points(figure)
    assert closer[9][0] - closer[4][0] > 1.5 * (last[0] - first[0])
    expect_true_axes(figure)
    assert figure.get_by_role("button", name="All").is_visible()
    page.mouse.dblclick(closer[6][0], closer[6][1])
    page.mouse.move(5, 5)
    assert figure.get_by_role("button", name="All").is_hidden()
    assert points(figure) == found
    after = figure.locator(".picture > svg").inner_html()
    assert re.sub(r"[\d.]+", "", after) == re.sub(r"[\d.]+", "", before)


@pytest.mark.parametrize("name", [_CURVES, _PANELS])
def test_keys_zoom_in_on_the_value_of_the_tip(show: Opener, report: Path, name: str) -> None:
    page = show(report)
    figure = opened(page, name)
    figure.locator(".picture").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    tip = page.locator("#tip").inner_text()
    for _ in range(8):
        page.keyboard.press("+")
        assert page.locator("#tip").inner_text() == tip
        if name == _CURVES:
            expect_true_axes(figure)
    page.keyboard.press("0")
    assert figure.get_by_role("button", name="All").is_hidden()


def test_the_wheel_zooms_with_control_only(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    found = points(figure)
    x, y, _ = found[7]
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -150)
    page.keyboard.up("Control")
    page.wait_for_function(f"!document.querySelector('{_CURVES} .figure-tools button').hidden")
    closer = points(figure)
    assert closer[7][:2] == pytest.approx((x, y), abs=1.0)
    assert closer[9][0] - closer[7][0] > 1.2 * (found[9][0] - x)


def test_a_map_is_looked_at_closer_as_a_whole(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, "figure:has(.picture > svg:not([data-x]))")
    svg = figure.locator(".picture > svg")
    whole, box = svg.get_attribute("viewBox"), box_of(svg)
    drag(
        page,
        (box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3),
        (box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6),
    )
    x, y, width, height = map(float, str(svg.get_attribute("viewBox")).split())
    assert width == pytest.approx(760 * 0.3, rel=0.05)
    assert x == pytest.approx(760 * 0.3, rel=0.05)
    assert height / width == pytest.approx(float(str(whole).split()[3]) / 760, rel=0.01)
    assert y > 0
    page.mouse.dblclick(box["x"] + 50, box["y"] + 20)
    assert [float(each) for each in str(svg.get_attribute("viewBox")).split()] == [
        float(each) for each in str(whole).split()
    ]


def test_series_are_hidden_by_pointer_and_by_key_and_told_of_no_more(
    show: Opener, report: Path
) -> None:
    page = show(report)
    figure = opened(page, _PANELS)
    assert figure.locator(".marks .curve:visible").count() == 53
    key = figure.locator(".key", has_text="indirect")
    key.click()
    assert key.get_attribute("aria-pressed") == "false"
    assert figure.locator(".marks .curve:visible").count() == 42
    key.press("Enter")
    assert figure.locator(".marks .curve:visible").count() == 53


def test_one_panel_is_chosen_and_large_with_axes_of_its_own(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _PANELS)
    names = figure.locator("select option").all_inner_texts()
    assert (names[0], "DAXPY" in names, len(names)) == ("all", True, 15)
    small = figure.locator(".panel:visible").nth(1).bounding_box()
    figure.locator("select").select_option(label="DAXPY")
    assert figure.locator(".panel:visible").count() == 1
    assert figure.locator(".marks .curve:visible").count() == 4
    large = figure.locator(".panel:visible").bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 3 * small["width"]
    assert figure.locator(".panel:visible .axes text").count() >= 6
    figure.locator("select").select_option(label="all")
    assert figure.locator(".panel:visible").count() == 14


def test_stacked_parts_fill_their_bars_and_move_together(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _STACKS)
    segments = figure.locator(".marks .segment")
    assert segments.count() == 9
    boxes = [box_of(each) for each in segments.all()]
    # Computing alone on one core is a whole bar; on two ranks the three parts are one together.
    assert sum(box["width"] for box in boxes[3:6]) == pytest.approx(boxes[0]["width"], rel=0.02)
    waiting = figure.locator(".key", has_text="waiting")
    waiting.focus()
    waiting.press("Enter")
    assert figure.locator(".marks g:not(.off) > .segment").count() == 6
    moved = box_of(segments.nth(5))
    assert moved["x"] == pytest.approx(boxes[4]["x"], abs=1.5)
    assert moved["width"] == pytest.approx(boxes[5]["width"], abs=1.5)
    waiting.press("Enter")
    assert box_of(segments.nth(5))["x"] == pytest.approx(boxes[5]["x"], abs=0.1)


def test_paper_shows_all_of_a_figure_however_it_was_looked_at(show: Opener, report: Path) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    found = points(figure)
    figure.locator(".key").nth(1).click()
    figure.locator(".picture").focus()
    page.keyboard.press("+")
    closer = points(figure)
    assert closer != found
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert points(figure) == found
    assert figure.locator(".marks .curve:visible").count() == 2
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert points(figure) == closer
    assert figure.locator(".marks .curve:visible").count() == 1


def test_a_figure_is_saved_as_a_picture_with_its_colours(
    show: Opener, report: Path, tmp_path: Path
) -> None:
    page = show(report)
    figure = opened(page, _CURVES)
    figure.locator(".key").nth(1).click()
    with page.expect_download() as download:
        figure.get_by_role("button", name="Save as SVG").click()
    path = tmp_path / "saved.svg"
    download.value.save_as(path)
    assert download.value.suggested_filename == f"{_CURVES[1:]}.svg"
    text = path.read_text(encoding="utf-8")
    tree = ET.fromstring(text)  # noqa: S314 (our own)
    assert "--s0: #0072b2" in text
    assert "stroke: var(--c)" in text
    lines = [each for each in tree.iter() if each.tag.endswith("polyline")]
    assert len(lines) == 1  # what is hidden is not saved
    assert len([each for each in tree.iter() if each.tag.endswith("marker")]) == 12


def test_every_kind_of_figure_bears_all_keys(show: Opener, report: Path) -> None:
    page = show(report)  # it insists on silence at the end
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    pictures = page.locator(".picture").all()
    for picture in pictures:
        before = picture.locator("> svg").get_attribute("viewBox")
        picture.focus()
        for key in ("ArrowRight", "+", "+", "Shift+ArrowRight", "ArrowUp", "-"):
            page.keyboard.press(key)
        assert picture.locator("xpath=..").get_by_role("button", name="All").is_visible()
        assert page.locator("#tip").is_visible()
        page.keyboard.press("0")
        assert picture.locator("xpath=..").get_by_role("button", name="All").is_hidden()
        assert picture.locator("> svg").get_attribute("viewBox") == before
    assert len(pictures) == 9
    broken = page.locator(".picture > svg *").evaluate_all(
        "(all) => all.filter((each) => [...each.attributes]"
        ".some(({ value }) => /NaN|undefined|Infinity/.test(value))).length"
    )
    assert broken == 0


def test_without_scripts_nothing_is_offered_that_does_nothing(show: Opener, report: Path) -> None:
    page = show(report, scripts=False)
    assert page.locator(".figure-tools").count() == 0
    assert page.locator(".picture[tabindex]").count() == 0
    for fold in ("programs", "program"):
        for summary in page.locator(f"details.{fold} > summary").all():
            summary.click()
    assert page.locator(f"{_BARS} .marks .bar title").count() == 12
