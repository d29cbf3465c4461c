"""What a figure shows, before anyone decides how to draw it: panels of lines or of bars."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from heorot.model.catalogue.figure import Figure
from heorot.model.point import Scalar

MAXIMUM_BARS = 60
"""More bars in one figure are no picture any more."""

Pattern = Literal["", "lines", "dots"]
"""What a segment of a stack is drawn with besides its colour."""

Shape = Literal["", "bare", "wide", "hollow"]
"""How a curve is drawn: with markers, without, as a broad stroke under others, or by rings."""

Key = tuple[str, int]
"""A name and the style it stands for."""


@dataclass(frozen=True)
class Line:
    """A curve, or the bars of one colour.

    Attributes:
        style: index of colour, dash and marker.
        x: coordinates, or the names of the bars.
        y: medians [unit of the drawing].
        low: lower ends of the 95 % intervals.
        bounds: bound of each; None where it is unknown.
        perturbed: whether each has perturbed samples only.
        texts: what is to be read of each segment of a stack, or of each field of a map.
        marked: whether each stands out beyond chance; empty where nothing is judged.
        labels: text next to each point; empty without.
        launches: that each value rests on; empty where a value is worded in `texts`.
    """

    name: str
    style: int
    x: tuple[Scalar, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    bounds: tuple[float | None, ...]
    perturbed: tuple[bool, ...]
    pattern: Pattern = ""
    texts: tuple[str, ...] = ()
    marked: tuple[bool, ...] = ()
    shape: Shape = ""
    labels: tuple[str, ...] = ()
    launches: tuple[int, ...] = ()

    @classmethod
    def exact(
        cls,
        name: str,
        x: Iterable[Scalar],
        y: tuple[float, ...],
        *,
        style: int = 0,
        perturbed: Iterable[bool] | None = None,
        **more: Any,  # noqa: ANN401 -- the rest, by its names
    ) -> Line:
        """Values without intervals and bounds, unperturbed unless `perturbed` is given."""
        known = (False,) * len(y) if perturbed is None else tuple(perturbed)
        return cls(name, style, tuple(x), y, y, y, (None,) * len(y), known, **more)


@dataclass(frozen=True)
class Panel:
    """Lines that share two axes; all panels of a drawing have equal axes."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Drawing:
    """What a figure shows.

    Attributes:
        unit: SI unit of the values.
        panels: at least one, each with at least one line.
        keys: name and style of all lines, in order.
        summary: what is to be seen, in words, for those who cannot see it.
        omitted: what is not drawn and why, or empty.
        ends: what stands at the ends of stacked bars.
    """

    id: str
    figure: Figure
    unit: str
    panels: tuple[Panel, ...]
    summary: str
    keys: tuple[Key, ...] = ()
    omitted: str = ""
    ends: tuple[str, ...] = ()

    @property
    def lines(self) -> list[Line]:
        """All lines of all panels."""
        return [line for panel in self.panels for line in panel.lines]

    @property
    def bars(self) -> list[str]:
        """The names of all bars from the top, each once."""
        return list(dict.fromkeys(str(x) for line in self.lines for x in line.x))

    @property
    def is_perturbed(self) -> bool:
        """Whether a part of it has perturbed samples only."""
        return any(any(line.perturbed) for line in self.lines)

    def key_pattern(self, style: int) -> Pattern:
        """The pattern of everything that a key stands for; empty if it stands for several."""
        patterns = {line.pattern for line in self.lines if line.style == style}
        return patterns.pop() if len(patterns) == 1 else ""
