"""The time of a body as stacked bars: computing, waiting for the slowest rank, communicating."""

from __future__ import annotations

from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.extremes import may_equal, overlap
from heorot.model.catalogue.figure import Figure
from heorot.report.figures.drawing import Drawing, Pattern
from heorot.report.figures.kind import Kind, Material
from heorot.report.figures.stacks import Bars, choose_bars, compose_stacks, read_stacks
from heorot.report.figures.svg.bars import svg_stacks
from heorot.report.wording import count, split_interval
from heorot.units import format_quantity

# Name, style and pattern of the segments, in the order of Breakdown.shares.
_SEGMENTS: tuple[tuple[str, int, Pattern], ...] = (
    ("computing", 0, ""),
    ("waiting for the slowest rank", 5, "dots"),
    ("communicating", 1, "lines"),
)


def _draw(figure: Figure, material: Material, identifier: str) -> Drawing | None:
    bars = choose_bars(material.breakdowns)
    if not bars:
        return None
    lines = []
    for i, (name, style, pattern) in enumerate(_SEGMENTS):
        shares = [one.shares[i] for one in bars.breakdowns]
        texts = [_word(one.shares[i], one.n_launches) for one in bars.breakdowns]
        lines.append(bars.stack(name, style, pattern, list(zip(shares, texts, strict=True))))
    keys = [(name, style) for name, style, _ in _SEGMENTS]
    return compose_stacks(figure, bars, lines, identifier, keys=keys, summary=_summarise(bars))


def _word(share: Middle, launches: int) -> str:
    return " ".join(split_interval(share.median, share.low, share.high, "1", launches))


def _summarise(bars: Bars) -> str:
    """The caption: the bar that loses most."""
    lost = [one.imbalance.median + one.communication.median for one in bars.breakdowns]
    i = lost.index(max(lost))
    worst = bars.breakdowns[i]
    text = (
        f"Shares of the time of a body, {count(len(lost), 'bar')} of computing, waiting for the "
        f"slowest rank and communicating. Least computing: "
        f"{format_quantity(worst.computation.median, '1')}"
    )
    ends = [(one.computation.low, one.computation.high) for one in bars.breakdowns]
    if n_alike := sum(overlap(ends[i], each) for each in ends) - 1:
        return f"{text}, {may_equal(n_alike)}."
    return (
        f"{text}, with {format_quantity(worst.imbalance.median, '1')} waiting and "
        f"{format_quantity(worst.communication.median, '1')} communicating, {bars.names[i]}."
    )


SHARES = Kind(
    name="shares",
    draw=_draw,
    read=read_stacks,
    svg=svg_stacks,
    keys="parts",
)
