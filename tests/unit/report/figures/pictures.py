"""Drawings for tests, and static pictures as trees of elements."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.result import Result
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw, write_picture


def drawn(
    figure: Figure, rows: Iterable[Result] = (), breakdowns: Iterable[Breakdown] = ()
) -> Drawing:
    """The figure of what can be drawn."""
    drawing = draw(figure, Material(list(rows), list(breakdowns)), "f")
    assert drawing is not None
    return drawing


def picture_of(drawing: Drawing) -> ET.Element:
    """The static picture."""
    return ET.fromstring(str(write_picture(drawing)))  # noqa: S314 (our own)


def of_class(picture: ET.Element, name: str) -> list[ET.Element]:
    """The elements of a class."""
    return [each for each in picture.iter() if name in each.attrib.get("class", "").split()]


def tips(picture: ET.Element) -> list[str]:
    """The tips of marks, one text each."""
    marks = [each for each in picture.iter() if each.attrib.get("class") == "marks"]
    lists = [
        each.attrib["data-t"] for mark in marks for each in mark.iter() if "data-t" in each.attrib
    ]
    titles = [each.text or "" for mark in marks for each in mark.iter("title")]
    return [*(text for each in lists for text in each.split("|")), *titles]


def visible_text(element: ET.Element) -> str:
    """The text that is visible without a pointer."""
    return element.text or ""
