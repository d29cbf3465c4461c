"""A bar for each region, layout or program, with its ceiling; colours tell more rows apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import Axis, near_ceilings, value_axis
from heorot.report.figures.captions import read_values
from heorot.report.figures.dimensions import Dimension, arrange, dimension, n_values, resolve
from heorot.report.figures.drawing import MAXIMUM_BARS, Drawing, Line
from heorot.report.figures.kind import Kind, Material, Picture
from heorot.report.figures.plotly import (
    BAR_SPACE,
    choose_n_ticks,
    describe_axis,
    describe_bar_axis,
    describe_figure,
    escape_text,
    shorten,
    whiskers,
    word_values,
)
from heorot.report.figures.rows import compose, select
from heorot.report.figures.svg import (
    WIDTH,
    Box,
    bar_columns,
    bar_frame,
    count_ticks,
    fit_text,
    write_text,
)
from heorot.report.wording import format_tick
from heorot.units import format_quantity

_GAP = 0.9
"""The part of its place that a bar fills."""


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    selection = select(figure, material.rows)
    rows = selection.shown
    region, program = dimension("region"), dimension("program")
    if program.name in figure.series and n_values(program, rows) > 1:
        position = program
        others = resolve(rows, position, figure.series, within=[program])
    else:
        position = region
        others = resolve(rows, position, figure.series)
        if n_values(region, rows) == 1 and others:
            position, *others = others
    if n_values(position, rows) < max(1, figure.least_values):
        return None
    rows = _first(rows, position)
    selection = replace(selection, n_beyond=len(selection.shown) - len(rows))
    return compose(figure, selection, arrange(rows, position, others), identifier)


def _first(rows: Sequence[Result], position: Dimension) -> list[Result]:
    """The rows of as many places as there is room for bars, at least of one."""
    tally = Counter(map(position.value, rows))
    totals = dict(zip(tally, accumulate(tally.values()), strict=True))
    kept = {place for place, total in totals.items() if total <= MAXIMUM_BARS} or {*[*tally][:1]}
    return [row for row in rows if position.value(row) in kept]


def _read(drawing: Drawing) -> str:
    return read_values(drawing, "Upright stroke" if near_ceilings(drawing) else "")


def _axis(drawing: Drawing, n_ticks: int) -> Axis:
    return value_axis(drawing, n_ticks, near_ceilings(drawing))


def _places(line: Line, drawing: Drawing) -> list[float]:
    """The heights of the middles of a line's bars, counted in categories from the top."""
    offset = ((line.style + 0.5) / _n_side_by_side(drawing) - 0.5) * BAR_SPACE
    heights = {name: i for i, name in enumerate(drawing.bars)}
    return [heights[str(name)] + offset for name in line.x]


def _n_side_by_side(drawing: Drawing) -> int:
    return max(1, len(drawing.keys))


def _plotly(drawing: Drawing) -> dict[str, Any]:
    traces = [
        trace
        for i, panel in enumerate(drawing.panels)
        for line in panel.lines
        for trace in _traces(line, i, drawing)
    ]
    return describe_figure(
        drawing,
        traces,
        x=describe_axis(_axis(drawing, choose_n_ticks(drawing, 7))),
        y=describe_bar_axis(drawing),
        n_bars=len(drawing.bars) * _n_side_by_side(drawing),
    )


def _traces(line: Line, panel: int, drawing: Drawing) -> list[dict[str, Any]]:
    places = [shorten(place) for place in _places(line, drawing)]
    meta = {"style": line.style, "panel": panel}
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": escape_text(line.name),
            "x": [shorten(y) for y in line.y],
            "y": places,
            "width": shorten(BAR_SPACE / _n_side_by_side(drawing) * _GAP),
            "error_x": whiskers(line),
            "hovertext": [
                escape_text(f"{x}: {text}")
                for x, text in zip(line.x, word_values(line, drawing.unit), strict=True)
            ],
            "meta": meta
            | {
                "labels": [format_quantity(y, drawing.unit) for y in line.y],
                "disturbed": list(line.disturbed),
            },
        }
    ]
    known = [(c, p) for c, p in zip(line.ceilings, places, strict=True) if c is not None]
    if known:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "ceiling",
                "x": [shorten(c) for c, _ in known],
                "y": [p for _, p in known],
                "text": [f"ceiling {format_tick(c, drawing.unit)}" for c, _ in known],
                "marker": {"symbol": "line-ns-open", "size": 18},
                "meta": meta | {"ceiling": True},
            }
        )
    return traces


def _svg(drawing: Drawing) -> Picture:
    names = drawing.bars
    pitch = max(22.0, 15.0 * _n_side_by_side(drawing) / BAR_SPACE)
    values = [format_quantity(y, drawing.unit) for line in drawing.lines for y in line.y]
    left, width = bar_columns(names, values)
    axis = _axis(drawing, count_ticks(width))
    parts, top = [], 8.0
    for panel in drawing.panels:
        top += 16 if panel.title else 0
        box = (left, top, width, pitch * len(names))
        parts += bar_frame(box, axis, names, pitch)
        if panel.title:
            title, room = panel.title, WIDTH - left
            parts.append(fit_text(left, top - 5, title, "start", "panel-title", room))
        for line in panel.lines:
            parts += _bars(line, box, axis, drawing)
        top += box[3] + 30
    return parts, top


def _bars(line: Line, box: Box, axis: Axis, drawing: Drawing) -> list[str]:
    left, top, width, height = box
    pitch = height / len(drawing.bars)
    thick = pitch * BAR_SPACE / _n_side_by_side(drawing) * _GAP
    zero = left + (width * axis.place(0.0) if axis.kind == "linear" else 0.0)
    parts = []
    for i, place in enumerate(_places(line, drawing)):
        middle = top + pitch * (place + 0.5)
        end, low, high = (
            left + width * axis.place(value) for value in (line.y[i], line.low[i], line.high[i])
        )
        upper = middle - thick / 2
        hollow = " hollow" if line.disturbed[i] else ""
        parts.append(
            f'<rect class="bar s{line.style}{hollow}" x="{min(zero, end):.1f}" y="{upper:.1f}" '
            f'width="{abs(end - zero):.1f}" height="{thick:.1f}"/>'
            f'<path class="bar-whisker" d="M{low:.1f} {middle:.1f}H{high:.1f}'
            f'M{low:.1f} {middle - 3:.1f}v6M{high:.1f} {middle - 3:.1f}v6"/>'
        )
        limit = line.ceilings[i]
        if limit is not None and axis.place(limit) <= 1:
            x = left + width * axis.place(limit)
            parts.append(f'<path class="limit" d="M{x:.1f} {upper - 1:.1f}v{thick + 2:.1f}"/>')
        label = format_quantity(line.y[i], drawing.unit)
        parts.append(write_text(left + width + 8, middle + 4, label, "start", "bar-value"))
    return parts


BARS = Kind(name="bars", draw=_draw, read=_read, plotly=_plotly, svg=_svg, keys="bars")
