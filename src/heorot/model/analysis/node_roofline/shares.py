"""Shares of peak, kernel predictions, contention, and plateaus."""

from __future__ import annotations

from typing import Literal

from heorot.model.analysis.breakdown import Middle
from heorot.model.base import Record
from heorot.model.run.identity import Key, Measured

# A cause is named if it alone would explain at least this part of the loss.
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
    """The rate predicted from an algorithm's kernels, and the measured one.

    The kernels fetch their operands for every operation. A blocked algorithm reuses them, so that
    the prediction is no bound.

    Attributes:
        predicted: rate by its kernels, 1 / sum(share / rate), with the interval by theirs [flop/s].
        found: measured rate [flop/s].
        times: found over predicted, with an interval that encloses both intervals.
    """

    key: Key
    parts: tuple[Part, ...]
    predicted: Middle
    found: Middle
    times: Middle
    row: str


class Contention(Measured, Record):
    """The loss of each of several copies of a program, and its cause.

    Attributes:
        lost: share of the speed of one copy by itself.
        level_alone: level in which the working set of one copy by itself is resident; empty if
            unknown.
        consumed: bandwidth of one copy by itself by its counts, at most that of its level to one
            core [B/s]; None if it counts no bytes.
        part: one core's part of the bandwidth of the level used with all copies [B/s].
        wait_alone: memory latency of one copy by itself [s]; None for programs with several
            outstanding loads.
        wait: the same while the others read [s].
        clock_alone: frequency of a core by itself [Hz].
        clock: frequency of each while all are busy [Hz].
        explains: share of the speed that each cause would cost by itself, the largest first.
    """

    key: Key
    lost: Middle
    level_alone: str
    level: str
    consumed: float | None
    part: float | None
    wait_alone: float | None
    wait: float | None
    clock_alone: float | None
    clock: float | None
    explains: tuple[tuple[Cause, float], ...]
    row: str

    @property
    def is_loss(self) -> bool:
        """Whether the loss is significant."""
        return self.lost.low > 0.0

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The causes that explain much of the loss by themselves, the largest first."""
        least = _LEAST_PART * self.lost.median
        return tuple(cause for cause, cost in self.explains if self.is_loss and cost >= least)


class LevelPlateau(Measured, Record):
    """A range of working sets with almost constant rate.

    Attributes:
        key: of the quantity, with coordinates except the size.
        low_bytes: smallest working set [B].
        high_bytes: largest one [B].
        value: median, in the metric's unit.
    """

    key: Key
    metric: str
    level: str
    low_bytes: float
    high_bytes: float
    value: float
    row: str


class Efficiency(Measured, Record):
    """The best rate of performed operations of a program on a core count.

    Attributes:
        rate: of all cores [flop/s].
        share_of_peak: share of the peak of its cores; None if that is not known.
        nominal_share: the same by the operations of the benchmark's definition; None if it has none
            of its own, or exceeds 1.
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
