"""Bands of the speeds of very many nodes: a bar for each program, dots for the nodes named slow."""

from __future__ import annotations

import numpy as np

from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.kinds.maps.node_map import (
    column_of,
    name_columns,
    shown_columns,
    slow_columns,
)
from heorot.report.figures.svg.bars import svg_bands
from heorot.report.wording import count
from heorot.units import format_quantity

QUANTILES = (0.01, 0.25, 0.75, 0.99)
"""The ends of the thin and of the thick band."""


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    analysis = material.nodes
    if analysis is None:
        return None
    columns = shown_columns(analysis)
    names = name_columns([analysis.columns[j] for j in columns])
    panels = []
    for number, kind in enumerate(analysis.kinds):
        lines = [
            line
            for j, name in zip(columns, names, strict=True)
            if (line := _band(analysis, number, j, name))
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
        summary=_summarise(analysis, panels),
    )


def _band(analysis: NodeStudy, kind: int, column: int, name: str) -> Line | None:
    """The band of one column: quantiles, and behind them the speeds of the nodes named slow."""
    members = [line for line in analysis.lines if line.kind == kind]
    known = np.array([each for line in members if (each := line.speeds[column]) is not None])
    if not known.size:
        return None
    where = column_of(analysis.columns[column])
    slow = {one.name for one in analysis.slow if where in slow_columns([one])}
    named = [line for line in members if line.name in slow and line.speeds[column] is not None]
    values = [
        *np.quantile(known, QUANTILES).tolist(),
        *(line.speeds[column] or 0.0 for line in named),
    ]
    y = tuple(float(value) for value in values)
    return Line.exact(
        name,
        (name,) * len(y),
        y,
        texts=(*("",) * len(QUANTILES), *(line.name for line in named)),
        marked=(*(False,) * len(QUANTILES), *(True,) * len(named)),
    )


def _summarise(analysis: NodeStudy, panels: list[Panel]) -> str:
    """The caption of the bands."""
    lines = [line for panel in panels for line in panel.lines]
    widest = max(lines, key=lambda line: line.y[3] - line.y[0])
    return (
        f"Speeds of {count(len(analysis.lines), 'node')} relative to the median of nodes of equal "
        f"hardware, {count(len(lines), 'band')}. Widest: {widest.name}, in which 98 % of the nodes "
        f"lie between {format_quantity(widest.y[0], '%')} and {format_quantity(widest.y[3], '%')}."
    )


def _read(drawing: Drawing) -> str:
    text = "Thick: the middle half of the nodes; thin: the middle 98 %; upright: median."
    if any(any(line.marked) for line in drawing.lines):
        text += " Rings: nodes that are slower beyond chance; at the left end also what is below."
    return text


NODE_BANDS = Kind(name="node_bands", draw=_draw, read=_read, svg=svg_bands, keys="parts")
