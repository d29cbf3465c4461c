"""Rows as curves over a coordinate, in panels, and what their marks mean."""

from __future__ import annotations

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import common_ceiling
from heorot.report.figures.captions import read_values
from heorot.report.figures.curves.plateaus import mark_plateaus
from heorot.report.figures.dimensions import arrange, dimension, n_values, resolve
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.rows import compose, select


def draw_lines(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts rows into curves; None if there are none."""
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
