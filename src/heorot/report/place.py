"""The place of a headline among earlier runs of the machine and published machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heorot.model.analysis.result import Result
from heorot.model.evaluation import Peer
from heorot.report.sections.configuration import format_time
from heorot.report.wording import count
from heorot.units import format_interval

_MOST_LISTED = 12
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)


class Ranking(NamedTuple):
    """The place of a value, and the values that it is compared with, in words."""

    text: str
    peers: str


def word_place(row: Result, peers: Sequence[Peer]) -> Ranking | None:
    """Such as `3rd to 5th of 10 runs`; of published machines only where there are no runs.

    Values whose intervals overlap share their places, as their order is not known.
    """
    runs = [peer for peer in peers if peer.begun is not None]
    others = runs or list(peers)
    if not others:
        return None
    n_better = sum(_is_better(peer, row) for peer in others)
    n_worse = sum(_is_worse(peer, row) for peer in others)
    listed = [_word(peer, row) for peer in peers[:_MOST_LISTED]]
    if len(peers) > _MOST_LISTED:
        listed.append(f"and {len(peers) - _MOST_LISTED} more")
    text = _of_runs(n_better, n_worse, len(runs)) if runs else _of_published(n_worse, len(others))
    return Ranking(text, "\n".join(listed))


def _of_runs(n_better: int, n_worse: int, n: int) -> str:
    if not n_better and not n_worse:
        return f"like {count(n, 'earlier run')}"
    first, last = n_better + 1, n + 1 - n_worse
    place = _ordinal(first) if first == last else f"{_ordinal(first)} to {_ordinal(last)}"
    return f"{place} of {n + 1} runs"


def _of_published(n_worse: int, n: int) -> str:
    return f"better than {n_worse} of {n} published"


def _ordinal(number: int) -> str:
    teen = number % 100 in _TEENS
    return f"{number}{'th' if teen else _ENDINGS.get(number % 10, 'th')}"


def _is_better(peer: Peer, row: Result) -> bool:
    """Whether the whole interval of another value is on the better side of the row's."""
    low, high = _ends(peer)
    return low > row.ci_high if row.better == "higher" else high < row.ci_low


def _is_worse(peer: Peer, row: Result) -> bool:
    low, high = _ends(peer)
    return high < row.ci_low if row.better == "higher" else low > row.ci_high


def _ends(peer: Peer) -> tuple[float, float]:
    """The interval of another value; a published one without is the value itself."""
    low, high = peer.low, peer.high
    return (peer.median if low is None else low, peer.median if high is None else high)


def _word(peer: Peer, row: Result) -> str:
    """Such as `2026-11-26, native-1: 47.0 GB/s [45.2, 47.3; 5 launches]`."""
    when = "published" if peer.begun is None else format_time(peer.begun)[:10]
    ends = (peer.low, peer.high)
    value = format_interval(peer.median, *ends, row.unit, launches=peer.launches)
    return f"{when}, {peer.name}: {value}"
