"""How the parts of a body's time changed with the placement of its ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from heorot.analyse.explain.phases import share_of_time
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import is_difference, of_ends
from heorot.model.analysis.breakdown import Breakdown, Middle
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.result import Result

# A smaller change of the time is not named.
_LEAST_NAMED = 0.03
_WHAT = ("computing", "waiting for the slowest rank", "communication")


@dataclass(frozen=True)
class Change:
    """The parts of a body's time, computation, imbalance and communication, in two placements.

    Attributes:
        before: seconds of the three [s].
        after: seconds of the three [s].
    """

    before: tuple[Middle, Middle, Middle]
    after: tuple[Middle, Middle, Middle]
    bodies: tuple[Breakdown, Breakdown]

    @property
    def rows(self) -> tuple[str, ...]:
        """The keys of the rows with the quoted shares."""
        return tuple(row for one in self.bodies for row in one.rows)

    def times(self, part: int, nodes: float = 1.0) -> tuple[float, float, float]:
        """Ratio of a part's time to its ideal share, with an interval that encloses both.

        Args:
            part: 0 is computing.
            nodes: factor in nodes, by which the ideal share decreases.
        """
        before, after = self.before[part], self.after[part]
        if min(before.median, before.low) <= 0.0:
            return 1.0, 0.0, math.inf
        return (
            after.median / before.median * nodes,
            after.low / before.high * nodes,
            after.high / before.low * nodes,
        )

    def longer(self, part: int, nodes: float = 1.0) -> Quantity | None:
        """The same with the rows of its shares; None if it shows no difference."""
        ratio = self.times(part, nodes)
        launches = min(one.n_launches for one in self.bodies)
        return of_ends(ratio, launches, rows=self.rows) if is_difference(*ratio[1:]) else None

    def grown(self, nodes: float = 1.0) -> Claim | None:
        """The part that takes longer than ideal; None if none does significantly.

        Args:
            nodes: factor in nodes: each part should decrease by it.
        """
        parts = zip(self.before, self.after, strict=True)
        grown = [after.median - before.median / nodes for before, after in parts]
        most = max(range(3), key=lambda part: grown[part])
        if grown[most] < _LEAST_NAMED * sum(part.median for part in self.after):
            return None
        if most == 0:
            longer = self.longer(most, nodes)
            share = nodes > 1.0
            return templates.COMPUTING_LONGER.claim(longer=longer, share=share) if longer else None
        before, after = (one.shares[most] for one in self.bodies)
        if after.low <= before.high:
            return None
        old, new = (share_of_time(one, most) for one in self.bodies)
        return templates.SHARE_GREW.claim(
            evidence=self.rows, what=_WHAT[most], share=new, before=old
        )

    def shrunk(self) -> Claim | None:
        """The part that takes less time than before; None if none does significantly."""
        parts = zip(self.before, self.after, strict=True)
        saved = [before.median - after.median for before, after in parts]
        most = max(range(3), key=lambda part: saved[part])
        if saved[most] < _LEAST_NAMED * sum(part.median for part in self.before):
            return None
        ratio = self.longer(most)
        return templates.SHRANK.claim(what=_WHAT[most], ratio=ratio) if ratio else None


class Divisions:
    """The breakdowns of bodies' times, found by the rates that rest on them.

    Args:
        breakdowns: all of them; unreliable ones are left out.
    """

    def __init__(self, breakdowns: Iterable[Breakdown]) -> None:
        self._found = {
            one.key: one for one in breakdowns if one.verified == "passed" and not one.copies
        }

    def of(self, row: Result) -> Breakdown | None:
        """The breakdown of the time of a row's bodies; None if its program has no phases."""
        return self._found.get(row.key)

    def between(self, base: Result, row: Result) -> Change | None:
        """The change from one row to another; None unless both have a breakdown."""
        few, many = self.of(base), self.of(row)
        if few is None or many is None:
            return None
        return Change(_seconds(few), _seconds(many), (few, many))


def _seconds(one: Breakdown) -> tuple[Middle, Middle, Middle]:
    """The three parts, with intervals that enclose those of share and time."""
    whole = one.seconds
    computation, imbalance, communication = (
        Middle(
            median=share.median * whole.median,
            low=share.low * whole.low,
            high=share.high * whole.high,
        )
        for share in one.shares
    )
    return computation, imbalance, communication
