"""Small multiples: a panel for each program, with a metric over a coordinate on equal axes."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.curves.lines import draw_lines, read_lines
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.svg.curves import svg_curves


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    by_program = figure.model_copy(update={"panels": ("program",)})
    return draw_lines(by_program, material, identifier)


MULTIPLES = Kind(
    name="multiples",
    draw=_draw,
    read=read_lines,
    svg=svg_curves,
    keys="lines",
)
