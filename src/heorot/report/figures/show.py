"""Draws and shows any figure of the catalogue by its kind."""

from __future__ import annotations

from markupsafe import Markup, escape

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.kinds import KINDS
from heorot.report.figures.svg.parts import WIDTH
from heorot.report.figures.svg.roofline import SMALL_WIDTH, small_roofline


def draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts the material into panels and lines; None if nothing can be drawn."""
    return KINDS[figure.kind].draw(figure, material, identifier)


def kind_of(drawing: Drawing) -> Kind:
    """The kind of the figure that is drawn."""
    return KINDS[drawing.figure.kind]


def write_picture(drawing: Drawing) -> Markup:
    """The drawing as SVG, complete on paper and without scripts."""
    parts, height, *axes = kind_of(drawing).svg(drawing)
    titles = "".join(
        f' data-{name}="{escape(axis.encoded())}"'
        for name, axis in zip("xy", axes, strict=True)
        if axis
    )
    caption = escape(f"fig-{drawing.id}-summary")
    head = (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{caption}"{titles}>'
    )
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 (every text in it is escaped)


def write_small(drawing: Drawing) -> Markup:
    """A roofline in the room of a few tiles, as SVG."""
    parts, height, *_ = small_roofline(drawing)
    titles = f'role="img" aria-label="{escape(drawing.summary)}"'
    head = f'<svg viewBox="0 0 {SMALL_WIDTH:.0f} {height:.0f}" {titles}>'
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 (every text in it is escaped)
