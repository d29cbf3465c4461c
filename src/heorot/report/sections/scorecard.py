"""The score card: a line for the headline of every program, with its share of what limits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from heorot.model.analysis.claims import format_uncertainty
from heorot.model.analysis.result import Result, Score
from heorot.model.catalogue.benchmark import Header
from heorot.model.evaluation import Peer
from heorot.report.anchors import Anchors
from heorot.report.place import Ranking, word_place
from heorot.report.wording import (
    count,
    split_result,
    word_name,
    word_point,
    word_row_layout,
)
from heorot.units import format_quantity


class Meter(NamedTuple):
    """The bar of a share: its length, and where its interval begins and ends [%]."""

    width: float
    low: float
    high: float


@dataclass(frozen=True)
class ScoreLine:
    """A line of the score card.

    Attributes:
        name: the quantity, such as `STREAM Triad`.
        detail: the rest of its label, such as `double precision`.
        level: its working set and the level that holds it, such as `512 MiB from memory`.
        value: with unit.
        uncertainty: such as `±3 %`; empty of one launch.
        interval: the exact one, or the range, with the launches that it rests on.
        layout: ranks and threads.
        point: coordinates that have names, such as `class A`; empty of none.
        where: cores, and nodes if there are several.
        sign: of comparability: `=`, `≈` or `≠`; empty if the sources do not state it.
        comparable: the same in words.
        caution: reservations wherever the value is quoted, except its uncertainty.
        share: of its bound in words, or empty.
        bound: what bounds it in a few words, or empty.
        reason: why there is no more, and of which quantity the share is if not of its own.
        target: fragment of the page where its row is.
        place: among earlier runs and published machines; None without any.
    """

    score: Score
    benchmark: str
    name: str
    detail: str
    level: str
    value: str
    uncertainty: str
    interval: str
    layout: str
    point: str
    where: str
    sign: str
    comparable: str
    caution: str
    share: str
    meter: Meter | None
    bound: str
    reason: str
    target: str
    place: Ranking | None = None


# Comparability as stated in the sources: its sign on the score card, and the meaning.
COMPARABLE = {
    "Yes": ("=", "comparable with published figures"),
    "In part": ("≈", "in part comparable with published figures"),
    "No": ("≠", "not comparable with published figures"),
}


def score_lines(
    scores: Sequence[Score],
    anchors: Anchors,
    headers: Mapping[str, Header],
    peers: Mapping[str, Sequence[Peer]] = MappingProxyType({}),
) -> list[ScoreLine]:
    """The score card, with links to the rows.

    Args:
        peers: values elsewhere, by id of the row.
    """
    return [
        _line(score, anchors, headers.get(score.result.benchmark), peers.get(score.result.id, ()))
        for score in scores
    ]


def _line(
    score: Score, anchors: Anchors, header: Header | None, peers: Sequence[Peer]
) -> ScoreLine:
    row = score.result
    value, interval = split_result(row)
    name, _, detail = score.label.removesuffix(score.level).removesuffix(", ").partition(", ")
    sign, comparable = COMPARABLE.get(header.comparable if header else "", ("", ""))
    several = row.n_launches > 1
    return ScoreLine(
        score=score,
        benchmark=row.benchmark,
        name=name,
        detail=detail,
        level=score.level,
        value=value,
        uncertainty=format_uncertainty(row.median, row.ci_low, row.ci_high) if several else "",
        interval=interval,
        layout=word_row_layout(row),
        point=word_point({k: v for k, v in row.point.items() if isinstance(v, str)}),
        where=_word_where(row),
        sign=sign,
        comparable=comparable,
        caution=_word_caution(row),
        share="" if score.share is None else format_quantity(score.share, "%", 2),
        meter=_meter(score),
        bound=score.bound,
        reason=_word_reason(score),
        target=anchors.place(row),
        place=word_place(row, peers),
    )


def _word_caution(row: Result) -> str:
    """Reservations about a value, except its uncertainty, which is visible."""
    if not row.ranked:
        return "withheld: not verified or implausible"
    said = [row.caution] if row.disturbed or row.modes else []
    return ", ".join([*said, *(["1 launch"] if row.n_launches == 1 else [])])


def _word_reason(score: Score) -> str:
    """Such as `flop rate 12.8 Gflop/s [11.5, 15.2]; each block waits for the three before it`."""
    limited = score.limited
    of = " ".join((word_name(limited.metric), *split_result(limited))) if limited else ""
    return "; ".join(filter(None, (of, score.ceiling)))


def _word_where(row: Result) -> str:
    cores = count(row.cores, "core")
    return cores if row.nodes == 1 else f"{count(row.nodes, 'node')}, {cores}"


def _meter(score: Score) -> Meter | None:
    """The bar of a share, with the interval of the row that it is of; None without a share."""
    if score.share is None:
        return None
    row = score.limited or score.result
    if not row.median:
        return None
    # Of a time the share is that of the rate.
    ends = [end / row.median for end in (row.median, row.ci_low, row.ci_high)]
    if row.better == "lower":
        ends = [1.0 / end if end > 0.0 else 1.0 for end in (ends[0], ends[2], ends[1])]
    return Meter(*(round(100 * min(1.0, max(0.0, score.share * each)), 1) for each in ends))
