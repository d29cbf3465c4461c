"""What a family may look at when it explains the results of its programs."""

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
from heorot.model.run.identity import Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step


class References:
    """Measured quantities by the names under which programs publish them.

    This is how families speak of each other's results: nobody needs to know whose program measured
    the peak. A quantity that nobody publishes, or that was not measured in this run, has no rows.

    Args:
        benchmarks: the programs that publish.
        rows: all rows.
    """

    def __init__(self, benchmarks: Iterable[Benchmark], rows: Rows) -> None:
        self._published = {
            reference.name: (benchmark.name, reference)
            for benchmark in benchmarks
            for reference in benchmark.publishes
        }
        self._rows = rows

    def publisher(self, name: str) -> tuple[str, Reference] | None:
        """The program that publishes a quantity and how; None if there is none."""
        return self._published.get(name)

    def find(
        self, name: str, *, cores: int | None = None, stack: Stack | None = None
    ) -> list[Result]:
        """Trustworthy rows of a published quantity, in their order.

        Args:
            name: of the reference.
            cores: cores used, if it matters.
            stack: toolchain and network, if they matter.
        """
        if name not in self._published:
            return []
        benchmark, reference = self._published[name]
        found: list[Result] = []
        for region in reference.regions:
            found += self._rows.find(
                benchmark,
                region,
                reference.metric,
                point=reference.point,
                cores=cores,
                stack=stack,
            )
            if found and reference.first:
                break
        return found


@dataclass(frozen=True)
class Context:
    """A run as a family sees it.

    Attributes:
        groups: the samples, in the order of the catalogue.
        rows: all results so far: those of the samples first, then what families derive, each in
            its turn.
        machine: where it ran.
        steps: all steps, repeats included.
        outcomes: how they ended.
        seed: of resampling.
        benchmarks: the programs by name.
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
        """What families publish, found among the rows."""
        return References(self.benchmarks.values(), self.rows)

    def adding(self, rows: Iterable[Result]) -> Context:
        """The run with these rows behind all others."""
        return replace(self, rows=self.rows.adding(rows))

    def replacing(self, rows: Iterable[Result]) -> Context:
        """The run with these rows in the places of those with the same names."""
        return replace(self, rows=self.rows.replacing(rows))

    @property
    def stacks(self) -> list[Stack]:
        """Toolchains with their networks that yielded results, in their order."""
        return list(dict.fromkeys(row.stack for row in self.rows))

    def spoken(self, benchmark: str) -> str:
        """What sentences call a program."""
        known = self.benchmarks.get(benchmark)
        return known.spoken if known else benchmark
