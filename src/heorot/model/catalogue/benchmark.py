"""A benchmark in the catalogue: cases, metrics and policy, readable before anything is built."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from heorot.model.base import Record
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import BLAS, Library
from heorot.model.catalogue.metrics import (
    Ceiling,
    Contribution,
    Headline,
    Metric,
    Reference,
    Traffic,
)
from heorot.model.catalogue.need import CheckedFile, Need
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import FORTRAN, CompilerKind
from heorot.model.point import Scalar
from heorot.model.run.experiment import Question

Profile = Literal["smoke", "quick", "standard", "full"]
PROFILES: tuple[Profile, ...] = ("smoke", "quick", "standard", "full")
Priority = Literal["headline", "main", "detail"]
PRIORITIES: tuple[Priority, ...] = ("headline", "main", "detail")
_TINY_BYTES = 64 << 20


class Case(Record):
    """One way to run a program, and its needs.

    Attributes:
        name: unique within the benchmark, such as `one_core`.
        options: command-line options of the program.
        fitted: names of the options that set the size of the problem and grow with the layout.
        ranks: MPI ranks in all.
        threads: OpenMP threads per rank.
        nodes: nodes over which the ranks are spread evenly.
        each_node: whether it runs on every node of the machine by itself, so that nodes can be
            compared with each other.
        kind: the core type that it is bound to, on a node with several types; empty if it takes
            cores in their order, the fastest type first.
        needs: resources of one launch; the case is skipped if the machine has less.
        working_set_bytes: working set of a body of all ranks together; 0 if not known [B].
        priority: order in which cases are planned if time is short: cases of the score card,
            further results, details.
    """

    name: str
    options: dict[str, bool | int | float | str]
    fitted: tuple[str, ...] = ()
    ranks: int = 1
    threads: int = 1
    nodes: int = 1
    each_node: bool = False
    kind: str = ""
    needs: Need = Need()
    working_set_bytes: int = 0
    priority: Priority = "main"

    @property
    def per_node(self) -> int:
        """Ranks on the node that has most of them."""
        return math.ceil(self.ranks / self.nodes)

    @property
    def needs_cores(self) -> int:
        """Distinct cores that it needs on all nodes together."""
        return self.nodes if self.needs.shared_cores else self.ranks * self.threads

    def problem(self, names: Iterable[str]) -> tuple[str, ...]:
        """The problem that it solves, by the values of options; fitted sizes count as equal."""
        return tuple("" if name in self.fitted else str(self.options.get(name)) for name in names)

    def estimated(
        self, *, memory_bytes: int, seconds: float, working_set_bytes: int | None = None
    ) -> Case:
        """This case with an estimate of its costs.

        Args:
            memory_bytes: what all ranks together will allocate, generously [B].
            seconds: how long one launch will take, start-up excluded [s].
            working_set_bytes: of a body of all ranks together; None leaves it as it is [B].
        """
        needs = self.needs.model_copy(update={"memory_bytes": memory_bytes, "seconds": seconds})
        sized = {} if working_set_bytes is None else {"working_set_bytes": working_set_bytes}
        return self.model_copy(update={"needs": needs} | sized)


class Size(Record):
    """The coordinate that gives the size of a problem.

    Attributes:
        coordinate: its name, such as `class` or `unknowns`.
        order: its values if they are words, the smallest first; empty if they are numbers.
        for_trying: values that are too small to judge a machine by.
        of: whether all ranks share a problem of that size (strong scaling), or each rank has one
            (weak scaling).
    """

    coordinate: str
    order: tuple[str, ...] = ()
    for_trying: tuple[str, ...] = ()
    of: Literal["all", "rank"] = "all"

    def rank(self, point: Mapping[str, Scalar]) -> float:
        """A number that grows with the size of a problem.

        Raises:
            ValueError: the coordinate has a word that the order lacks.
        """
        value = point[self.coordinate]
        return float(self.order.index(str(value)) if self.order else value)

    def is_for_trying(self, point: Mapping[str, Scalar]) -> bool:
        """Whether a problem is too small to judge a machine by."""
        return point.get(self.coordinate) in self.for_trying

    def word(self, point: Mapping[str, Scalar]) -> str:
        """The size as it follows a program: `class A`, `with 4096 unknowns`, `with n = 9`."""
        value = point[self.coordinate]
        each = " for each rank" if self.of == "rank" else ""
        if self.order:
            return f"{self.coordinate} {value}{each}"
        if len(self.coordinate) == 1:
            return f"with {self.coordinate} = {value:g}{each}"
        return f"with {value:g} {self.coordinate.replace('_', ' ')}{each}"


class OverNodes(Protocol):
    """Returns the cases that a profile runs on some nodes of a machine."""

    def __call__(
        self, machine: Machine, profile: Profile, nodes: int, per_node: Sequence[int] = (), /
    ) -> tuple[Case, ...]:
        """The cases.

        Args:
            nodes: number of nodes; one only if ranks are given.
            per_node: ranks on every node; empty for the program's own layouts.
        """
        ...


@dataclass(frozen=True)
class Benchmark:
    """A program with its description, known before it runs.

    Attributes:
        name: path, program and key in one, such as `memory/stream`.
        metrics: the numbers it yields; the first stands for its speed.
        cases: which cases a profile runs on a machine.
        tiny: its smallest valid run: for tests, and for sanitizers, which are slow.
        measures: what it measures, in the field's words, short enough for one line of a list.
        title: its name in sentences; empty means its name.
        size: how large its problems are; None if that has no meaning.
        problem: options that define the problem of a case: cases that agree in them are compared
            over cores, nodes and copies.
        suits: the questions that it answers better than others: it comes first there.
        communicates_by: name of the reference to the quantity that limits its communication, such
            as message latency; empty if that is not known, or it has none.
        profiles: those that run it; others do so only if it is asked for by name.
        over_nodes: which cases a profile runs on several nodes of a machine; None if the program
            stays in a node.
        every_node: names of cases of one node; the first existing one runs on each node by itself,
            to compare nodes.
        every_pair: the same for cases of two nodes, on each pair of neighbours.
        every_kind: names of cases of one core that also run on each further core type.
        estimate: returns a case with the time and memory that its options need on a machine, also
            for a case that the user chose; None if the family cannot estimate it.
        derived: metrics that the analysis of its family adds.
        publishes: quantities that other programs may refer to.
        contributions: the kernels that do the work of its flops.
        traffic: bytes moved per byte counted, where they differ.
        figures: figures of the report, most important first.
        needs_mpi: whether it is meaningless without MPI.
        compilers: kinds of compilers that it cannot be built without, besides C++.
        libraries: third-party code that it measures besides its own, with the regions of both.
        fortran_regions: regions of Fortran kernels, which builds without Fortran lack.
    """

    name: str
    metrics: tuple[Metric, ...]
    cases: Callable[[Machine, Profile], tuple[Case, ...]] = field(repr=False)
    tiny: Case
    measures: str = ""
    title: str = ""
    size: Size | None = None
    problem: tuple[str, ...] = ()
    suits: tuple[Question, ...] = ()
    communicates_by: str = ""
    profiles: tuple[Profile, ...] = PROFILES
    over_nodes: OverNodes | None = field(default=None, repr=False)
    every_node: tuple[str, ...] = ()
    every_pair: tuple[str, ...] = ()
    every_kind: tuple[str, ...] = ()
    estimate: Callable[[Machine, Case], Case] | None = field(default=None, repr=False)
    derived: tuple[str, ...] = ()
    publishes: tuple[Reference, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    headlines: tuple[Headline, ...] = ()
    figures: tuple[Figure, ...] = ()
    needs_mpi: bool = False
    compilers: tuple[CompilerKind, ...] = ()
    fortran_regions: tuple[str, ...] = ()
    libraries: tuple[Library, ...] = ()

    @property
    def family(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

    @property
    def target(self) -> str:
        """The program's CMake target."""
        return self.name.replace("/", "_")

    @property
    def blas_regions(self) -> tuple[str, ...]:
        """Regions that measure a BLAS or LAPACK besides its own code."""
        return tuple(
            name for library in self.libraries if library.note == BLAS for name in library.regions
        )

    @property
    def uses_blas(self) -> bool:
        """Whether it measures a BLAS or LAPACK besides its own code."""
        return bool(self.blas_regions)

    @property
    def touched_by(self) -> tuple[CompilerKind, ...]:
        """Kinds of compilers that build any part of it, besides C++."""
        return (*self.compilers, *([FORTRAN] if self.fortran_regions else []))

    @property
    def display_name(self) -> str:
        """Its name in sentences."""
        return self.title or self.name

    def metric(self, name: str) -> Metric | None:
        """The metric of that name, if the benchmark has it."""
        return next((metric for metric in self.metrics if metric.name == name), None)

    def moves(self, region: str) -> Traffic:
        """The bytes moved for each byte that a region counts."""
        fitting = (one for one in self.traffic if not one.regions or region in one.regions)
        return next(fitting, Traffic())


def tiny_case(
    options: Mapping[str, bool | Scalar] | None = None,
    *,
    ranks: int = 1,
    inputs: tuple[CheckedFile, ...] = (),
) -> Case:
    """The smallest valid run of a program."""
    needs = Need(shared_cores=True, memory_bytes=_TINY_BYTES, seconds=1.0, inputs=inputs)
    return Case(name="tiny", options=dict(options or {}), ranks=ranks, needs=needs)


OWN_LINE = "  "
"""Begins a line of its own in a section: an equation, or the work of one region."""


class Header(Record):
    """The header comment of a program's source, for the report and `heorot list`.

    Attributes:
        sections: method, counts, comparable, verified, source, example, in the order of the file;
            lines that begin with OWN_LINE are lines of their own.
    """

    question: str
    sections: dict[str, str]

    @property
    def comparable(self) -> str:
        """Whether its results compare with published ones: `Yes`, `In part`, `No`; or empty."""
        answer, colon, _ = self.sections.get("Comparable", "").partition(":")
        return answer if colon else ""
