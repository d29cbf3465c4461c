"""Draws and shows any figure of the catalogue, as its kind says."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.kinds import KINDS
from heorot.report.figures.svg import WIDTH


def draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    """Sorts the material into panels and lines; None if nothing can be drawn.

    Args:
        figure: the catalogue's record.
        material: of the programs that the figure is about.
        identifier: unique in the page.
    """
    return KINDS[figure.kind].draw(figure, material, identifier)


def kind_of(drawing: Drawing) -> Kind:
    """The kind of the figure that is drawn."""
    return KINDS[drawing.figure.kind]


def plotly_figure(drawing: Drawing) -> dict[str, Any]:
    """The drawing as the page's script expects it.

    Args:
        drawing: what is shown.

    Raises:
        ValueError: it has a picture only.
    """
    plotly = kind_of(drawing).plotly
    if plotly is None:
        raise ValueError(f"a {drawing.figure.kind} has a picture only")
    return plotly(drawing)


def static_figure(drawing: Drawing) -> Markup:
    """The drawing as SVG: for paper, and for readers without JavaScript.

    Args:
        drawing: what is shown; colours come from the style sheet of the page.
    """
    parts, height = kind_of(drawing).svg(drawing)
    caption = escape(f"fig-{drawing.id}-summary")
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{caption}">'
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 (every text in it is escaped)
