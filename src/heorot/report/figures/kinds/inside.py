"""A metric over a coordinate inside a node: as many cores of several nodes are another matter."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.curves.lines import draw_lines, read_lines
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.curves import svg_curves


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    inside = Material(rows=[row for row in material.rows if row.nodes == 1])
    return draw_lines(figure, inside, identifier)


INSIDE = Kind(
    name="inside",
    draw=_draw,
    read=read_lines,
    svg=svg_curves,
    keys="lines",
)
