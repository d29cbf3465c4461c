"""Drawings as static pictures: for paper, and for readers without JavaScript."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from heorot.report.figures.axis import Axis, common_ceiling, coordinate_axis, value_axis
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.plotly import BAR_SPACE, bar_names, bar_place
from heorot.units import format_quantity

WIDTH = 760
_MOST_COLUMNS = 4
_LETTER = 6.4
"""Width of a letter of the small print [px]: enough to leave room for labels."""
_VALUE_LETTER = 7.2
"""Likewise of the bold values behind bars."""


def static_figure(drawing: Drawing) -> Markup:
    """The drawing as SVG; colours come from the style sheet of the page.

    Args:
        drawing: what is shown.
    """
    arrange = {"curve": _curves, "bars": _bar_panels}.get(drawing.figure.kind, _stacks)
    parts, height = arrange(drawing)
    label = escape(drawing.summary)
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{label}">'
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 (every text in it is escaped)


def _curves(drawing: Drawing) -> tuple[list[str], float]:
    n_panels = len(drawing.panels)
    columns = min(n_panels, _MOST_COLUMNS)
    x_axis = coordinate_axis(drawing, 10 if columns == 1 else 12 // columns)
    y_axis = value_axis(drawing, 7 if columns == 1 else 4)
    left = 14 + _LETTER * max((len(text) for _, text in y_axis.ticks), default=0)
    gap, top, bottom = 12.0, 22.0 if n_panels > 1 else 8.0, 40.0
    width = (WIDTH - left - 8 - gap * (columns - 1)) / columns
    height = {1: 250.0, 2: 200.0, 3: 160.0}.get(columns, 104.0)
    rows = math.ceil(n_panels / columns)
    ceiling = common_ceiling(drawing)
    parts = []
    for i, panel in enumerate(drawing.panels):
        column, row = i % columns, i // columns
        box = (left + column * (width + gap), top + row * (height + top + 14), width, height)
        last_row = i + columns >= n_panels
        parts += _frame(box, x_axis, y_axis, with_x=last_row, with_y=column == 0)
        parts += _panel(panel, box, x_axis, y_axis, ceiling)
    total = top + rows * (height + top + 14) - top - 14 + bottom
    title = escape(drawing.figure.x_label)
    parts.append(_text(WIDTH - 8, total - 6, str(title), "end", "axis-title"))
    return parts, total


_Box = tuple[float, float, float, float]


def _frame(box: _Box, x_axis: Axis, y_axis: Axis, *, with_x: bool, with_y: bool) -> list[str]:
    left, top, width, height = box
    bottom = top + height
    parts, grid = [], []
    for value, text in x_axis.ticks:
        x = left + width * x_axis.place(value)
        grid.append(f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        if with_x:
            parts.append(_text(x, bottom + 15, text, "middle"))
    for value, text in y_axis.ticks:
        y = bottom - height * y_axis.place(value)
        grid.append(f"M{left:.1f} {y:.1f}h{width:.1f}")
        if with_y:
            parts.append(_text(left - 6, y + 4, text, "end"))
    base = f'<path class="base" d="M{left:.1f} {bottom:.1f}h{width:.1f}"/>'
    return [f'<path class="grid" d="{"".join(grid)}"/>', base, *parts]


def _panel(panel: Panel, box: _Box, x_axis: Axis, y_axis: Axis, ceiling: float | None) -> list[str]:
    left, top, width, height = box
    parts = []
    if panel.title:
        parts.append(_text(left, top - 6, panel.title, "start", "panel-title"))
    if ceiling is not None:
        y = top + height * (1 - y_axis.place(ceiling))
        parts.append(f'<path class="ceiling" d="M{left:.1f} {y:.1f}h{width:.1f}"/>')
    for line in panel.lines:
        places = [
            (
                left + width * x_axis.place(x_axis.number(x)),
                *(top + height * (1 - y_axis.place(value)) for value in (y, low, high)),
            )
            for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True)
        ]
        whiskers = "".join(f"M{x:.1f} {low:.1f}V{high:.1f}" for x, _, low, high in places)
        track = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
        parts.append(f'<path class="whisker s{line.style}" d="{whiskers}"/>')
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


def _bar_panels(drawing: Drawing) -> tuple[list[str], float]:
    names = bar_names(drawing)
    axis = value_axis(drawing, 6)
    n_lines = max(1, len(drawing.keys))
    pitch = max(22.0, 15.0 * n_lines / BAR_SPACE)
    left = 14 + _LETTER * max(len(name) for name in names)
    values = [
        _value(y, drawing) for panel in drawing.panels for line in panel.lines for y in line.y
    ]
    width = WIDTH - left - _room(values)
    parts, top = [], 8.0
    for panel in drawing.panels:
        top += 16 if panel.title else 0
        box = (left, top, width, pitch * len(names))
        parts += _bar_frame(box, axis, names, pitch)
        if panel.title:
            parts.append(_text(left, top - 5, panel.title, "start", "panel-title"))
        for line in panel.lines:
            thick = pitch * BAR_SPACE / n_lines * 0.9
            parts += _bars(line, box, axis, thick, drawing)
        top += box[3] + 30
    return parts, top


def _bar_frame(box: _Box, axis: Axis, names: Sequence[str], pitch: float) -> list[str]:
    left, top, width, height = box
    parts, grid = [], []
    for value, text in axis.ticks:
        x = left + width * axis.place(value)
        grid.append(f"M{x:.1f} {top:.1f}V{top + height:.1f}")
        parts.append(_text(x, top + height + 15, text, "middle"))
    for i, name in enumerate(names):
        parts.append(_text(left - 8, top + pitch * (i + 0.5) + 4, name, "end", "bar-name"))
    return [f'<path class="grid" d="{"".join(grid)}"/>', *parts]


def _bars(line: Line, box: _Box, axis: Axis, thick: float, drawing: Drawing) -> list[str]:
    left, top, width, height = box
    names = bar_names(drawing)
    pitch = height / len(names)
    zero = left + width * axis.place(max(0.0, axis.low) if axis.kind == "linear" else 10**axis.low)
    parts = []
    for i, name in enumerate(line.x):
        middle = top + pitch * (bar_place(drawing, line, str(name), names) + 0.5)
        end, low, high = (
            left + width * axis.place(value) for value in (line.y[i], line.low[i], line.high[i])
        )
        upper = middle - thick / 2
        hollow = " hollow" if line.disturbed[i] else ""
        parts.append(
            f'<rect class="bar s{line.style}{hollow}" x="{zero:.1f}" y="{upper:.1f}" '
            f'width="{max(0.0, end - zero):.1f}" height="{thick:.1f}"/>'
            f'<path class="bar-whisker" d="M{low:.1f} {middle:.1f}H{high:.1f}'
            f'M{low:.1f} {middle - 3:.1f}v6M{high:.1f} {middle - 3:.1f}v6"/>'
        )
        limit = line.ceilings[i]
        if limit is not None and axis.place(limit) <= 1:
            x = left + width * axis.place(limit)
            parts.append(f'<path class="limit" d="M{x:.1f} {upper - 1:.1f}v{thick + 2:.1f}"/>')
        label = _value(line.y[i], drawing)
        parts.append(_text(left + width + 8, middle + 4, label, "start", "bar-value"))
    return parts


def _value(y: float, drawing: Drawing) -> str:
    return format_quantity(y, drawing.unit)


def _room(values: Sequence[str]) -> float:
    """What the values behind the bars need."""
    return 18 + _VALUE_LETTER * max(map(len, values), default=0)


def _stacks(drawing: Drawing) -> tuple[list[str], float]:
    names = bar_names(drawing)
    axis = value_axis(drawing, 6)
    pitch, top = 22.0, 8.0
    left = 14 + _LETTER * max(len(name) for name in names)
    width = WIDTH - left - _room(drawing.ends)
    parts = _bar_frame((left, top, width, pitch * len(names)), axis, names, pitch)
    for i, end in enumerate(drawing.ends):
        middle = top + pitch * (i + 0.5)
        parts += _stack(drawing.lines, i, (left, middle - 0.36 * pitch, width, 0.72 * pitch))
        parts.append(_text(left + width + 8, middle + 4, end, "start", "bar-value"))
    return parts, top + pitch * len(names) + 30


def _stack(lines: Sequence[Line], bar: int, box: _Box) -> list[str]:
    """The segments of one bar; patterns lie over the colours, for paper without any."""
    left, top, width, height = box
    parts, done = [], 0.0
    for line in lines:
        x, length = left + width * done, width * line.y[bar]
        place = f'x="{x:.1f}" y="{top:.1f}" width="{length:.1f}" height="{height:.1f}"'
        hollow = " hollow" if line.disturbed[bar] else ""
        parts.append(f'<rect class="bar segment s{line.style}{hollow}" {place}/>')
        if line.pattern:
            parts.append(f'<rect class="pattern {line.pattern}" {place}/>')
        done += line.y[bar]
    return parts


def _text(x: float, y: float, text: str, anchor: str, css: str = "tick") -> str:
    return (
        f'<text class="{css}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )
