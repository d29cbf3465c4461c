"""Per-rank data of a region: phases, times of the ranks, and their common starts."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from heorot.model.base import Count, NonNegative, Record

# A sample has a positive, finite length; the bounds keep every rate finite.
SampleSeconds = Annotated[float, Field(gt=1e-15, lt=1e15, allow_inf_nan=False)]


class Written(Record):
    """A part of a record; its numbers are finite, except in checks."""

    model_config = ConfigDict(allow_inf_nan=False)


class Phase(Written):
    """A named part of a region's body: times of every rank, mean over all timed bodies.

    Times are exclusive: those of all phases add up to the rank's time of the body. Time outside all
    named phases is the phase `rest`. Each list is in the order of the ranks.

    Attributes:
        name: such as `rhs`.
        computation_seconds: outside communication calls [s].
        communication_seconds: inside them, waiting included [s].
        bytes: sent, in messages and into collectives [B].
    """

    name: str
    computation_seconds: tuple[NonNegative, ...]
    communication_seconds: tuple[NonNegative, ...]
    messages: tuple[NonNegative, ...]
    bytes: tuple[NonNegative, ...]
    collectives: tuple[NonNegative, ...]

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
    """Time of a body on every rank, from the common start to the rank's own end.

    Waiting for other ranks inside the body is included. Each list is in the order of the ranks.

    Attributes:
        median_seconds: of one body, over the samples [s].
        slowest: number of samples in which no other rank took longer.
    """

    by: Literal["rank"]
    median_seconds: Annotated[tuple[NonNegative, ...], Field(min_length=1)]
    slowest: tuple[Count, ...]

    @model_validator(mode="after")
    def _has_equal_ranks(self) -> Self:
        if len(self.slowest) != len(self.median_seconds):
            raise ValueError("own times do not have one value of each kind per rank")
        return self


class OwnOfHosts(Written):
    """Times of a body as in `OwnOfRanks`, summarised by host.

    Attributes:
        hosts: in the order of their first ranks; the other lists are in this order.
        lowest_seconds: smallest of the ranks' medians [s].
        median_seconds: median of the ranks' medians [s].
        highest_seconds: largest of the ranks' medians [s].
        slowest: how often a rank of the host took longest, summed over its ranks.
    """

    by: Literal["host"]
    hosts: Annotated[tuple[str, ...], Field(min_length=1)]
    lowest_seconds: tuple[NonNegative, ...]
    median_seconds: tuple[NonNegative, ...]
    highest_seconds: tuple[NonNegative, ...]
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
    """Start skew of a region whose bodies were synchronised one by one.

    Attributes:
        late: number of bodies in which a rank missed the common start; they were left out.
        window_seconds: final time from one start to the next; 0 with barriers [s].
        clock_error_seconds: largest error bound of any rank's global clock [s].
        local_seconds: time of the slowest rank from its own start to its own end, per sample [s].
        mean_seconds: mean over the ranks of these times, per sample [s]; empty in older records.
    """

    bodies: Count
    late: Count
    window_seconds: NonNegative
    clock_error_seconds: NonNegative
    local_seconds: tuple[SampleSeconds, ...]
    mean_seconds: tuple[SampleSeconds, ...] = ()

    @model_validator(mode="after")
    def _has_no_more_late_than_bodies(self) -> Self:
        if self.late > self.bodies:
            raise ValueError("more bodies came late than there were")
        return self
