"""Curves in panels: broad strokes, whiskers, lines with markers, and their bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from markupsafe import escape

from heorot.report.figures.axis import Axis, common_ceiling, coordinate_axis, value_axis
from heorot.report.figures.captions import word_values
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Picture
from heorot.report.figures.svg.parts import WIDTH, Box, fit_text, group, panel, tooltip, write_text
from heorot.report.figures.text import text_width, widest
from heorot.report.wording import format_coordinate

MARKERS = (
    "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "M-2.7 -2.7h5.4v5.4h-5.4z",
    "M0 -3.8L3.4 0L0 3.8L-3.4 0z",
    "M0 -3.6L3.4 2.6H-3.4z",
    "M-1.2 -3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z",
    "M0 3.6L3.4 -2.6H-3.4z",
    "M0 -4L1.2 -1.3L4 -1.2L1.8 .6L2.6 3.4L0 1.8L-2.6 3.4L-1.8 .6L-4 -1.2L-1.2 -1.3z",
    "M-3 -2L-2 -3L0 -1L2 -3L3 -2L1 0L3 2L2 3L0 1L-2 3L-3 2L-1 0z",
    "M-3.6 -1.3h7.2v2.6h-7.2z",
    "M-1.3 -3.6h2.6v7.2h-2.6z",
    "M-3.6 0L2.6 -3.4V3.4z",
    "M3.6 0L-2.6 -3.4V3.4z",
)
"""The paths of the markers, in the order of the styles."""

_MOST_COLUMNS = 4
_GAP = 12.0
_LOWEST = 104.0


def svg_curves(drawing: Drawing) -> Picture:
    """The curves, in as many panels as they have."""
    n_panels = len(drawing.panels)
    columns = min(n_panels, _MOST_COLUMNS)
    ceiling = common_ceiling(drawing)
    x_axis = coordinate_axis(drawing, 10 if columns == 1 else 12 // columns)
    y_axis = value_axis(drawing, 7 if columns == 1 else 4, [] if ceiling is None else [ceiling])
    left = 14 + widest(text for _, text in y_axis.ticks)
    titled = any(each.title for each in drawing.panels)
    top, bottom = 22.0 if titled else 8.0, 40.0
    width = (WIDTH - left - 8 - _GAP * (columns - 1)) / columns
    height = {1: 250.0, 2: 200.0, 3: 160.0}.get(columns, _LOWEST)
    rows = math.ceil(n_panels / columns)
    parts = []
    for i, each in enumerate(drawing.panels):
        column, row = i % columns, i // columns
        box = (left + column * (width + _GAP), top + row * (height + top + 14), width, height)
        last_row = i + columns >= n_panels
        room = width + _GAP
        end = WIDTH if column == columns - 1 else box[0] + width + 0.5 * _GAP
        title = fit_text(box[0], box[1] - 6, each.title, "start", "panel-title", room)
        parts += panel(
            box,
            axes=frame(box, x_axis, y_axis, with_x=last_row, with_y=column == 0, end=end),
            beside=[title] if each.title else [],
            marks=curve_marks(each, box, x_axis, y_axis, ceiling, drawing),
        )
    total = top + rows * (height + top + 14) - top - 14 + bottom
    parts.append(write_text(WIDTH - 8, total - 6, drawing.figure.x_label, "end", "axis-title"))
    return Picture(parts, total, x_axis, y_axis)


def frame(
    box: Box,
    x_axis: Axis,
    y_axis: Axis,
    *,
    with_x: bool = True,
    with_y: bool = True,
    end: float = WIDTH,
) -> list[str]:
    """The grid of a panel with its ticks.

    Args:
        with_x: whether the ticks below it are written.
        with_y: whether those to its left are.
        end: the right end of the room for ticks [px]; the panel to the right begins there.
    """
    left, top, width, height = box
    bottom, begin = top + height, 0.0 if with_y else left - 0.5 * _GAP
    parts, grid = [], []
    for value, text in x_axis.ticks:
        x = left + width * x_axis.place(value)
        grid.append(f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        if with_x:
            room = width / len(x_axis.ticks) if x_axis.kind == "category" else width
            half = 0.5 * min(room, text_width(text))
            middle = min(max(x, begin + half), end - half)
            parts.append(fit_text(middle, bottom + 15, text, "middle", "tick", room))
    for value, text in y_axis.ticks:
        y = bottom - height * y_axis.place(value)
        grid.append(f"M{left:.1f} {y:.1f}h{width:.1f}")
        if with_y:
            parts.append(write_text(left - 6, y + 4, text, "end"))
    base = f'<path class="base" d="M{left:.1f} {bottom:.1f}h{width:.1f}"/>'
    return [f'<path class="grid" d="{"".join(grid)}"/>', base, *parts]


def curve_marks(
    each: Panel, box: Box, x_axis: Axis, y_axis: Axis, bound: float | None, drawing: Drawing
) -> Iterator[str]:
    """The curves of a panel with their whiskers.

    Args:
        bound: their common bound; None without one.
    """
    left, top, width, height = box

    def spot(x: float, y: float) -> tuple[float, float]:
        return left + width * x_axis.place(x), top + height * (1 - y_axis.place(y))

    if bound is not None:
        _, y = spot(1.0, bound)
        yield f'<path class="bound" d="M{left:.1f} {y:.1f}H{left + width:.1f}"/>'
    for line in each.lines:
        numbers = [x_axis.number(x) for x in line.x]
        places = [spot(x, y) for x, y in zip(numbers, line.y, strict=True)]
        if line.shape == "wide":
            (first, y), (last, _) = places
            stroke = f'<path class="plateau" d="M{first:.1f} {y:.1f}H{last:.1f}">'
            yield from group(line.style, [stroke, tooltip(line.texts[0]), "</path>"])
            continue
        ends = [
            (spot(x, low)[1], spot(x, high)[1])
            for x, low, high in zip(numbers, line.low, line.high, strict=True)
        ]
        whisker = "".join(
            f"M{x:.1f} {low:.1f}V{high:.1f}"
            for (x, _), (low, high) in zip(places, ends, strict=True)
        )
        yield from group(
            line.style,
            [
                f'<path class="whisker" d="{whisker}"/>',
                track(f"m{line.style}", places, _word(line, drawing)),
                *(ring(*place) for place, bad in zip(places, line.perturbed, strict=True) if bad),
            ],
        )


def _word(line: Line, drawing: Drawing) -> list[str]:
    """What is to be read of every point, with the name of a line that has no key."""
    keyed = {"", *(name for name, _ in drawing.keys)}
    head = "" if line.name in keyed else f"{line.name}, "
    values = zip(line.x, word_values(line, drawing.unit), strict=True)
    return [f"{head}{format_coordinate(drawing.figure.x, x)}: {text}" for x, text in values]


def track(css: str, places: Sequence[tuple[float, float]], texts: Sequence[str]) -> str:
    """A line through points, with what is to be read of each.

    Args:
        places: of its points [px].
        texts: of each point; none if there is nothing to be read.
    """
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    joined = escape("|".join(text.replace("|", "¦") for text in texts))
    said = f' data-t="{joined}"' if joined else ""
    return f'<polyline class="{f"curve {css}".strip()}" points="{points}"{said}/>'


def ring(x: float, y: float) -> str:
    """The mark of a perturbed point at this position [px]."""
    return f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
