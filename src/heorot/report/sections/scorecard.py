"""The score card: the headline of every program with its interval and its share of the ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heorot.model.analysis.result import Result, Score
from heorot.model.catalogue.benchmark import Header
from heorot.report.anchors import Anchors
from heorot.report.wording import split_result, split_row, word_name, word_point, word_row_layout
from heorot.units import NOTHING, format_quantity, plural

RANGE_REACH = 0.1
"""The intervals of the score card are drawn on an axis that reaches so far around the median."""


@dataclass(frozen=True)
class Range:
    """Places of an interval on the score card's axis, 0 to 100, with the median at 50."""

    low: float
    high: float
    q10: float
    q90: float
    clipped: bool


@dataclass(frozen=True)
class ScoreLine:
    """A line of the score card.

    Attributes:
        value: with unit.
        interval: on the same scale, or the range of launches.
        launches: how many, and that it is their range if they are too few for an interval.
        layout: ranks and threads, and coordinates that have names.
        comparable: whether the figures of the program compare with published ones, in words.
        share: of the ceiling in words, or empty.
        of: the quantity that has this share, if it is not the line's own.
        share_width: length of its bar [%].
    """

    score: Score
    benchmark: str
    value: str
    interval: str
    launches: str
    layout: str
    comparable: str
    range: Range
    share: str
    of: str
    share_width: float
    target: str


# As the sources say it, and as the reader finds it beside a number.
_COMPARABLE = {
    "Yes": "comparable with published figures",
    "In part": "in part comparable with published figures",
    "No": "not comparable with published figures",
}


def score_lines(
    scores: Sequence[Score], anchors: Anchors, headers: Mapping[str, Header]
) -> list[ScoreLine]:
    """The score card, with links to the rows."""
    lines = []
    for score in scores:
        row = score.result
        value, interval = split_row(row)
        launches = plural(row.n_launches, "launch")
        limited = score.limited
        share = (limited or row).share_of_ceiling
        lines.append(
            ScoreLine(
                score=score,
                benchmark=row.benchmark,
                value=value,
                interval=interval if row.n_launches > 1 else NOTHING,
                launches=f"range of {launches}" if row.is_range else launches,
                layout=_word_layout(row),
                comparable=_word_comparable(headers.get(row.benchmark)),
                range=_place_range(row),
                share="" if share is None else format_quantity(share, "%"),
                of=_word_quantity(limited) if limited else "",
                share_width=0.0 if share is None else 100 * min(1.0, max(0.0, share)),
                target=anchors.place(row),
            )
        )
    return lines


def _word_comparable(header: Header | None) -> str:
    return _COMPARABLE.get(header.comparable, "") if header else ""


def _word_quantity(row: Result) -> str:
    """Such as `flop rate 12.8 Gflop/s [11.5, 15.2]`."""
    words = split_result(row)
    return " ".join((word_name(row.metric), *words))


def _word_layout(row: Result) -> str:
    """The layout and what coordinates have a name, such as `class W`."""
    named = {name: value for name, value in row.point.items() if isinstance(value, str)}
    return ", ".join(filter(None, (word_row_layout(row), word_point(named))))


def _place_range(row: Result) -> Range:
    reach = RANGE_REACH * abs(row.median) or 1.0

    def place(value: float) -> float:
        return round(min(100.0, max(0.0, 50 + 50 * (value - row.median) / reach)), 2)

    clipped = min(row.q10, row.ci_low) < row.median - reach
    clipped = clipped or max(row.q90, row.ci_high) > row.median + reach
    return Range(place(row.ci_low), place(row.ci_high), place(row.q10), place(row.q90), clipped)
