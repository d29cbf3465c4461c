"""Plateaus of curves over the working set: a broad stroke under the part that stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.node_roofline.shares import LevelPlateau
from heorot.model.analysis.result import Result
from heorot.model.point import Scalar
from heorot.report.figures.drawing import Drawing, Line, Panel
from heorot.report.wording import format_size
from heorot.units import format_quantity

_SIZE = "working_set_bytes"


class Stroke(NamedTuple):
    """A plateau with the value at its first point, and the coordinates of its ends."""

    plateau: LevelPlateau
    first: float
    begin: Scalar
    end: Scalar


def mark_plateaus(drawing: Drawing, rows: Sequence[Result], depth: NodeRoofline | None) -> Drawing:
    """The drawing with a broad stroke under every plateau of its curves."""
    x = drawing.figure.x
    sized = [
        row for row in rows if _SIZE in row.point and not isinstance(row.point.get(x, ""), str)
    ]
    if depth is None or not sized:
        return drawing
    found = []
    for plateau in depth.level_plateaus:
        if plateau.metric == drawing.figure.metric:
            of = {row.point[_SIZE]: row for row in sized if _is_of(plateau, row)}
            first, last = of.get(plateau.low_bytes), of.get(plateau.high_bytes)
            if first is not None and last is not None:
                found.append(Stroke(plateau, first.median, first.point[x], last.point[x]))
    return replace(
        drawing, panels=tuple(_marked(panel, found, drawing.unit) for panel in drawing.panels)
    )


def _is_of(plateau: LevelPlateau, row: Result) -> bool:
    same = (row.benchmark, row.case, row.stack, row.region) == (
        plateau.benchmark,
        plateau.case,
        plateau.stack,
        plateau.region,
    )
    return same and plateau.point.items() <= row.point.items()


def _marked(panel: Panel, found: Sequence[Stroke], unit: str) -> Panel:
    """The panel with the plateaus of its lines: those that begin at a point of them."""
    strokes = [
        _line(line, stroke, unit)
        for line in panel.lines
        for stroke in found
        if (stroke.begin, stroke.first) in zip(line.x, line.y, strict=True)
    ]
    return replace(panel, lines=(*strokes, *panel.lines))


def _line(line: Line, stroke: Stroke, unit: str) -> Line:
    plateau = stroke.plateau
    values = (plateau.value, plateau.value)
    ends = f"{format_size(plateau.low_bytes)} to {format_size(plateau.high_bytes)}"
    text = f"{plateau.level}, {ends}: {format_quantity(plateau.value, unit)}"
    return Line(
        name=line.name,
        style=line.style,
        x=(stroke.begin, stroke.end),
        y=values,
        low=values,
        high=values,
        bounds=(),
        perturbed=(),
        texts=(text, text),
        shape="wide",
    )
