"""Metrics of a program, the quantities that it publishes, bounds of metrics, and headlines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field, model_validator

from heorot.model.base import Record
from heorot.model.resource import CORES, Resource

Better = Literal["higher", "lower"]


class Metric(Record):
    """A number computed from a region's samples.

    The value of one sample is `amount / seconds` for a rate and `seconds / amount` for a time,
    where seconds are those of one body and the amount is the region's count of that name.

    Attributes:
        name: such as `bandwidth`.
        unit: SI unit of the value, such as `B/s`.
        count: the count that is the amount; empty means the plain time of a body.
        formerly: the name of that count in older records.
        requires: a count that must exist, too: in older records without it, `count` has another
            meaning.
        regions: the regions it is computed for; empty means all that have the count.
        per_rank: whether the amount is divided by the ranks: cycles are counted over all of them,
            but each has a clock of its own.
        over_ranks: whose time of a body counts: the slowest rank's, or the mean over the ranks,
            which only bodies with common starts have.
    """

    name: str
    unit: str
    better: Better
    count: str = ""
    formerly: str = ""
    requires: str = ""
    regions: tuple[str, ...] = ()
    per_rank: bool = False
    over_ranks: Literal["slowest", "mean"] = "slowest"

    @property
    def is_rate(self) -> bool:
        """Whether the value is an amount per second rather than a time per amount."""
        return self.better == "higher"

    def amount(self, counts: Mapping[str, float]) -> float:
        """Amount per body of a region with these counts; 0 if the metric does not apply."""
        if not self.count:
            return 1.0
        if self.requires and self.requires not in counts:
            return 0.0
        return counts.get(self.count, counts.get(self.formerly, 0.0))


class Reference(Record):
    """A measured quantity that a program publishes for others under a name.

    Attributes:
        name: such as `flop_peak`; unique among all families.
        metric: the metric, or the derived quantity.
        point: coordinates that it must have; others are free.
        first: whether only the first measured region counts, as the most trustworthy one; else all
            regions count.
        least_share: least share of its own bound in a good measurement; below it, or that far above
            the bound, it is a suspect bound of others. 0 if it has no bound.
        of_each: whether a row is the value of each core, such as a clock rate; else it is the sum
            over all cores.
    """

    name: str
    metric: str
    regions: tuple[str, ...]
    point: dict[str, int | float | str] = Field(default_factory=dict)
    first: bool = False
    least_share: float = 0.0
    of_each: bool = False


class Ceiling(Record):
    """An upper bound of a metric.

    The bound is the best row of a reference with the same use of the resource on a node, times the
    number of nodes; without such a row, the best row of one unit times the units used. A resource
    that all nodes share bounds rows by measurements from at least as many nodes.

    Attributes:
        regions: the regions it limits; empty means all.
        by: name of the reference that measures the limit; empty if `most` is the limit.
        most: a value that no machine on sale exceeds, in the metric's unit. Larger values are
            impossible; shares of it are not reported, since nothing is expected to reach it.
        refuses_only: whether the same holds for a measured limit that no machine is expected to
            reach, such as eight operations per cycle.
        carried: whether the bytes that memory carries are compared instead of those counted:
            including write-allocate and write-back (`Traffic`).
        factor: factor from the measured bound to the limit (also converts units).
        reach: own coordinate, coordinate of the measured rows, factor: only rows at least that far
            out are a bound, as larger vectors for larger messages; None if any row is.
        of: the resource that limits it: the amount that the row used, or a fixed amount, such as
            one core inside a node. A file system or device without a name is the one that the row
            used.
        slack: values above this multiple of the bound are implausible: more than 1.05 if some
            machines exceed the bound for a known reason.
        reason: why it is a bound, a clause such as `no core computes faster than its units`.
        unreached: why the program cannot come close to it, a clause; empty if it can.
    """

    metric: str
    regions: tuple[str, ...] = ()
    by: str = ""
    most: float | None = None
    refuses_only: bool = False
    carried: bool = False
    factor: float = 1.0
    reach: tuple[str, str, float] | None = None
    of: Resource = CORES
    slack: float = 1.05
    reason: str = ""
    unreached: str = ""

    @model_validator(mode="after")
    def _has_one_limit(self) -> Self:
        if bool(self.by) == (self.most is not None):
            raise ValueError("a bound is either measured or a constant")
        return self

    @property
    def inside_only(self) -> bool:
        """Whether it bounds a fixed part of a node only, not quantities between nodes."""
        return self.of.n is not None


class Traffic(Record):
    """Traffic between cores and a level beyond L1, per byte counted.

    Every operand that is loaded or stored is counted. A cache line that is loaded and stored is
    fetched once; one that is only stored is fetched, too (write-allocate). Every stored line is
    written back.

    Attributes:
        regions: the regions it applies to; empty means all regions.
        fetched: bytes fetched per byte counted.
        carried: bytes fetched or written back per byte counted.
    """

    regions: tuple[str, ...] = ()
    fetched: float = Field(default=1.0, gt=0.0)
    carried: float = Field(default=1.0, gt=0.0)


class Contribution(Record):
    """The share of a kernel, whose speed is published, in the flops of a program.

    The rate predicted from kernels is 1 / sum(share / rate), with the rates of the kernels for
    working sets as large as the program's.

    Attributes:
        kernel: name of the reference to the rates of the kernel, by `working_set_bytes`.
        title: name of the kernel, such as `axpy`.
        share: share of the flops that the program performs, for large problems.
        regions: the regions that consist of the kernel; empty means all.
    """

    kernel: str
    title: str
    share: float = Field(gt=0.0, le=1.0)
    regions: tuple[str, ...] = ()


class Headline(Record):
    """The one or two numbers that stand for a program on the score card.

    Attributes:
        label: such as `Triad, all cores`.
        metric: a metric or a derived quantity of the analysis.
        point: coordinates it must have; other coordinates are free.
        pick: which of several matching rows: the best by value, or the best of those with the
            largest value of a coordinate. The order of rows does not matter.
        by: this coordinate, a number; rows without it do not count.
        tells_level: whether the label adds the working set of the row, and the level in which it
            was measured to be resident. A label itself never names an unverified level.
        nodes: number of nodes it ran on: `one` for quantities of a node, `several` for those
            between nodes.
        share_of: the denominator of its share, if its family and not a bound defines it.
        bound: the same in a few words.
        each: a file system or device without a name: each one that rows used has a line of its own,
            with its name in the label.
    """

    label: str
    metric: str
    region: str
    point: dict[str, int | float | str] = Field(default_factory=dict)
    pick: Literal["best", "largest"] = "best"
    by: str = "working_set_bytes"
    tells_level: bool = False
    nodes: Literal["one", "several", "any"] = "one"
    share_of: str = ""
    bound: str = ""
    each: Resource | None = None
