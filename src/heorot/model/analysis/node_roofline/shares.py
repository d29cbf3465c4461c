"""Shares of the peak, what kernels promise, what cores share, and where rates stay the same."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.breakdown import Middle
from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured

# A cause is one if it alone would cost at least this part of what is lost.
_LEAST_PART = 0.5

Cause = Literal["bandwidth", "caches", "waiting", "clock"]


class Part(Record):
    """A kernel's part in an algorithm.

    Attributes:
        share: of the flops of the algorithm.
        rate: of the kernel with as large a working set [flop/s].
    """

    kernel: str
    share: float
    rate: float
    row: str


class KernelPrediction(Measured, Record):
    """The rate of the kernels that an algorithm is made of, and the one that it has.

    The kernels fetch anew what they work on for every operation. An algorithm in blocks does not,
    so that their rate is no bound.

    Attributes:
        promised: by its kernels, 1 / sum(share / rate), with the interval that follows from
            those of the kernels [flop/s].
        found: [flop/s].
        times: found over promised, with the interval that encloses those of both.
    """

    key: Key
    parts: tuple[Part, ...]
    promised: Middle
    found: Middle
    times: Middle
    row: str


class Contention(Measured, Record):
    """What each of several copies of a program loses, and what explains it.

    Attributes:
        lost: share of the speed that a copy has alone.
        level_alone: where the working set of a copy alone lives; empty if it is not known.
        drawn: what a copy alone draws by its counts, at most what its level then feeds to one core
            [B/s]; None if it counts none.
        part: of what its level among the others feeds to as many cores, what falls to one [B/s].
        wait_alone: for a line of memory [s]; None of what asks for many lines at once.
        wait: the same while the others read [s].
        clock_alone: of a core [Hz].
        clock: of each while as many are busy [Hz].
        explains: share of the speed that each cause would cost by itself: that first which explains
            most of the loss.
    """

    key: Key
    lost: Middle
    level_alone: str
    level: str
    drawn: float | None
    part: float | None
    wait_alone: float | None
    wait: float | None
    clock_alone: float | None
    clock: float | None
    explains: tuple[tuple[Cause, float], ...]
    row: str

    @property
    def is_loss(self) -> bool:
        """Whether more is lost than chance may take."""
        return self.lost.low > 0.0

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Those that would by themselves cost much of what is lost, the largest first."""
        least = _LEAST_PART * self.lost.median
        return tuple(cause for cause, cost in self.explains if self.is_loss and cost >= least)


class LevelPlateau(Measured, Record):
    """A range of working sets over which a rate hardly changes.

    Attributes:
        key: what was measured, with coordinates but the size.
        low_bytes: smallest working set [B].
        high_bytes: largest one [B].
        value: in the middle, in the metric's unit.
    """

    key: Key
    metric: str
    level: str
    low_bytes: float
    high_bytes: float
    value: float
    row: str


class Efficiency(Measured, Record):
    """The best rate of performed operations that a program has on a number of cores.

    Attributes:
        rate: of all cores [flop/s].
        share_of_peak: of what the units of as many cores compute; None if that is not known.
        nominal_share: the same by the operations of the benchmark's definition; None if it has
            none of its own, or they are more than the peak allows.
    """

    key: Key
    rate: Middle
    share_of_peak: float | None
    nominal_share: float | None
    row: str

    @property
    def of_a_core(self) -> float:
        """The rate of each core [flop/s]."""
        return self.rate.median / self.cores
