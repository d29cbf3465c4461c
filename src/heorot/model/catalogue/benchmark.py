"""What the catalogue says of a benchmark: policy, readable before anything is built."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from heorot.model.base import Record
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

Profile = Literal["smoke", "quick", "standard", "full"]
PROFILES: tuple[Profile, ...] = ("smoke", "quick", "standard", "full")
Better = Literal["higher", "lower"]


class Metric(Record):
    """A number computed from a region's samples.

    The value of one sample is `amount / seconds` for a rate and `seconds / amount` for a time,
    where seconds are those of one body and the amount is the region's count of that name.

    Attributes:
        name: such as `bandwidth`.
        unit: SI unit of the value, such as `B/s`.
        better: direction.
        count: the count that is the amount; empty means the plain time of a body.
        regions: the regions it is computed for; empty means all that have the count.
    """

    name: str
    unit: str
    better: Better
    count: str = ""
    regions: tuple[str, ...] = ()

    @property
    def is_rate(self) -> bool:
        """Whether the value is an amount per second rather than a time per amount."""
        return self.better == "higher"


class Ceiling(Record):
    """Why a metric cannot be larger than it is: a row measured by a program.

    The best matching row with the same number of cores counts; if there is none, the best row of
    one core times the cores used.

    Attributes:
        metric: the metric that is limited.
        regions: the regions it limits; empty means all.
        by_benchmark: the program that measured the ceiling.
        by_regions: its regions, best one counts.
        by_metric: its metric.
        factor: how much of the measured ceiling is the limit (units convert here too).
        reach: own coordinate, coordinate of the measured rows, factor: only rows at least that
            far out are a ceiling, as larger vectors for larger messages; None if any row is.
        cores: `used` scales a one-core ceiling by the cores used, `one` does not.
        slack: how many times the ceiling a value must exceed to be impossible: above 1.05 where
            some machines pass the ceiling for a known reason.
        reason: a clause for the report, such as `every store first loads its line`.
    """

    metric: str
    regions: tuple[str, ...] = ()
    by_benchmark: str
    by_regions: tuple[str, ...]
    by_metric: str
    factor: float = 1.0
    reach: tuple[str, str, float] | None = None
    cores: Literal["used", "one"] = "used"
    slack: float = 1.05
    reason: str = ""


class Headline(Record):
    """The one or two numbers that stand for a program on the score card.

    Attributes:
        label: such as `Triad, all cores`.
        metric: a metric or a derived quantity of the analysis.
        region: the region it belongs to.
        point: coordinates it must have; other coordinates are free.
        pick: which of several matching rows, by value: the best, or the last by point.
    """

    label: str
    metric: str
    region: str
    point: dict[str, int | float | str] = Field(default_factory=dict)
    pick: Literal["best", "last"] = "best"


class Case(Record):
    """One way to run a program, with what it will need.

    Attributes:
        name: unique within the benchmark, such as `one_core`.
        options: command-line options of the program.
        ranks: MPI ranks in all.
        threads: OpenMP threads per rank.
        nodes: nodes over which the ranks are spread evenly.
        needs_cores: distinct cores it must have on all nodes together to mean anything; fewer
            skips the case.
        memory_bytes: what all ranks together will allocate, generously [B].
        working_set_bytes: what a body of all ranks together touches again and again; 0 if not
            known [B].
        seconds: how long one launch will take, start-up excluded [s].
    """

    name: str
    options: dict[str, bool | int | float | str]
    ranks: int = 1
    threads: int = 1
    nodes: int = 1
    needs_cores: int = 1
    memory_bytes: int
    working_set_bytes: int = 0
    seconds: float

    @property
    def per_node(self) -> int:
        """Ranks on the node that has most of them."""
        return math.ceil(self.ranks / self.nodes)


@dataclass(frozen=True)
class Benchmark:
    """A program of the catalogue.

    Attributes:
        name: path, program and key in one, such as `memory/stream`.
        metrics: the numbers it yields.
        cases: which cases a profile runs on a machine.
        ceilings: what limits its metrics.
        headlines: its lines on the score card.
        figures: what the report draws, most important first.
        needs_mpi: whether it means anything without MPI.
    """

    name: str
    metrics: tuple[Metric, ...]
    cases: Callable[[Machine, Profile], tuple[Case, ...]] = field(repr=False)
    ceilings: tuple[Ceiling, ...] = ()
    headlines: tuple[Headline, ...] = ()
    figures: tuple[Figure, ...] = ()
    needs_mpi: bool = False

    @property
    def family(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

    @property
    def target(self) -> str:
        """The program's CMake target."""
        return self.name.replace("/", "_")

    def metric(self, name: str) -> Metric | None:
        """The metric of that name, if the benchmark has it."""
        return next((metric for metric in self.metrics if metric.name == name), None)


class Header(Record):
    """What a program's source says of itself, for the report and `heorot list`.

    Attributes:
        question: the question it answers.
        sections: method, counts, verified, source, in the order of the file.
    """

    question: str
    sections: dict[str, str]
