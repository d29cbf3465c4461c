"""A run of a comparison: its rows that may be compared, each with its samples launch by launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from heorot.analyse.compare.builds import Build
from heorot.analyse.results import applies, group_series
from heorot.analyse.statistics.summary import FloatArray, Summary, summarise
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.series import Series


@dataclass(frozen=True)
class Side:
    """One of the runs.

    Attributes:
        results: its rows; only verified and plausible ones are compared.
        builds: what the program of every step was built from, by the step's id.
        crowded: ids of the steps whose ranks and threads had to share cores.
    """

    name: str
    system: str
    series: Sequence[Series]
    results: Sequence[Result]
    builds: Mapping[str, Build] = field(default_factory=dict)
    crowded: frozenset[str] = frozenset()
    disturbances: Disturbances = field(default_factory=Disturbances)


@dataclass(frozen=True, eq=False)
class Row:
    """One metric of one region at one point in one case.

    Attributes:
        build: what the program was built from, None if not known.
        crowded: whether ranks or threads had to share cores.
    """

    group: Group
    metric: Metric
    build: Build | None
    crowded: bool = False

    @property
    def first(self) -> Series:
        """Any of its series: they share everything but launch and samples."""
        return self.group.first

    @cached_property
    def launches(self) -> list[FloatArray]:
        """The samples, one array per launch."""
        return self.group.samples(self.metric)

    @cached_property
    def summary(self) -> Summary:
        """The median of the launches with its interval."""
        return summarise(self.launches)


def rows_of(side: Side, benchmarks: Sequence[Benchmark]) -> list[Row]:
    """The primary metric of every region of a run that is verified and plausible.

    A program's other metrics are the same samples in other units, and would count its evidence
    twice.
    """
    catalogue = {benchmark.name: benchmark for benchmark in benchmarks}
    refused = {row.key for row in side.results if not row.ranked and not row.derived}
    rows = []
    for group in group_series(side.series):
        one = group.first
        benchmark = catalogue.get(one.benchmark)
        if benchmark is None or group.verified != "passed" or one.key in refused:
            continue
        metric = next((m for m in benchmark.metrics if applies(m, one)), None)
        if metric is not None:
            crowded = any(each.step in side.crowded for each in group.series)
            rows.append(Row(group, metric, side.builds.get(one.step), crowded))
    return rows
