"""The account of a run: how many steps ended in which way."""

from __future__ import annotations

from heorot.model.base import Record


class Account(Record):
    """Submitted = completed + failed + timed out + lost + refused, step by step.

    Attributes:
        timed_out: killed for taking too long.
        lost: never reported an end.
        refused: cannot run here, as the program itself found.
        repeated: ids of steps that ended more than once.
        unknown: ids of steps that ended but were never planned.
    """

    submitted: int
    completed: int
    failed: int
    timed_out: int
    lost: int
    refused: int
    repeated: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def troubled(self) -> int:
        """Steps that failed, timed out or were lost; refusals do not count."""
        return self.failed + self.timed_out + self.lost

    @property
    def ended(self) -> int:
        """The sum over all ways to end."""
        return self.completed + self.troubled + self.refused

    @property
    def balanced(self) -> bool:
        """Whether every step is accounted for exactly once."""
        return self.submitted == self.ended and not self.repeated and not self.unknown
