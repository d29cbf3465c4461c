"""Bands of the speeds of very many nodes: a bar for each program, dots for the nodes named slow."""

from __future__ import annotations

import numpy as np
from markupsafe import escape

from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import Axis
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material, Picture
from heorot.report.figures.kinds.maps.node_map import (
    column_of,
    name_columns,
    shown_columns,
    slow_columns,
)
from heorot.report.figures.svg import bar_columns, bar_frame, write_text
from heorot.report.wording import count
from heorot.units import format_quantity

QUANTILES = (0.01, 0.25, 0.75, 0.99)
"""The ends of the thin and of the thick band."""

_PITCH = 15.0
_LEAST, _MOST = 0.5, 1.3
_STEP = 0.1


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    study = material.nodes
    if study is None:
        return None
    columns = shown_columns(study)
    names = name_columns([study.columns[j] for j in columns])
    panels = []
    for number, kind in enumerate(study.kinds):
        lines = [
            line
            for j, name in zip(columns, names, strict=True)
            if (line := _band(study, number, j, name))
        ]
        if lines:
            title = f"{kind.name}: " * bool(kind.name) + count(len(kind.nodes), "node")
            panels.append(Panel(title, tuple(lines)))
    if not panels:
        return None
    return Drawing(
        id=identifier,
        figure=figure,
        unit="1",
        panels=tuple(panels),
        keys=(),
        summary=_summarise(study, panels),
        omitted="",
    )


def _band(study: NodeStudy, kind: int, column: int, name: str) -> Line | None:
    """The band of one column: quantiles, and behind them the speeds of the nodes named slow."""
    members = [line for line in study.lines if line.kind == kind]
    known = np.array([each for line in members if (each := line.speeds[column]) is not None])
    if not known.size:
        return None
    where = column_of(study.columns[column])
    slow = {one.name for one in study.slow if where in slow_columns([one])}
    named = [line for line in members if line.name in slow and line.speeds[column] is not None]
    values = [
        *np.quantile(known, QUANTILES).tolist(),
        *(line.speeds[column] or 0.0 for line in named),
    ]
    y = tuple(float(value) for value in values)
    return Line(
        name=name,
        style=0,
        x=(name,) * len(y),
        y=y,
        low=y,
        high=y,
        ceilings=(None,) * len(y),
        disturbed=(False,) * len(y),
        texts=(*("",) * len(QUANTILES), *(line.name for line in named)),
        marked=(*(False,) * len(QUANTILES), *(True,) * len(named)),
    )


def _summarise(study: NodeStudy, panels: list[Panel]) -> str:
    """Says in words what the bands show."""
    lines = [line for panel in panels for line in panel.lines]
    widest = max(lines, key=lambda line: line.y[3] - line.y[0])
    return (
        f"Speeds of {count(len(study.lines), 'node')} relative to the median of nodes of equal "
        f"hardware, {count(len(lines), 'band')}. Widest: {widest.name}, in which 98 % of the nodes "
        f"lie between {format_quantity(widest.y[0], '%')} and {format_quantity(widest.y[3], '%')}."
    )


def _read(drawing: Drawing) -> str:
    text = "Thick: the middle half of the nodes; thin: the middle 98 %; upright: median."
    if any(any(line.marked) for line in drawing.lines):
        text += " Rings: nodes that are slower beyond chance; at the left end also what is below."
    return text


def _axis(drawing: Drawing) -> Axis:
    """From the slowest to the fastest that is drawn, within bounds that leave bands visible."""
    values = [value for line in drawing.lines for value in line.y]
    low = max(_LEAST, _STEP * np.floor(min(0.9, *values) / _STEP))
    high = min(_MOST, _STEP * np.ceil(max(1.1, *values) / _STEP))
    n_ticks = round((high - low) / _STEP) + 1
    ticks = [round(float(low) + _STEP * i, 3) for i in range(n_ticks)]
    return Axis("linear", float(low), float(high), tuple((x, f"{100 * x:.0f} %") for x in ticks))


def _svg(drawing: Drawing) -> Picture:
    axis = _axis(drawing)
    left, width = bar_columns(drawing.bars, ["    "])
    parts: list[str] = []
    top = 4.0
    for panel in drawing.panels:
        parts.append(write_text(0, top + 12, panel.title, "start", "panel-title"))
        top += 20.0
        names = [line.name for line in panel.lines]
        box = (left, top, width, _PITCH * len(names))
        parts += bar_frame(box, axis, names, _PITCH)
        for i, line in enumerate(panel.lines):
            parts += _marks(line, axis, left, width, top + _PITCH * (i + 0.5))
        top += box[3] + 34.0
    return parts, top


def _marks(line: Line, axis: Axis, left: float, width: float, middle: float) -> list[str]:
    """Both bands, the median, and a ring for each node that is named."""
    places = [left + width * min(1.0, max(0.0, axis.place(value))) for value in line.y]
    far_low, low, high, far_high = places[:4]
    one = left + width * axis.place(1.0)
    size = f'width="{max(1.0, high - low):.1f}" height="7"'
    parts = [
        f'<path class="whisker s0" d="M{far_low:.1f} {middle:.1f}H{far_high:.1f}"/>',
        f'<rect class="bar s0" x="{low:.1f}" y="{middle - 3.5:.1f}" {size}/>',
        f'<path class="limit" d="M{one:.1f} {middle - 5:.1f}v10"/>',
    ]
    for x, value, name in zip(places[4:], line.y[4:], line.texts[4:], strict=True):
        title = f"<title>{escape(name)}: {format_quantity(value, '%')}</title>"
        parts.append(
            f'<circle class="ring s1" cx="{x:.1f}" cy="{middle:.1f}" r="3">{title}</circle>'
        )
    return parts


NODE_BANDS = Kind(name="node_bands", draw=_draw, read=_read, plotly=None, svg=_svg, keys="parts")
