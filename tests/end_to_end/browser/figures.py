"""Figures in a browser: positions and tips of their marks, and whether ticks are correct."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

_PREFIXES = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_BINARY = {"KiB": 1024.0, "MiB": 1024.0**2, "GiB": 1024.0**3}


def opened(page: Page, name: str) -> Locator:
    """A figure, unfolded and in the window."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    figure = page.locator(name)
    figure.locator(".picture > svg").scroll_into_view_if_needed()
    return figure


def box_of(each: Locator) -> FloatRect:
    box = each.bounding_box()
    assert box is not None
    return box


def points(figure: Locator, number: int = 0) -> list[tuple[float, float, str]]:
    """The points of a curve: x and y in the window [px], and their labels."""
    found: list[Any] = (
        figure.locator(".marks .curve")
        .nth(number)
        .evaluate(
            "(line) => { const matrix = line.ownerSVGElement.getScreenCTM(), texts = "
            "line.dataset.t.split('|'); return [...line.points].map((point, i) => { "
            "const at = new DOMPoint(point.x, point.y).matrixTransform(matrix); "
            "return [at.x, at.y, texts[i]]; }); }"
        )
    )
    return [(float(x), float(y), str(text)) for x, y, text in found]


def number_in(text: str) -> float:
    """The number of a tick or a value, in units without prefix."""
    match = re.match(r"(−?[\d.]+) ?(\S*)", text)
    assert match, text
    value, unit = float(match[1].replace("−", "-")), match[2].partition("/")[0]
    if unit in _BINARY:
        return value * _BINARY[unit]
    return value * (_PREFIXES.get(unit[0], 1.0) if len(unit) > 1 else 1.0)


def ticks(figure: Locator, side: str) -> list[tuple[float, str]]:
    """Where the ticks of a side of the first panel are in the window [px], and their texts."""
    anchor = "[text-anchor=middle]" if side == "x" else "[text-anchor=end]"
    found: list[Any] = figure.locator(f".panel >> nth=0 >> .axes text{anchor}").evaluate_all(
        "(all, side) => all.map((each) => { const box = each.getBoundingClientRect(); "
        "const matrix = each.ownerSVGElement.getScreenCTM(); const at = new DOMPoint("
        "Number(each.getAttribute('x')), Number(each.getAttribute('y')) - 4).matrixTransform("
        "matrix); return [side === 'x' ? at.x : at.y, each.firstChild.data]; })",
        side,
    )
    return [(float(place), str(text)) for place, text in found]


def expect_true_axes(figure: Locator) -> None:
    """Every visible point is where the ticks put its value, on logarithmic axes."""
    box = figure.locator(".panel >> nth=0").evaluate(
        "(each) => { const [x, y, w, h] = each.dataset.box.split(' ').map(Number), matrix = "
        "each.ownerSVGElement.getScreenCTM(); const a = new DOMPoint(x, y).matrixTransform(matrix),"
        " b = new DOMPoint(x + w, y + h).matrixTransform(matrix); return [a.x, a.y, b.x, b.y]; }"
    )
    marks = [ticks(figure, side) for side in "xy"]
    assert all(len(each) > 1 for each in marks)
    in_sight = 0
    for x, y, text in points(figure):
        if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
            continue
        in_sight += 1
        size, _, value = text.partition(": ")
        for place, words, on in ((x, size, marks[0]), (y, value, marks[1])):
            (p, first), (q, last) = on[0], on[-1]
            a, b = (math.log(number_in(each)) for each in (first, last))
            said = math.exp(a + (b - a) * (place - p) / (q - p))
            assert said == pytest.approx(number_in(words), rel=0.03), (words, marks)
    assert in_sight > 0


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()
