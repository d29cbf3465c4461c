"""What a program measures: metrics, what it publishes of them, what limits them, its headlines."""

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
        formerly: what that count is called in records that lack it, because they are older.
        beside: a count that must be there too: without it, `count` is older and means another
            thing.
        regions: the regions it is computed for; empty means all that have the count.
        per_rank: whether the amount is divided by the ranks: cycles are counted over all of them,
            but each has a clock of its own.
    """

    name: str
    unit: str
    better: Better
    count: str = ""
    formerly: str = ""
    beside: str = ""
    regions: tuple[str, ...] = ()
    per_rank: bool = False

    @property
    def is_rate(self) -> bool:
        """Whether the value is an amount per second rather than a time per amount."""
        return self.better == "higher"

    def amount(self, counts: Mapping[str, float]) -> float:
        """What a region with such counts does per body; 0 if the metric is not for it."""
        if not self.count:
            return 1.0
        if self.beside and self.beside not in counts:
            return 0.0
        return counts.get(self.count, counts.get(self.formerly, 0.0))


class Reference(Record):
    """A measured quantity that a program publishes for others, who know it by name only.

    Attributes:
        name: such as `flop_peak`; unique among all families.
        metric: the metric, or the derived quantity.
        point: coordinates that it must have; others are free.
        first: whether the first of the regions that was measured counts, as the most trustworthy;
            else all of them do.
        least_share: what it reaches of its own ceiling if it was measured well; if it reaches
            less, or passes it as far, it is a doubtful ceiling of others. 0 if it has none.
        of_each: whether a row says what each core does, however many it used, as a clock does;
            else what all of them do together.
    """

    name: str
    metric: str
    regions: tuple[str, ...]
    point: dict[str, int | float | str] = Field(default_factory=dict)
    first: bool = False
    least_share: float = 0.0
    of_each: bool = False


class Ceiling(Record):
    """Why a metric cannot be larger than it is.

    Of the rows that a reference names the best one that used as much of the same resource of a node
    counts, times the nodes; if there is none, the best row of one unit times those used. What all
    nodes share limits rows by what was seen of it from at least as many nodes.

    Attributes:
        regions: the regions it limits; empty means all.
        by: name of the reference that measures the limit; empty if `most` says it.
        most: what no machine on sale exceeds, in the metric's unit. It makes a larger value
            impossible and yields no share of itself, because nothing is expected to reach it.
        refuses_only: the same of a measured limit that is beyond what any machine is expected to
            reach, such as eight operations a cycle.
        carried: whether bytes are compared that memory carries, rather than those counted: what
            stores fetch and write back, too (`Traffic`).
        factor: how much of the measured ceiling is the limit (units convert here too).
        reach: own coordinate, coordinate of the measured rows, factor: only rows at least that
            far out are a ceiling, as larger vectors for larger messages; None if any row is.
        of: the resource that limits it: as much of it as the row used, or so much and no more, such
            as one core inside a node, however many a row used. A file system or device without a
            name is the one that the row used.
        slack: how many times the ceiling a value must exceed to be impossible: above 1.05 where
            some machines pass the ceiling for a known reason.
        reason: why it limits, a clause such as `no core computes faster than its units`.
        unreached: why the program does not come near it, a clause; empty if it may.
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
            raise ValueError("a ceiling is either measured or a constant")
        return self

    @property
    def inside_only(self) -> bool:
        """Whether it is of so much of a node, and says nothing of what is between nodes."""
        return self.of.n is not None


class Traffic(Record):
    """What moves between cores and a level beyond the first, for each byte that is counted.

    Counted is every operand that is loaded or stored. A line that is loaded and stored is fetched
    once. One that is stored only is fetched before, as caches do (write-allocate). All that was
    stored is written back.

    Attributes:
        regions: what is told of; empty means all regions.
        fetched: bytes that come, for each byte counted.
        carried: bytes that come or go, for each byte counted.
    """

    regions: tuple[str, ...] = ()
    fetched: float = Field(default=1.0, gt=0.0)
    carried: float = Field(default=1.0, gt=0.0)


class Contribution(Record):
    """What part of a program's flops is the work of a kernel, whose speed somebody publishes.

    The rate that a program should have by its kernels is 1 / sum(share / rate), with the rates of
    kernels that go over working sets as large as the program's.

    Attributes:
        kernel: name of the reference to the rates of the kernel, by `working_set_bytes`.
        title: what the kernel is called, such as `axpy`.
        share: of the flops that the program performs, of large problems.
        regions: the regions that consist of it; empty means all.
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
            largest value of a coordinate. The order of rows means nothing.
        by: this coordinate, a number; rows without it do not count.
        tells_level: whether the label is to say how much memory the row goes over, and which level
            holds that, as measured. A label itself speaks of no level that it does not know.
        nodes: on how many nodes it ran: `one` is about what a node does, `several` about what is
            between nodes.
        share_of: what its share is a share of, where its family says so and no ceiling does.
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
