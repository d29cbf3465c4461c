"""The lines of a program's record, as harness/record/ writes them (see docs/records.md)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from heorot.model.base import Count, Int64, NonNegative, PositiveInt, UnixTime
from heorot.model.point import Options, Point, Scalar
from heorot.model.run.ranks import Own, Phase, SampleSeconds, Starts, Written

SCHEMA = 1

# Separates the names of a pair of nodes in a point; host names do not contain it.
PAIRED = "/"
# The coordinate of measurements on one core type.
CORE_KIND = "core_kind"
# A difference of two clocks may be negative.
Difference = Annotated[float, Field(gt=-1e100, lt=1e100, allow_inf_nan=False)]
# The value of a check may be NaN or infinite.
Anything = Annotated[float, Field(allow_inf_nan=True)]


class Placement(Written):
    """Placement of one rank as measured."""

    rank: Count
    host: str
    pid: Count
    cpus: tuple[Count, ...]
    numa: tuple[Count, ...] = ()


class ClockFacts(Written):
    """Measured properties of one clock [s]."""

    name: str
    resolution_seconds: Difference
    overhead_seconds: Difference
    monotonic: bool


class Clock(ClockFacts):
    """The clock in use and the clocks it was chosen from."""

    others: tuple[ClockFacts, ...] = ()


class RunLine(Written):
    """First line: program, options, placement and build."""

    type: Literal["run"]
    schema_version: int = Field(alias="schema")
    benchmark: str
    options: Options
    ranks: PositiveInt
    threads: PositiveInt
    placement: tuple[Placement, ...]
    compiler: str
    flags: str
    mpi_library: str
    mpi_standard: str
    clock: Clock
    started: UnixTime


class NoteLine(Written):
    """A fact the program found while running, such as its vector width."""

    type: Literal["note"]
    name: str
    value: Scalar


class Disturbance(Written):
    """Other activity on the hosts during a window.

    Attributes:
        involuntary_switches: context switches forced on our ranks.
        steal_seconds: CPU time that the hypervisor gave to other guests [s].
        other_cpu_seconds: CPU time of other processes on our hosts [s]; None if unresolvable.
        waited_seconds: time in which our threads were runnable without a core [s]; None if the
            kernel does not report it, or in older records.
        energy_joules: energy of processors and memories of our hosts [J]; None if one of them does
            not report it, or in older records.
        memory_bytes: bytes that the memory controllers of our hosts read and wrote for all
            processes [B]; None likewise.
        window_seconds: length of the window [s].
        sentinel_before: slowdown of the reference probe before the window (1 = its fastest).
    """

    involuntary_switches: Int64
    steal_seconds: Difference
    other_cpu_seconds: Difference | None
    waited_seconds: Difference | None = None
    energy_joules: Difference | None = None
    memory_bytes: Difference | None = None
    window_seconds: Difference
    sentinel_before: Difference
    sentinel_after: Difference


class SecondClock(Written):
    """The sampling loop's length on another clock [s]."""

    name: str
    elapsed_seconds: Difference


def _none_as_empty(phases: object) -> object:
    return () if phases is None else phases


class RegionLine(Written):
    """All samples of one region at one point.

    Attributes:
        seconds: raw length of every sample, maximum over ranks [s].
        repetitions: bodies in one sample.
        counts: work per body, summed over ranks and threads.
        phases: the parts of a body; empty if the program does not record them.
        own: times of the ranks themselves; None for one rank, and in older records.
        starts: start skew if every body was synchronised; None if only samples were.
    """

    type: Literal["region"]
    name: str
    point: Point
    seconds: tuple[SampleSeconds, ...]
    repetitions: Annotated[Int64, Field(ge=1)]
    counts: dict[str, NonNegative]
    synchronisation: Literal["none", "barrier", "window"]
    stopped: Literal["precision", "ceiling", "budget"]
    warmup_seconds: NonNegative
    elapsed_seconds: NonNegative
    second_clock: SecondClock | None
    disturbance: Disturbance
    phases: Annotated[tuple[Phase, ...], BeforeValidator(_none_as_empty)] = ()
    own: Own | None = None
    starts: Starts | None = None

    @model_validator(mode="after")
    def _has_both_lengths_of_a_sample(self) -> Self:
        if self.starts is None:
            return self
        means = self.starts.mean_seconds or self.seconds
        if not len(self.starts.local_seconds) == len(means) == len(self.seconds):
            raise ValueError(f"region {self.name} has other samples of single ranks than of all")
        return self


class CheckLine(Written):
    """One verification: passed if value <= tolerance."""

    type: Literal["check"]
    name: str
    value: Anything
    tolerance: Anything
    passed: bool
    region: str | None = None
    point: Point | None = None


class RefusedLine(Written):
    """The program cannot run here, with the reason."""

    type: Literal["refused"]
    reason: str


class Traffic(Written):
    """Traffic of a network interface while the program ran, over all nodes of the job.

    Attributes:
        interface: such as `eth0`; a port of an adapter as `mlx5_0:1`.
        sent_bytes: sum over these nodes [B].
        received_bytes: sum over these nodes [B].
        least_bytes: sent and received bytes of the node with the least traffic [B].
        most_bytes: sent and received bytes of the node with the most traffic [B].
    """

    interface: Annotated[str, Field(pattern=r"^[^\s/\x00-\x1f\x7f]{1,100}$")]
    nodes: PositiveInt
    sent_bytes: Count
    received_bytes: Count
    least_bytes: Count
    most_bytes: Count

    @property
    def unsent_bytes(self) -> int:
        """Received minus sent bytes: traffic from other hosts [B]."""
        return self.received_bytes - self.sent_bytes

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        both = self.sent_bytes + self.received_bytes
        if not self.nodes * self.least_bytes <= both <= self.nodes * self.most_bytes:
            raise ValueError(f"the bytes of {self.interface} are not those of its nodes")
        return self


class EndLine(Written):
    """Last line; its absence means the program failed. `traffic` is of several nodes only."""

    type: Literal["end"]
    passed: bool
    checks: Count
    failed: Count
    elapsed_seconds: Difference
    user_seconds: tuple[Difference, ...]
    system_seconds: tuple[Difference, ...]
    peak_memory_bytes: tuple[Count, ...]
    involuntary_switches: tuple[Int64, ...]
    disturbance: Disturbance
    traffic: tuple[Traffic, ...] | None = None


Line = Annotated[
    RunLine | NoteLine | RegionLine | CheckLine | RefusedLine | EndLine,
    Field(discriminator="type"),
]
