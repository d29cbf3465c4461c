"""What became of the time of a body when its ranks were placed in another way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heorot.analyse.explain.phases import percent_of
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.result import Result

# A change of so much of the time is worth naming.
_WORTH_NAMING = 0.03
_WHAT = ("computing", "waiting for the slowest rank", "communication")


@dataclass(frozen=True)
class Change:
    """The parts of a body's time, computation, imbalance and communication, in two placements.

    Attributes:
        before: seconds of the three [s].
        after: seconds of the three [s].
        bodies: what both are of.
    """

    before: tuple[float, float, float]
    after: tuple[float, float, float]
    bodies: tuple[Breakdown, Breakdown]

    @property
    def computing(self) -> float:
        """How many times as long computing takes."""
        return self.after[0] / self.before[0] if self.before[0] > 0.0 else 1.0

    def grown(self, nodes: float = 1.0) -> str:
        """What takes longer than it should, in words; empty if nothing does by much.

        Args:
            nodes: on so many times the nodes: each part should take as many times less.
        """
        parts = zip(self.before, self.after, strict=True)
        grown = [after - before / nodes for before, after in parts]
        most = max(range(3), key=lambda part: grown[part])
        if grown[most] < _WORTH_NAMING * sum(self.after):
            return ""
        if most == 0:
            share = " as its share" if nodes > 1.0 else ""
            return f"computing itself takes {self.computing * nodes:.2f} times as long{share}"
        before, after = (one.shares[most] for one in self.bodies)
        if after.low <= before.high:
            return ""
        old, new = (percent_of(one.shares[most], one) for one in self.bodies)
        return f"{_WHAT[most]} takes {new} of the time, against {old}"

    def shrunk(self) -> str:
        """What takes less time than before; empty if nothing does by much."""
        saved = [before - after for before, after in zip(self.before, self.after, strict=True)]
        most = max(range(3), key=lambda part: saved[part])
        if saved[most] < _WORTH_NAMING * sum(self.before):
            return ""
        part = self.after[most] / self.before[most]
        return f"{_WHAT[most]} takes {part:.2f} of the time that it took"


class Divisions:
    """Where the time of bodies goes, found by the rates that rest on them.

    Args:
        breakdowns: all of them; what is not to be trusted is left out.
    """

    def __init__(self, breakdowns: Iterable[Breakdown]) -> None:
        self._found = {
            (one.benchmark, one.case, one.toolchain, one.region, str(one.point)): one
            for one in breakdowns
            if one.verified == "passed" and not one.copies
        }

    def of(self, row: Result) -> Breakdown | None:
        """Where the time of a row's bodies goes; None if its program does not tell."""
        place = (row.benchmark, row.case, row.toolchain, row.region, str(row.point))
        return self._found.get(place)

    def between(self, base: Result, row: Result) -> Change | None:
        """What changed from one row to another; None unless both have a breakdown."""
        few, many = self.of(base), self.of(row)
        if few is None or many is None:
            return None
        return Change(_seconds(few), _seconds(many), (few, many))


def _seconds(one: Breakdown) -> tuple[float, float, float]:
    computation, imbalance, communication = (
        share.median * one.seconds.median for share in one.shares
    )
    return computation, imbalance, communication
