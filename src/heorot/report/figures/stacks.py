"""Stacked bars of the parts of a body's time: one for each case, all of equal length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heorot.model.analysis.breakdown import Breakdown, Middle
from heorot.model.catalogue.figure import Figure
from heorot.model.run import identity
from heorot.report.figures.captions import read_disturbed, word_more_bars
from heorot.report.figures.drawing import MAXIMUM_BARS, Drawing, Key, Line, Panel, Pattern
from heorot.report.wording import count, word_layout, word_point
from heorot.units import format_quantity

Part = tuple[Middle, str]
"""A share of the whole, and what is to be read of it."""


@dataclass(frozen=True)
class Bars:
    """The bars that are stacked.

    Attributes:
        breakdowns: what can be trusted, in order; at least one.
        n_withheld: breakdowns whose verification failed.
    """

    breakdowns: list[Breakdown]
    names: list[str]
    n_withheld: int
    n_beyond: int = 0

    def stack(self, name: str, style: int, pattern: Pattern, parts: Sequence[Part]) -> Line:
        """The segments of one kind, one part for each bar."""
        return Line(
            name=name,
            style=style,
            x=tuple(self.names),
            y=tuple(part.median for part, _ in parts),
            low=tuple(part.low for part, _ in parts),
            high=tuple(part.high for part, _ in parts),
            bounds=(None,) * len(self.names),
            perturbed=tuple(one.disturbed for one in self.breakdowns),
            pattern=pattern,
            texts=tuple(text for _, text in parts),
        )


def choose_bars(breakdowns: Sequence[Breakdown]) -> Bars | None:
    """Names and orders what can be trusted; None if nothing can be."""
    good = in_order([one for one in breakdowns if one.verified == "passed"])
    shown, names = good[:MAXIMUM_BARS], name_bars(good)[:MAXIMUM_BARS] if good else []
    n_withheld = len(breakdowns) - len(good)
    return Bars(shown, names, n_withheld, len(good) - len(shown)) if good else None


def in_order(breakdowns: Sequence[Breakdown]) -> list[Breakdown]:
    """Each program from its smallest problem to its largest, and these in the order of the rows."""
    programs = list(dict.fromkeys(one.benchmark for one in breakdowns))
    longest: dict[identity.Key, float] = {}
    for one in breakdowns:
        place = one.key.only("benchmark", "point")
        longest[place] = max(longest.get(place, 0.0), one.seconds.median)
    return sorted(
        breakdowns,
        key=lambda one: (
            programs.index(one.benchmark),
            longest[one.key.only("benchmark", "point")],
        ),
    )


def name_bars(breakdowns: Sequence[Breakdown]) -> list[str]:
    """A name for each, of the parts in which they differ."""
    words: tuple[Callable[[Breakdown], str], ...] = (
        lambda one: one.benchmark,
        lambda one: word_point(one.point),
        _layout,
    )
    more: tuple[Callable[[Breakdown], str], ...] = (
        lambda one: str(one.stack),
        lambda one: one.region,
        lambda one: one.case,
    )
    several = [word for word in words if len(set(map(word, breakdowns))) > 1]
    names = [[word(one) for word in several or (_layout,)] for one in breakdowns]
    for word in more:
        if len(set(map(tuple, names))) == len(names):
            break
        if len(set(map(word, breakdowns))) > 1:
            names = [[*name, word(one)] for name, one in zip(names, breakdowns, strict=True)]
    return [", ".join(name) for name in names]


def _layout(one: Breakdown) -> str:
    if one.copies:
        return count(one.copies, "copy")
    return word_layout(one.ranks, one.threads, one.nodes)


def compose_stacks(
    figure: Figure,
    bars: Bars,
    lines: Sequence[Line],
    identifier: str,
    *,
    keys: Sequence[Key],
    summary: str,
) -> Drawing:
    """Makes a drawing of segments."""
    omitted = []
    if bars.n_withheld:
        omitted.append(f"{count(bars.n_withheld, 'bar')} not drawn: verification failed.")
    if bars.n_beyond:
        omitted.append(f"{word_more_bars(bars.n_beyond)}.")
    return Drawing(
        id=identifier,
        figure=figure,
        unit="1",
        panels=(Panel("", tuple(lines)),),
        keys=tuple(dict.fromkeys(keys)),
        summary=summary,
        omitted=" ".join(omitted),
        ends=tuple(format_quantity(one.seconds.median, "s") for one in bars.breakdowns),
    )


def read_stacks(drawing: Drawing, *more: str) -> str:
    """Explains stacked bars."""
    text = "Medians over the launches; at the end of a bar the time of one body."
    return " ".join((text, *more, *read_disturbed(drawing)))
