"""Curves over a coordinate, in panels side by side: for the browser and for paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import Axis, common_ceiling, coordinate_axis, value_axis
from heorot.report.figures.captions import read_values
from heorot.report.figures.curves.plateaus import mark_plateaus, plateau_path, plateau_trace
from heorot.report.figures.dimensions import arrange, dimension, n_values, resolve
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Material, Picture
from heorot.report.figures.plotly import (
    choose_n_ticks,
    describe_axis,
    describe_figure,
    escape_text,
    shorten,
    whiskers,
    word_values,
)
from heorot.report.figures.rows import compose, select
from heorot.report.figures.svg import WIDTH, Box, fit_text, write_text
from heorot.report.figures.text import text_width, widest
from heorot.report.wording import format_coordinate

MARKERS = {
    "circle": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "square": "M-2.7 -2.7h5.4v5.4h-5.4z",
    "diamond": "M0 -3.8L3.4 0L0 3.8L-3.4 0z",
    "triangle-up": "M0 -3.6L3.4 2.6H-3.4z",
    "cross": "M-1.2 -3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z",
    "triangle-down": "M0 3.6L3.4 -2.6H-3.4z",
    "star": "M0 -4L1.2 -1.3L4 -1.2L1.8 .6L2.6 3.4L0 1.8L-2.6 3.4L-1.8 .6L-4 -1.2L-1.2 -1.3z",
    "x": "M-3 -2L-2 -3L0 -1L2 -3L3 -2L1 0L3 2L2 3L0 1L-2 3L-3 2L-1 0z",
}
"""Plotly's names of the markers in the order of the styles, and their SVG paths."""

SYMBOLS = tuple(MARKERS)
DASHES = ("solid", "solid", "solid", "solid", "dash", "dash", "dot", "dot")
_MOST_COLUMNS = 4
_GAP = 12.0


def draw_lines(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts rows into curves; None if there are none.

    Args:
        figure: the catalogue's record.
        material: the rows.
        identifier: unique in the page.
    """
    selection = select(figure, material.rows)
    rows, position = selection.shown, dimension(figure.x)
    panels_by = [dimension(name) for name in figure.panels]
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    others = resolve(rows, position, figure.series, within=panels_by)
    arrangement = arrange(rows, position, others, panels_by=panels_by)
    drawing = compose(figure, selection, arrangement, identifier)
    return mark_plateaus(drawing, rows, material.depth)


def read_lines(drawing: Drawing) -> str:
    """Says what the marks of curves mean."""
    text = read_values(drawing, "Dotted line" if common_ceiling(drawing) is not None else "")
    broad = any(line.shape == "wide" for line in drawing.lines)
    return f"{text} Broad strokes: plateaus." if broad else text


def plotly_lines(drawing: Drawing) -> dict[str, Any]:
    """The curves for the browser."""
    x_axis = coordinate_axis(drawing, choose_n_ticks(drawing, 10))
    ceiling = common_ceiling(drawing)
    traces = [
        _trace(line, i, x_axis, drawing)
        for i, panel in enumerate(drawing.panels)
        for line in panel.lines
    ]
    return describe_figure(
        drawing,
        traces,
        x=describe_axis(x_axis),
        y=describe_axis(_y_axis(drawing, choose_n_ticks(drawing, 7))),
        ceiling=ceiling,
    )


def svg_lines(drawing: Drawing) -> Picture:
    """The curves for paper."""
    n_panels = len(drawing.panels)
    columns = min(n_panels, _MOST_COLUMNS)
    x_axis = coordinate_axis(drawing, 10 if columns == 1 else 12 // columns)
    y_axis = _y_axis(drawing, 7 if columns == 1 else 4)
    left = 14 + widest(text for _, text in y_axis.ticks)
    titled = any(panel.title for panel in drawing.panels)
    top, bottom = 22.0 if titled else 8.0, 40.0
    width = (WIDTH - left - 8 - _GAP * (columns - 1)) / columns
    height = {1: 250.0, 2: 200.0, 3: 160.0}.get(columns, 104.0)
    rows = math.ceil(n_panels / columns)
    ceiling = common_ceiling(drawing)
    parts = []
    for i, panel in enumerate(drawing.panels):
        column, row = i % columns, i // columns
        box = (left + column * (width + _GAP), top + row * (height + top + 14), width, height)
        last_row = i + columns >= n_panels
        parts += frame_panel(box, x_axis, y_axis, with_x=last_row, with_y=column == 0)
        parts += _panel(panel, box, x_axis, y_axis, ceiling)
    total = top + rows * (height + top + 14) - top - 14 + bottom
    parts.append(write_text(WIDTH - 8, total - 6, drawing.figure.x_label, "end", "axis-title"))
    return parts, total


def _y_axis(drawing: Drawing, n_ticks: int) -> Axis:
    ceiling = common_ceiling(drawing)
    return value_axis(drawing, n_ticks, () if ceiling is None else (ceiling,))


def _trace(line: Line, panel: int, axis: Axis, drawing: Drawing) -> dict[str, Any]:
    x_name = drawing.figure.x
    if line.shape == "wide":
        return plateau_trace(line, panel)
    symbol = SYMBOLS[line.style]
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": escape_text(line.name),
        "x": [axis.number(x) for x in line.x],
        "y": [shorten(y) for y in line.y],
        "error_y": whiskers(line),
        "text": [
            escape_text(f"{format_coordinate(x_name, x)}: {text}")
            for x, text in zip(line.x, word_values(line, drawing.unit), strict=True)
        ],
        "line": {"dash": DASHES[line.style]},
        "marker": {"symbol": symbol},
        "meta": {"style": line.style, "panel": panel},
    }
    if any(line.disturbed):
        trace["marker"]["symbol"] = [symbol + "-open" * bad for bad in line.disturbed]
    return trace


def frame_panel(
    box: Box, x_axis: Axis, y_axis: Axis, *, with_x: bool = True, with_y: bool = True
) -> list[str]:
    """The grid of a panel with its ticks.

    Args:
        box: where it is.
        x_axis: the horizontal axis.
        y_axis: the upright one.
        with_x: whether the ticks below it are written.
        with_y: whether those beside it are.
    """
    left, top, width, height = box
    bottom = top + height
    parts, grid = [], []
    for value, text in x_axis.ticks:
        x = left + width * x_axis.place(value)
        grid.append(f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        if with_x:
            room = width / len(x_axis.ticks) if x_axis.kind == "category" else width
            half = 0.5 * min(room, text_width(text))
            middle = min(max(x, half), WIDTH - half)
            parts.append(fit_text(middle, bottom + 15, text, "middle", "tick", room))
    for value, text in y_axis.ticks:
        y = bottom - height * y_axis.place(value)
        grid.append(f"M{left:.1f} {y:.1f}h{width:.1f}")
        if with_y:
            parts.append(write_text(left - 6, y + 4, text, "end"))
    base = f'<path class="base" d="M{left:.1f} {bottom:.1f}h{width:.1f}"/>'
    return [f'<path class="grid" d="{"".join(grid)}"/>', base, *parts]


def _panel(panel: Panel, box: Box, x_axis: Axis, y_axis: Axis, ceiling: float | None) -> list[str]:
    left, top, width, height = box
    parts = []
    if panel.title:
        room = width + _GAP
        parts.append(fit_text(left, top - 6, panel.title, "start", "panel-title", room))
    if ceiling is not None:
        y = top + height * (1 - y_axis.place(ceiling))
        parts.append(f'<path class="ceiling" d="M{left:.1f} {y:.1f}h{width:.1f}"/>')
    for line in panel.lines:
        if line.shape == "wide":
            first, last = (left + width * x_axis.place(float(x)) for x in line.x)
            y = top + height * (1 - y_axis.place(line.y[0]))
            parts.append(plateau_path(line, first, last, y))
            continue
        places = [
            (
                left + width * x_axis.place(x_axis.number(x)),
                *(top + height * (1 - y_axis.place(value)) for value in (y, low, high)),
            )
            for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True)
        ]
        whisker = "".join(f"M{x:.1f} {low:.1f}V{high:.1f}" for x, _, low, high in places)
        track = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
        parts.append(f'<path class="whisker s{line.style}" d="{whisker}"/>')
        parts.append(f'<polyline class="curve s{line.style} m{line.style}" points="{track}"/>')
        parts += _rings([place[:2] for place in places], line)
    return parts


def _rings(places: Sequence[tuple[float, ...]], line: Line) -> list[str]:
    """Circles around disturbed points."""
    return [
        f'<circle class="ring s{line.style}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
        for (x, y), bad in zip(places, line.disturbed, strict=True)
        if bad
    ]
