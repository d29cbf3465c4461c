"""Bars lying one above the other: side by side, stacked to a whole, or as bands of many values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heorot.report.figures.axis import Axis, near_ceilings, share_axis, value_axis
from heorot.report.figures.captions import word_values
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.figures.kind import Picture
from heorot.report.figures.svg.parts import (
    WIDTH,
    Box,
    bar_axis,
    bar_columns,
    bar_names,
    count_ticks,
    fit_text,
    group,
    panel,
    rectangle,
    tooltip,
    write_text,
)
from heorot.units import format_quantity

_SPACE = 0.78
"""The part of a category that its bars fill."""

_GAP = 0.9
"""The part of its place that a bar fills."""

_BAND_PITCH = 15.0
_LEAST, _MOST = 0.5, 1.3
_STEP = 0.1


def svg_bars(drawing: Drawing) -> Picture:
    """Bars, each with its interval, bound and value; bars of one name are grouped."""
    names, n_beside = drawing.bars, max(1, len(drawing.keys))
    pitch = max(22.0, 15.0 * n_beside / _SPACE)
    values = [format_quantity(y, drawing.unit) for line in drawing.lines for y in line.y]
    left, width = bar_columns(names, values)
    axis = value_axis(drawing, count_ticks(width), near_ceilings(drawing))
    parts, top = [], 8.0
    for each in drawing.panels:
        top += 16 if each.title else 0
        box = (left, top, width, pitch * len(names))
        beside, marks = bar_names(box, names, pitch), []
        if each.title:
            beside.append(fit_text(left, top - 5, each.title, "start", "panel-title", WIDTH - left))
        for line in each.lines:
            offset = ((line.style + 0.5) / n_beside - 0.5) * _SPACE
            middles = [top + pitch * (names.index(str(x)) + offset + 0.5) for x in line.x]
            thick = pitch * _SPACE / n_beside * _GAP
            marks += group(line.style, _bars(line, axis, box, middles, thick, drawing.unit))
            behind = [
                write_text(left + width + 8, middle + 4, text, "start", "bar-value")
                for middle, text in zip(
                    middles, (format_quantity(y, drawing.unit) for y in line.y), strict=True
                )
            ]
            beside += group(line.style, behind)
        parts += panel(box, axes=bar_axis(box, axis), marks=marks, beside=beside)
        top += box[3] + 30
    return Picture(parts, top, axis)


def _bars(
    line: Line, axis: Axis, box: Box, middles: Sequence[float], thick: float, unit: str
) -> list[str]:
    left, _, width, _ = box
    zero = left + (width * axis.place(0.0) if axis.kind == "linear" else 0.0)
    parts = []
    for i, text in enumerate(word_values(line, unit)):
        end, low, high = (
            left + width * axis.place(value) for value in (line.y[i], line.low[i], line.high[i])
        )
        middle, upper = middles[i], middles[i] - thick / 2
        hollow = "bar hollow" if line.perturbed[i] else "bar"
        said = tooltip(", ".join(filter(None, (line.name, f"{line.x[i]}: {text}"))))
        parts.append(
            rectangle(hollow, (min(zero, end), upper, abs(end - zero), thick), said)
            + f'<path class="bar-whisker" d="M{low:.1f} {middle:.1f}H{high:.1f}'
            f'M{low:.1f} {middle - 3:.1f}v6M{high:.1f} {middle - 3:.1f}v6"/>'
        )
        limit = line.bounds[i]
        if limit is not None and axis.place(limit) <= 1:
            x = left + width * axis.place(limit)
            said = tooltip(f"{line.x[i]}: bound {format_quantity(limit, unit)}")
            stroke = f'd="M{x:.1f} {upper - 1:.1f}v{thick + 2:.1f}"'
            parts.append(f'<path class="limit" {stroke}>{said}</path>')
    return parts


def svg_stacks(drawing: Drawing) -> Picture:
    """Bars of the parts of a whole; patterns lie over the colours, for paper without any.

    Args:
        drawing: what is shown; each line has a part of every bar.
    """
    names = drawing.bars
    pitch, top = 22.0, 8.0
    left, width = bar_columns(names, drawing.ends)
    axis = share_axis(count_ticks(width))
    box = (left, top, width, pitch * len(names))
    beside, marks = bar_names(box, names, pitch), []
    for i, end in enumerate(drawing.ends):
        middle = top + pitch * (i + 0.5)
        stack = _stack(drawing.lines, i, (left, middle - 0.36 * pitch, width, 0.72 * pitch))
        marks += ['<g class="stack">', *stack, "</g>"]
        beside.append(write_text(left + width + 8, middle + 4, end, "start", "bar-value"))
    parts = panel(box, axes=bar_axis(box, axis), marks=marks, beside=beside)
    return Picture(parts, top + pitch * len(names) + 30, axis)


def _stack(lines: Sequence[Line], bar: int, box: Box) -> list[str]:
    """The segments of one bar."""
    left, top, width, height = box
    parts, done = [], 0.0
    for line in lines:
        place = (left + width * done, top, width * line.y[bar], height)
        hollow = " hollow" if line.perturbed[bar] else ""
        disturbed = ", perturbed" if line.perturbed[bar] else ""
        said = tooltip(f"{line.name}, {line.x[bar]}: {line.texts[bar]}{disturbed}")
        pattern = [rectangle(f"pattern {line.pattern}", place)] if line.pattern else []
        parts += group(line.style, [rectangle(f"bar segment{hollow}", place, said), *pattern])
        done += line.y[bar]
    return parts


def svg_bands(drawing: Drawing) -> Picture:
    """A thin and a thick band for each line, its median, and a ring for each value that is named.

    Args:
        drawing: what is shown; the first four values of a line are the ends of its bands, from
            the left. The axis goes as far as keeps bands visible, and what is beyond lies at its
            ends.
    """
    values = [value for line in drawing.lines for value in line.y]
    low = max(_LEAST, _STEP * np.floor(min(0.9, *values) / _STEP))
    high = min(_MOST, _STEP * np.ceil(max(1.1, *values) / _STEP))
    n_ticks = round((high - low) / _STEP) + 1
    ticks = [round(float(low) + _STEP * i, 3) for i in range(n_ticks)]
    axis = Axis("linear", float(low), float(high), tuple((x, f"{100 * x:.0f} %") for x in ticks))
    left, width = bar_columns(drawing.bars, ["    "])
    parts: list[str] = []
    top = 4.0
    for each in drawing.panels:
        title = write_text(0, top + 12, each.title, "start", "panel-title")
        top += 20.0
        names = [line.name for line in each.lines]
        box = (left, top, width, _BAND_PITCH * len(names))
        marks = [
            mark
            for i, line in enumerate(each.lines)
            for mark in _band(line, axis, left, width, top + _BAND_PITCH * (i + 0.5))
        ]
        beside = [title, *bar_names(box, names, _BAND_PITCH)]
        parts += panel(box, axes=bar_axis(box, axis), marks=marks, beside=beside)
        top += box[3] + 34.0
    return Picture(parts, top, axis)


def _band(line: Line, axis: Axis, left: float, width: float, middle: float) -> list[str]:
    places = [left + width * min(1.0, max(0.0, axis.place(value))) for value in line.y]
    far_low, low, high, far_high = places[:4]
    one = left + width * axis.place(1.0)
    thick = (low, middle - 3.5, max(1.0, high - low), 7.0)
    percents = [format_quantity(value, "%") for value in line.y]
    first, second, third, fourth = percents[:4]
    said = f"{line.name}: half in {second} to {third}, 98 % in {first} to {fourth}"
    parts = [
        f'<path class="whisker" d="M{far_low:.1f} {middle:.1f}H{far_high:.1f}"/>',
        rectangle("bar", thick, tooltip(said)),
    ]
    limit = f'<path class="limit" d="M{one:.1f} {middle - 5:.1f}v10"/>'
    rings = [
        f'<circle class="ring" cx="{x:.1f}" cy="{middle:.1f}" r="3">'
        f"{tooltip(f'{name}: {percent}')}</circle>"
        for x, percent, name in zip(places[4:], percents[4:], line.texts[4:], strict=True)
    ]
    return [*group(0, parts), limit, *group(1, rings)]
