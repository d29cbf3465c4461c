"""Compares several systems: each with the first one, by the rules for two runs.

A verdict on a system does not depend on which other systems are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from heorot.analyse.compare.advantage import find_advantages
from heorot.analyse.compare.facts import Known, differing_facts
from heorot.analyse.compare.published import RunRows, compare_published
from heorot.analyse.compare.runs import SideRows, compare_rows
from heorot.analyse.compare.sentences import make_system_sentences
from heorot.model.analysis.comparison import ComparedGroup, ComparedMetric, Comparison
from heorot.model.analysis.published import Publication
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import (
    Bound,
    GroupRow,
    SideBySide,
    System,
    SystemRow,
)
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.identity import Key


@dataclass(frozen=True)
class Contender:
    """One of the systems with everything compared.

    Attributes:
        of: its run with the rows, or the published machine.
        facts: of its machine; None if nothing is on record.
        builds: of its programs; None if nothing is on record.
    """

    system: System
    of: SideRows | Publication
    facts: Known | None = None
    builds: Known | None = None


@dataclass(frozen=True)
class Frame:
    """Input shared by all comparisons.

    Attributes:
        table: all rows of the first system; empty if no published machine is among the others.
        bounds: the bound of each program, by name.
    """

    benchmarks: Sequence[Benchmark]
    table: Sequence[Result] = ()
    bounds: Mapping[str, str] = field(default_factory=dict)


def compare_systems(contenders: Sequence[Contender], frame: Frame) -> SideBySide:
    """Compare every further system with the first, which has to be a run.

    Args:
        contenders: at least two.
    """
    first, *others = contenders
    comparisons = [_compare(first, other, frame) for other in others]
    known = {benchmark.name: benchmark for benchmark in frame.benchmarks}
    place = {name: number for number, name in enumerate(known)}
    advantages = [
        each
        for number, one in enumerate(comparisons, start=1)
        for each in find_advantages(one.metrics, known, number)
    ]
    facts = differing_facts([each.facts for each in contenders])
    builds = differing_facts([each.builds for each in contenders])
    builds_known = all(each.builds for each in contenders if not each.system.is_published)
    return SideBySide(
        systems=tuple(each.system for each in contenders),
        comparisons=tuple(comparisons),
        rows=tuple(sorted(_rows(comparisons), key=lambda row: place[row.benchmark])),
        groups=tuple(
            sorted(_groups(comparisons, frame.bounds), key=lambda group: _precedence(group, place))
        ),
        advantages=tuple(advantages),
        facts=facts,
        builds=builds,
        builds_known=builds_known,
        sentences=make_system_sentences(
            comparisons, advantages, facts, known, builds_known=builds_known
        ),
    )


def _compare(first: Contender, other: Contender, frame: Frame) -> Comparison:
    """Compare one system with the first."""
    if isinstance(first.of, Publication):
        raise TypeError("what others are compared with is a run")
    if isinstance(other.of, Publication):
        rows = RunRows(first.system.name, first.system.machine, frame.table)
        return compare_published(rows, other.of, "B")
    return compare_rows(first.of, other.of, frame.benchmarks, by_cores=True, bounds=frame.bounds)


def _rows(comparisons: Sequence[Comparison]) -> list[SystemRow]:
    """The values of the first system, in its order, each with those of the other systems."""
    found: dict[tuple[Key, str], list[ComparedMetric | None]] = {}
    for number, comparison in enumerate(comparisons):
        for metric in comparison.metrics:
            values = found.setdefault((metric.key, metric.metric), [None] * len(comparisons))
            values[number] = metric
    rows = []
    for (key, name), others in found.items():
        one = next(each for each in others if each is not None)
        rows.append(
            SystemRow(key=key, metric=name, unit=one.unit, better=one.better, others=tuple(others))
        )
    return rows


def _groups(comparisons: Sequence[Comparison], bounds: Mapping[str, str]) -> list[GroupRow]:
    """Bounds, programs and families, each with the verdict of every further system."""
    found: dict[str, list[ComparedGroup | None]] = {}
    for number, comparison in enumerate(comparisons):
        for group in (*comparison.bounds, *comparison.groups):
            values = found.setdefault(group.name, [None] * len(comparisons))
            values[number] = group
    return [
        GroupRow(name=name, bound=bounds.get(name, ""), others=tuple(others))
        for name, others in found.items()
    ]


def _precedence(group: GroupRow, place: Mapping[str, int]) -> tuple[int, int]:
    """Each bound with its programs behind it, then the other programs, then families."""
    bounds = get_args(Bound)
    if group.name in bounds:
        return bounds.index(group.name), -1
    if group.name not in place:
        return len(bounds) + 1, 0
    bound = bounds.index(group.bound) if group.bound in bounds else len(bounds)
    return bound, place[group.name]
