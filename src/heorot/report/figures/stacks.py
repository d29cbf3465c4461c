"""Figures that stack the parts of a body's time: one bar for each case, all of equal length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.model.analysis.breakdown import Breakdown, Middle, PhaseTimes
from heorot.model.catalogue.benchmark import Figure
from heorot.report.figures.drawing import Drawing, Line, Panel, Pattern
from heorot.report.wording import count, split_interval, word_layout, word_name, word_point
from heorot.units import format_quantity

REST = "rest"
_REST_STYLE = 7
# Name, style and pattern of the segments, in the order of Breakdown.shares.
_SHARES: tuple[tuple[str, int, Pattern], ...] = (
    ("computing", 0, ""),
    ("waiting for the slowest rank", 5, "dots"),
    ("communicating", 1, "lines"),
)


def draw_stacks(figure: Figure, breakdowns: Sequence[Breakdown], identifier: str) -> Drawing | None:
    """Stacks the shares or the phases of one benchmark; None if nothing can be drawn.

    Args:
        figure: the catalogue's record.
        breakdowns: those of the benchmark.
        identifier: unique in the page.
    """
    good = in_order([one for one in breakdowns if one.verified == "passed"])
    if not good:
        return None
    names = name_bars(good)
    lines = _shares(good, names) if figure.kind == "shares" else _phases(good, names)
    withheld = len(breakdowns) - len(good)
    return Drawing(
        id=identifier,
        figure=figure,
        unit="1",
        panels=(Panel("", tuple(lines)),),
        keys=tuple(dict.fromkeys((_key(line), line.style) for line in lines)),
        summary=_summarise(figure, good, names, lines),
        omitted=f"{count(withheld, 'bar')} not drawn: verification failed." if withheld else "",
        ends=tuple(format_quantity(one.seconds.median, "s") for one in good),
    )


def in_order(breakdowns: Sequence[Breakdown]) -> list[Breakdown]:
    """From the smallest problem to the largest, and in the order of the rows within one."""
    longest: dict[str, float] = {}
    for one in breakdowns:
        place = str(one.point)
        longest[place] = max(longest.get(place, 0.0), one.seconds.median)
    return sorted(breakdowns, key=lambda one: longest[str(one.point)])


def name_bars(breakdowns: Sequence[Breakdown]) -> list[str]:
    """A name for each, of what tells them apart."""
    words: tuple[Callable[[Breakdown], str], ...] = (
        lambda one: word_point(one.point),
        _layout,
        lambda one: one.toolchain,
        lambda one: one.region,
        lambda one: one.case,
    )
    several = [word for word in words[:2] if len(set(map(word, breakdowns))) > 1]
    names = [[word(one) for word in several or (_layout,)] for one in breakdowns]
    for word in words[2:]:
        if len(set(map(tuple, names))) == len(names):
            break
        if len(set(map(word, breakdowns))) > 1:
            names = [[*name, word(one)] for name, one in zip(names, breakdowns, strict=True)]
    return [", ".join(name) for name in names]


def _layout(one: Breakdown) -> str:
    if one.copies:
        return count(one.copies, "copy", "copies")
    return word_layout(one.ranks, one.threads, one.nodes)


def _line(
    name: str,
    style: int,
    pattern: Pattern,
    breakdowns: Sequence[Breakdown],
    names: Sequence[str],
    parts: Sequence[tuple[Middle, str]],
) -> Line:
    """The segments of one kind, with what is to be read of each."""
    return Line(
        name=name,
        style=style,
        x=tuple(names),
        y=tuple(part.median for part, _ in parts),
        low=tuple(part.low for part, _ in parts),
        high=tuple(part.high for part, _ in parts),
        ceilings=(None,) * len(names),
        disturbed=tuple(one.disturbed for one in breakdowns),
        pattern=pattern,
        texts=tuple(text for _, text in parts),
    )


def _shares(breakdowns: Sequence[Breakdown], names: Sequence[str]) -> list[Line]:
    lines = []
    for i, (name, style, pattern) in enumerate(_SHARES):
        shares = [one.shares[i] for one in breakdowns]
        texts = [" ".join(split_interval(s.median, s.low, s.high, "1")) for s in shares]
        parts = list(zip(shares, texts, strict=True))
        lines.append(_line(name, style, pattern, breakdowns, names, parts))
    return lines


def _phases(breakdowns: Sequence[Breakdown], names: Sequence[str]) -> list[Line]:
    """Every phase in its colour, what it communicates hatched."""
    phases = _choose_phases(breakdowns)
    lines = []
    for phase, style in phases.items():
        computing = [_part(one, phase, phases, lambda p: p.computation) for one in breakdowns]
        lines.append(_line(phase, style, "", breakdowns, names, computing))
        sending = [_part(one, phase, phases, lambda p: p.communication) for one in breakdowns]
        if any(part.median > 0.0 for part, _ in sending):
            name = f"{phase}, communicating"
            lines.append(_line(name, style, "lines", breakdowns, names, sending))
    return lines


def _choose_phases(breakdowns: Sequence[Breakdown]) -> dict[str, int]:
    """The phases that get a colour of their own, with it; all others count as the rest."""
    largest: dict[str, float] = {}
    for one in breakdowns:
        for phase in one.phases:
            share = (phase.computation.median + phase.communication.median) / one.seconds.median
            largest[phase.name] = max(largest.get(phase.name, 0.0), share)
    named = [name for name in largest if name != REST]
    kept = sorted(named, key=lambda name: -largest[name])[:_REST_STYLE]
    chosen = {name: style for style, name in enumerate(each for each in named if each in kept)}
    if REST in largest or len(kept) < len(named):
        chosen[REST] = _REST_STYLE
    return chosen


def _part(
    one: Breakdown, name: str, chosen: dict[str, int], kind: Callable[[PhaseTimes], Middle]
) -> tuple[Middle, str]:
    """A phase's share of the time of a body, and its seconds in words."""
    members = [
        kind(phase)
        for phase in one.phases
        if phase.name == name or (name == REST and phase.name not in chosen)
    ]
    total = one.seconds.median
    share = Middle(
        median=sum(each.median for each in members) / total,
        low=sum(each.low for each in members) / total,
        high=sum(each.high for each in members) / total,
    )
    seconds = format_quantity(share.median * total, "s")
    return share, f"{format_quantity(share.median, '1')}, {seconds}"


def _key(line: Line) -> str:
    return word_name(line.name.removesuffix(", communicating"))


def _summarise(
    figure: Figure, breakdowns: Sequence[Breakdown], names: Sequence[str], lines: Sequence[Line]
) -> str:
    """Says in words what the figure shows."""
    bars = count(len(breakdowns), "bar")
    if figure.kind == "phases":
        phases = dict.fromkeys(_key(line) for line in lines)
        largest = max(lines, key=lambda line: max(line.y))
        i = largest.y.index(max(largest.y))
        return (
            f"Phases as shares of the time of a body, {bars} of {', '.join(phases)}. Largest: "
            f"{word_name(largest.name)}, {format_quantity(largest.y[i], '1')}, {names[i]}."
        )
    lost = [one.imbalance.median + one.communication.median for one in breakdowns]
    i = lost.index(max(lost))
    worst = breakdowns[i]
    return (
        f"Shares of the time of a body, {bars} of computing, waiting for the slowest rank and "
        f"communicating. Least computing: {format_quantity(worst.computation.median, '1')}, with "
        f"{format_quantity(worst.imbalance.median, '1')} waiting and "
        f"{format_quantity(worst.communication.median, '1')} communicating, {names[i]}."
    )
