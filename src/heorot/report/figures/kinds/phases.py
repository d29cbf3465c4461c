"""The time of a body as stacked bars: every phase in its colour, what it communicates hatched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.model.analysis.breakdown import Breakdown, Middle, PhaseTimes
from heorot.model.analysis.extremes import may_equal, overlap
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.stacks import Bars, Part, choose_bars, compose_stacks, read_stacks
from heorot.report.figures.svg.bars import svg_stacks
from heorot.report.wording import count, word_name
from heorot.units import format_interval, format_quantity

_REST = "rest"
# Grey is for the rest.
_REST_STYLE = 7
_STYLES = (0, 1, 2, 3, 4, 5, 6, 8)


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    bars = choose_bars(material.breakdowns)
    if not bars:
        return None
    phases = _choose(bars.breakdowns)
    lines = []
    for phase, style in phases.items():
        computing = [_part(one, phase, phases, lambda p: p.computation) for one in bars.breakdowns]
        lines.append(bars.stack(phase, style, "", computing))
        sending = [_part(one, phase, phases, lambda p: p.communication) for one in bars.breakdowns]
        if any(part.median > 0.0 for part, _ in sending):
            lines.append(bars.stack(f"{phase}, communicating", style, "lines", sending))
    keys = [(word_name(phase), style) for phase, style in phases.items()]
    summary = _summarise(bars, [name for name, _ in keys], lines)
    return compose_stacks(figure, bars, lines, identifier, keys=keys, summary=summary)


def _choose(breakdowns: Sequence[Breakdown]) -> dict[str, int]:
    """The phases that get a colour of their own, with it; all others count as the rest."""
    largest: dict[str, float] = {}
    for one in breakdowns:
        for phase in one.phases:
            share = (phase.computation.median + phase.communication.median) / one.seconds.median
            largest[phase.name] = max(largest.get(phase.name, 0.0), share)
    named = [name for name in largest if name != _REST]
    kept = sorted(named, key=lambda name: -largest[name])[: len(_STYLES)]
    chosen = dict(zip((each for each in named if each in kept), _STYLES, strict=False))
    if _REST in largest or len(kept) < len(named):
        chosen[_REST] = _REST_STYLE
    return chosen


def _part(
    one: Breakdown, name: str, chosen: dict[str, int], kind: Callable[[PhaseTimes], Middle]
) -> Part:
    """A phase's share of the time of a body, and its seconds in words."""
    members = [
        kind(phase)
        for phase in one.phases
        if phase.name == name or (name == _REST and phase.name not in chosen)
    ]
    total = one.seconds.median
    share = Middle(
        median=sum(each.median for each in members) / total,
        low=sum(each.low for each in members) / total,
        high=sum(each.high for each in members) / total,
    )
    seconds = format_quantity(share.median * total, "s")
    ends = (share.median, share.low, share.high)
    return share, f"{format_interval(*ends, '1', launches=one.n_launches)}, {seconds}"


def _summarise(bars: Bars, phases: Sequence[str], lines: Sequence[Line]) -> str:
    """The caption: the largest phase, and its bar if that is clear."""
    parts = [(line, i) for line in lines for i in range(len(line.y))]
    largest, at = max(parts, key=lambda part: part[0].y[part[1]])
    ends = largest.low[at], largest.high[at]
    same = [line is largest for line, i in parts if overlap(ends, (line.low[i], line.high[i]))]
    n_alike = len(same) - 1
    name = f"{word_name(largest.name)}, " if all(same) else ""
    where = may_equal(n_alike) if n_alike else bars.names[at]
    return (
        f"Phases as shares of the time of a body, {count(len(bars.names), 'bar')} of "
        f"{', '.join(phases)}. Largest: {name}{format_quantity(largest.y[at], '1')}, {where}."
    )


def _read(drawing: Drawing) -> str:
    return read_stacks(
        drawing,
        "Hatched: communicating, waiting included.",
        "Bars are means over the ranks: they end early if ranks do not end together.",
    )


PHASES = Kind(
    name="phases",
    draw=_draw,
    read=_read,
    svg=svg_stacks,
    keys="parts",
)
