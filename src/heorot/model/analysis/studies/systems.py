"""Several systems side by side: each compared with the first, and what differs between them."""

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
"""More are not legible in one table, and have not as many colours in a figure."""

UNKNOWN = "unknown"

PROGRAMS, OPEN_KIND = "systems/programs", "systems/open"
"""The kinds of sentences about who is faster at what, and about what cannot be concluded."""

Bound = Literal["compute-bound", "memory-bound"]
Touched = Literal["computing", "memory", "messages"]


class System(Record):
    """One of the systems.

    Attributes:
        name: of its run; no other has it.
        machine: on which it was measured; `published` of a published machine.
        begun: when its run began, Unix time; None of a published machine [s].
        n_results: measured results; None of a published machine.
        networks: between its nodes, as its site describes them.
        measured: the same, as messages found them; none where that is not looked at.
        remarks: what else is to be known of it, in lines.
        disagreements: which of its files contradict their digests or each other, in lines.
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
        """Whether there are only published numbers of it."""
        return self.n_results is None


class Fact(Record):
    """Something of the machines or of what runs on them, system by system.

    Attributes:
        values: of each system; `unknown` where nothing says it.
        touches: what it can make faster or slower; empty if of nothing that is measured.
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
        """Whether it is unknown of a system, so that nobody knows that all are equal."""
        return UNKNOWN in self.values


class SystemRow(Measured, Record):
    """One number of the first system, beside those of the others.

    Attributes:
        key: what was measured, in the first system.
        others: how each further system compares with it; None where it has no such row.
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
        """Whether any system is known to be better or worse, or was not tested."""
        return any(each and each.verdict != "indistinguishable" for each in self.others)


class GroupRow(Record):
    """A program, a family or a bound: how each further system compares with the first.

    Attributes:
        bound: what bounds the program; empty if nothing decides that.
    """

    name: str
    bound: str = ""
    others: tuple[ComparedGroup | None, ...]


class CoreCount(Record):
    """The ratio of two systems on so many cores.

    Attributes:
        ratio: more than 1 means that the second system is faster.
        low: lower end of its interval; None if it is unknown.
        launches: of the first and of the second system.
        layouts: of both, as one if they are equal.
        marks: why nothing is concluded from it, such as `B oversubscribed`.
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
    """By how much one system is ahead of the first, over the number of cores.

    Attributes:
        key: what was measured, on any of the cores.
        other: number of the other system, from 1.
        counts: fewest cores first, at least two.
        trend: of the gap from the fewest cores to the most; `unclear` if the intervals of both
            overlap, or something is marked.
        since: the fewest cores on which it differs from that on the fewest of all; None without.
    """

    key: Key
    metric: str
    other: int
    way: str
    counts: tuple[CoreCount, ...]
    trend: Trend
    since: int | None = None


class SideBySide(Record):
    """Several systems, of which the first is what the others are compared with.

    Attributes:
        comparisons: of each further system with the first.
        groups: each bound before its programs, then other programs, then families.
        advantages: over cores.
        facts: of the machines, those that differ or are unknown of some.
        builds: the same of what programs were built from and run under.
        sentences: what all that comes to: who is faster at what, what differs, what is open.
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
        """Letter and name of every system, as figures call it: `A before`."""
        return tuple(
            f"{letter_of(number)} {system.name}" for number, system in enumerate(self.systems)
        )

    @property
    def disagreements(self) -> tuple[str, ...]:
        """What does not agree in which system, in lines."""
        return tuple(
            f"{letter_of(number)}: {line}"
            for number, system in enumerate(self.systems)
            for line in system.disagreements
        )

    @property
    def verdict(self) -> tuple[Sentence, ...]:
        """All sentences but what cannot be concluded."""
        return tuple(each for each in self.sentences if each.kind != OPEN_KIND)

    @property
    def open(self) -> tuple[str, ...]:
        """What cannot be concluded, in clauses."""
        found = (each.values["open"] for each in self.sentences if each.kind == OPEN_KIND)
        return tuple(one.text for parts in found if isinstance(parts, tuple) for one in parts)

    @property
    def beside(self) -> tuple[Sentence, ...]:
        """The sentences of the verdict besides who is faster: the gap over cores, causes."""
        return tuple(each for each in self.verdict if each.kind != PROGRAMS)

    @property
    def pair(self) -> Comparison:
        """The only comparison of two systems."""
        (one,) = self.comparisons
        return one.model_copy(update={"disagreements": self.disagreements})


def lead_of(ratio: float) -> float:
    """By which share [1] the faster of two is ahead, below zero if that is the first.

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
