"""Drawings for tests, and static pictures as trees of elements."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, static_figure


def drawn(
    figure: Figure, rows: Iterable[Result] = (), breakdowns: Iterable[Breakdown] = ()
) -> Drawing:
    """The figure of what can be drawn."""
    drawing = draw(figure, Material(list(rows), list(breakdowns)), "f")
    assert drawing is not None
    return drawing


def picture_of(drawing: Drawing) -> ET.Element:
    """The static picture."""
    return ET.fromstring(str(static_figure(drawing)))  # noqa: S314 (our own)


def of_class(picture: ET.Element, name: str) -> list[ET.Element]:
    """The elements of a class."""
    return [each for each in picture.iter() if name in each.attrib.get("class", "").split()]


def visible_text(element: ET.Element) -> str:
    """What is to be read without a pointer over it."""
    return element.text or ""
