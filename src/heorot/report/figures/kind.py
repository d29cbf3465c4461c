"""A kind of figure: how its drawing comes about, and how that is shown and read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.node_roofline.node_roofline import NodeRoofline
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Answer
from heorot.model.analysis.studies.nodes import NodeStudy
from heorot.model.analysis.studies.toolchains import ToolchainStudy
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.axis import Axis
from heorot.report.figures.drawing import Drawing


@dataclass(frozen=True)
class Material:
    """What figures are drawn of: all that is known of one program or of several.

    Attributes:
        depth: one node in depth; None of what shows nothing of it.
        answer: what programs answer to a question; None of what asks nothing.
    """

    rows: Sequence[Result] = ()
    breakdowns: Sequence[Breakdown] = ()
    nodes: NodeStudy | None = None
    depth: NodeRoofline | None = None
    toolchains: ToolchainStudy | None = None
    answer: Answer | None = None


Draw = Callable[[Figure, Material, str], Drawing | None]
"""Sorts material into a drawing with an id unique in the page; None if nothing can be drawn."""


class Picture(NamedTuple):
    """An SVG of the usual width.

    Attributes:
        height: of all of it [px].
        x: the horizontal axis of all panels; None where nothing is measured along it.
        y: the upright one, likewise.
    """

    parts: list[str]
    height: float
    x: Axis | None = None
    y: Axis | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    Attributes:
        read: the explanation of the marks, printed under the figure.
        svg: the picture, for paper and for the browser.
        keys: what the keys stand for; of lines they show colour, dash and marker, else the filling.
    """

    name: str
    draw: Draw
    read: Callable[[Drawing], str]
    svg: Callable[[Drawing], Picture]
    keys: Literal["lines", "bars", "parts"]
