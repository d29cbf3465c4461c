"""The view of a run that families have when they explain the results of their programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Reference
from heorot.model.machine.machine import Machine
from heorot.model.resource import CORES, Resource
from heorot.model.run.identity import InSetup, Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step


class Uses:
    """Resources that rows used: cores and nodes by layout, the rest as planned."""

    def __init__(self, steps: Iterable[Step], machine: Machine) -> None:
        self._planned = {step.setup: step.resources for step in steps if step.resources}
        self._machine = machine

    def which(self, row: InSetup, of: Resource) -> Resource:
        """A resource of a row: without a name the one of its kind that it used."""
        if of.name or of.kind not in {"device", "filesystem"}:
            return of
        planned = self._planned.get(row.setup, ())
        own = next((one for one in planned if one.kind == of.kind), of)
        return replace(own, n=of.n)

    def much(self, row: InSetup, of: Resource) -> int:
        """Amount of a resource that a row used, on all its nodes; 0 if none.

        A resource shared by all nodes counts once, one of each node counts per node.
        """
        if of.kind == "cores":
            return row.cores
        if of.kind == "link":
            return int(row.nodes > 1)
        planned = self._planned.get(row.setup, ())
        used = next((one for one in planned if one.is_same(of)), None)
        if used is not None and used.n is not None:
            return used.n
        each_has_one = not self.is_between_nodes(of)
        is_used = used is not None or of.kind in {"node", "memory"}
        return is_used * (row.nodes if each_has_one else 1)

    def is_between_nodes(self, of: Resource) -> bool:
        """Whether all nodes share it."""
        return self._machine.is_between_nodes(of)

    def is_of(self, row: InSetup, of: Resource) -> bool:
        """Whether a row used that amount of a resource; any amount if it does not matter."""
        much = self.much(row, of)
        return much > 0 if of.n is None else much == of.n

    def computing(self, row: InSetup) -> Resource:
        """The computing resource of a row: its devices, or its cores if it has none."""
        planned = self._planned.get(row.setup, ())
        return next((one for one in planned if one.kind == "device"), CORES.of(row.cores))


class References:
    """Measured quantities by the names under which programs publish them.

    Families use each other's results by these names, whatever program measured them. A quantity
    that no program publishes, or that was not measured in this run, has no rows.
    """

    def __init__(self, benchmarks: Iterable[Benchmark], rows: Rows, uses: Uses) -> None:
        self._published = {
            reference.name: (benchmark.name, reference)
            for benchmark in benchmarks
            for reference in benchmark.publishes
        }
        self._rows, self._uses = rows, uses

    def publisher(self, name: str) -> tuple[str, Reference] | None:
        """The program that publishes a quantity, and its rule; None if there is none."""
        return self._published.get(name)

    def find(
        self, name: str, *, of: Resource | None = None, stack: Stack | None = None
    ) -> list[Result]:
        """Trustworthy rows of a published quantity, in their order."""
        if name not in self._published:
            return []
        benchmark, reference = self._published[name]
        found: list[Result] = []
        for region in reference.regions:
            rows = self._rows.find(
                benchmark, region, reference.metric, point=reference.point, stack=stack
            )
            found += [row for row in rows if of is None or self._uses.is_of(row, of)]
            if found and reference.first:
                break
        return found


@dataclass(frozen=True)
class Context:
    """A run as a family sees it.

    Attributes:
        groups: the samples, in the order of the catalogue.
        rows: all results so far: those from samples first, then those that families derive, in the
            families' order.
        outcomes: how they ended.
        seed: of resampling.
    """

    groups: Sequence[Group]
    rows: Rows
    machine: Machine
    steps: Sequence[Step]
    outcomes: Sequence[Outcome]
    seed: int
    benchmarks: Mapping[str, Benchmark]

    @cached_property
    def references(self) -> References:
        """The published quantities, found among the rows."""
        return References(self.benchmarks.values(), self.rows, self.uses)

    @cached_property
    def uses(self) -> Uses:
        """Resources that rows used."""
        return Uses(self.steps, self.machine)

    def adding(self, rows: Iterable[Result]) -> Context:
        """The run with these rows after all others."""
        return replace(self, rows=self.rows.adding(rows))

    def replacing(self, rows: Iterable[Result]) -> Context:
        """The run with these rows in place of those with the same names."""
        return replace(self, rows=self.rows.replacing(rows))

    @property
    def stacks(self) -> list[Stack]:
        """Toolchains with their networks that yielded results, in their order."""
        return list(dict.fromkeys(row.stack for row in self.rows))

    def display_name(self, benchmark: str) -> str:
        """The name of a program in sentences."""
        known = self.benchmarks.get(benchmark)
        return known.display_name if known else benchmark
