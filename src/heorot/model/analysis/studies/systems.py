"""Several systems side by side: each compared with the first, and their differences."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Literal

from heorot.model.analysis.comparison import (
    ComparedGroup,
    ComparedMetric,
    Comparison,
    MetricVerdict,
)
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import Sentence
from heorot.model.analysis.studies.networks import MeasuredNetwork
from heorot.model.base import Record, UnixTime
from heorot.model.catalogue.metrics import Better
from heorot.model.machine.site import SiteNetwork
from heorot.model.run.identity import Key, Measured

MOST_SYSTEMS = 12
"""More systems are not legible in one table, and a figure has no more colours."""

UNKNOWN = "unknown"

PROGRAMS, OPEN_KIND = "systems/programs", "systems/open"
"""Kinds of sentences on which system is faster at what, and on what cannot be concluded."""

Bound = Literal["compute-bound", "memory-bound"]
Touched = Literal["computing", "memory", "messages"]


class System(Record):
    """One of the systems.

    Attributes:
        name: of its run, unique.
        machine: on which it was measured; `published` of a published machine.
        begun: when its run began, Unix time; None of a published machine [s].
        n_results: measured results; None of a published machine.
        networks: between its nodes, as its site describes them.
        measured: the same, as measured by messages; none where that is not analysed.
        remarks: further facts about it, in lines.
        disagreements: its files that contradict their digests or each other, in lines.
    """

    name: str
    machine: str
    begun: UnixTime | None = None
    n_results: int | None = None
    disturbances: Disturbances = Disturbances()
    networks: tuple[SiteNetwork, ...] = ()
    measured: tuple[MeasuredNetwork, ...] = ()
    remarks: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()

    @property
    def is_published(self) -> bool:
        """Whether only published values of it exist."""
        return self.n_results is None


class Fact(Record):
    """A fact about the machines or their software, system by system.

    Attributes:
        values: of each system; `unknown` if not on record.
        touches: the rates it can affect; empty if it affects no measurement.
    """

    what: str
    values: tuple[str, ...]
    touches: tuple[Touched, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether two systems are known to differ in it."""
        return len({*self.values} - {UNKNOWN}) > 1

    @property
    def is_unknown(self) -> bool:
        """Whether it is unknown for a system, so that equality is unknown."""
        return UNKNOWN in self.values


class SystemRow(Measured, Record):
    """One value of the first system, with those of the others.

    Attributes:
        key: of the quantity, in the first system.
        others: comparison of each further system with the first; None without such a row.
    """

    key: Key
    metric: str
    unit: str
    better: Better
    others: tuple[ComparedMetric | None, ...]

    @property
    def any(self) -> ComparedMetric:
        """A comparison that has the number of the first system."""
        return next(each for each in self.others if each is not None)

    @property
    def differs(self) -> bool:
        """Whether any system is significantly better or worse, or was not tested."""
        return any(each and each.verdict != "indistinguishable" for each in self.others)


class GroupRow(Record):
    """A program, a family or a bound, with the comparison of each further system with the first.

    Attributes:
        bound: of the program; empty if unclassified.
    """

    name: str
    bound: str = ""
    others: tuple[ComparedGroup | None, ...]


class CoreCount(Record):
    """The ratio of two systems on a core count.

    Attributes:
        ratio: more than 1 means that the second system is faster.
        low: lower end of its interval; None if it is unknown.
        launches: of the first and of the second system.
        layouts: of both, as one if they are equal.
        marks: reasons against a conclusion, such as `B oversubscribed`.
    """

    cores: int
    ratio: float
    low: float | None
    high: float | None
    verdict: MetricVerdict
    launches: tuple[int, int]
    layouts: str
    marks: tuple[str, ...] = ()


Trend = Literal["grows", "shrinks", "turns", "unclear"]


class Advantage(Measured, Record):
    """The advantage of one system over the first, by the number of cores.

    Attributes:
        key: of the quantity, on any of the core counts.
        other: number of the other system, from 1.
        counts: fewest cores first, at least two.
        trend: of the gap from the fewest cores to the most; `unclear` if the intervals of both
            overlap, or something is marked.
        since: the fewest cores at which it differs from the gap at the fewest of all; None if none.
    """

    key: Key
    metric: str
    other: int
    way: str
    counts: tuple[CoreCount, ...]
    trend: Trend
    since: int | None = None


class SideBySide(Record):
    """Several systems, the others compared with the first.

    Attributes:
        comparisons: of each further system with the first.
        groups: each bound before its programs, then other programs, then families.
        advantages: over cores.
        facts: of the machines, those that differ or are unknown for some.
        builds: the same for builds and run-time libraries of programs.
        sentences: the conclusions: which system is faster at what, differences, open points.
    """

    systems: tuple[System, ...]
    comparisons: tuple[Comparison, ...]
    rows: tuple[SystemRow, ...]
    groups: tuple[GroupRow, ...] = ()
    advantages: tuple[Advantage, ...] = ()
    facts: tuple[Fact, ...] = ()
    builds: tuple[Fact, ...] = ()
    builds_known: bool = False
    sentences: tuple[Sentence, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Letter and name of every system, as in figures: `A before`."""
        return tuple(
            f"{letter_of(number)} {system.name}" for number, system in enumerate(self.systems)
        )

    @property
    def disagreements(self) -> tuple[str, ...]:
        """Disagreements by system, in lines."""
        return tuple(
            f"{letter_of(number)}: {line}"
            for number, system in enumerate(self.systems)
            for line in system.disagreements
        )

    @property
    def verdict(self) -> tuple[Sentence, ...]:
        """All sentences except those on what cannot be concluded."""
        return tuple(each for each in self.sentences if each.kind != OPEN_KIND)

    @property
    def open(self) -> tuple[str, ...]:
        """Missing conclusions, in clauses."""
        found = (each.values["open"] for each in self.sentences if each.kind == OPEN_KIND)
        return tuple(one.text for parts in found if isinstance(parts, tuple) for one in parts)

    @property
    def beside(self) -> tuple[Sentence, ...]:
        """The remaining sentences of the verdict: the gap over cores, causes."""
        return tuple(each for each in self.verdict if each.kind != PROGRAMS)

    @property
    def pair(self) -> Comparison:
        """The only comparison of two systems."""
        (one,) = self.comparisons
        return one.model_copy(update={"disagreements": self.disagreements})


def lead_of(ratio: float) -> float:
    """The advantage [1] of the faster of two systems, negative if that is the first.

    Args:
        ratio: more than 1 if the second is faster.
    """
    return ratio - 1.0 if ratio >= 1.0 else 1.0 - 1.0 / ratio


def letter_of(number: int) -> str:
    """The letter of a system.

    Args:
        number: from 0.
    """
    return ascii_uppercase[number]
