"""What the ranks of a region tell: its phases, their own times, how they began together."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from heorot.model.base import Amount, Count, Record

# A sample of no length, or of no number, is none. The bounds keep every rate finite.
SampleSeconds = Annotated[float, Field(gt=1e-15, lt=1e15, allow_inf_nan=False)]


class Written(Record):
    """A part of a record: its numbers are finite, but for those of checks."""

    model_config = ConfigDict(allow_inf_nan=False)


class Phase(Written):
    """A named part of a region's body: what every rank did in it, mean of all timed bodies.

    Times are exclusive, so that those of all phases add up to the body's time of the rank; what
    lies outside all named phases is the phase `rest`. Each list is in the order of the ranks.

    Attributes:
        name: such as `rhs`.
        computation_seconds: outside communication calls [s].
        communication_seconds: inside them, waiting included [s].
        bytes: sent, in messages and into collectives [B].
    """

    name: str
    computation_seconds: tuple[Amount, ...]
    communication_seconds: tuple[Amount, ...]
    messages: tuple[Amount, ...]
    bytes: tuple[Amount, ...]
    collectives: tuple[Amount, ...]

    @model_validator(mode="after")
    def _has_equal_ranks(self) -> Self:
        lists = (self.communication_seconds, self.messages, self.bytes, self.collectives)
        if not self.n_ranks or any(len(each) != self.n_ranks for each in lists):
            raise ValueError(f"phase {self.name} does not have one value of each kind per rank")
        return self

    @property
    def n_ranks(self) -> int:
        """Ranks that measured it."""
        return len(self.computation_seconds)


class OwnOfRanks(Written):
    """What every rank itself took for a body, from the common start to its own end.

    Waiting for others inside the body is part of it. Each list is in the order of the ranks.

    Attributes:
        median_seconds: of one body, over the samples [s].
        slowest: number of samples in which no other rank took longer.
    """

    by: Literal["rank"]
    median_seconds: Annotated[tuple[Amount, ...], Field(min_length=1)]
    slowest: tuple[Count, ...]

    @model_validator(mode="after")
    def _has_equal_ranks(self) -> Self:
        if len(self.slowest) != len(self.median_seconds):
            raise ValueError("own times do not have one value of each kind per rank")
        return self


class OwnOfHosts(Written):
    """The same of many ranks, summed up by host.

    Attributes:
        hosts: in the order of their first ranks; the other lists are in this order.
        lowest_seconds: smallest of the ranks' medians [s].
        median_seconds: the one in the middle [s].
        highest_seconds: the largest [s].
        slowest: how often a rank of the host took longest, sum over its ranks.
    """

    by: Literal["host"]
    hosts: Annotated[tuple[str, ...], Field(min_length=1)]
    lowest_seconds: tuple[Amount, ...]
    median_seconds: tuple[Amount, ...]
    highest_seconds: tuple[Amount, ...]
    slowest: tuple[Count, ...]

    @model_validator(mode="after")
    def _has_equal_hosts(self) -> Self:
        kinds = (self.lowest_seconds, self.median_seconds, self.highest_seconds, self.slowest)
        if len(set(self.hosts)) < len(self.hosts) or any(
            len(each) != len(self.hosts) for each in kinds
        ):
            raise ValueError("own times do not have one value of each kind per host")
        return self


Own = Annotated[OwnOfRanks | OwnOfHosts, Field(discriminator="by")]


class Starts(Written):
    """How the bodies of a region began that were lined up one by one.

    Attributes:
        late: of which some rank came too late for the common start; they were left out.
        window_seconds: from one start to the next, in the end; 0 if barriers lined up [s].
        clock_error_seconds: largest bound of the error of any rank's global clock [s].
        local_seconds: of every sample, what the slowest rank took by itself, from its own start to
            its own end [s].
    """

    bodies: Count
    late: Count
    window_seconds: Amount
    clock_error_seconds: Amount
    local_seconds: tuple[SampleSeconds, ...]

    @model_validator(mode="after")
    def _has_no_more_late_than_bodies(self) -> Self:
        if self.late > self.bodies:
            raise ValueError("more bodies came late than there were")
        return self
