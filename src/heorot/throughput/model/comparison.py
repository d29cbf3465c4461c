"""Comparison of throughput tests of several systems."""

from __future__ import annotations

import math
from typing import Literal

from heorot.model.analysis.result import Sentence
from heorot.model.base import Record, UnixTime
from heorot.throughput.model.explanation import Account
from heorot.throughput.model.quantities import Better, Form

Part = Literal["whole", "interference", "waits", "runs", "responses"]


class ComparedTest(Record):
    """One test, and the final states of its jobs.

    Attributes:
        begun: Unix time of its begin; None if it is not known [s].
    """

    name: str
    account: Account
    begun: UnixTime | None = None


class ComparedSystem(Record):
    """Tests that repeat each other.

    Attributes:
        system: batch system and size of the machine.
        objection: why nothing of the whole is judged, such as missing work; empty if nothing is
            against it.
    """

    name: str
    system: str
    tests: tuple[ComparedTest, ...]
    objection: str = ""


class Against(Record):
    """A number of a system beside that of the first.

    Attributes:
        ratio: of geometric means over tests, this / first [1].
        low, high: its 95 % interval; None where nothing was judged.
        why: what the verdict lacks, or why there is none.
    """

    ratio: float
    low: float | None = None
    high: float | None = None
    verdict: Literal["better", "worse", "indistinguishable", "not judged"] = "not judged"
    why: str = ""


class ComparedQuantity(Record):
    """One number of all systems.

    Attributes:
        name: of the quantity, or of the job or command that it is of.
        better: which way it is better; empty if that cannot be said of it alone.
        values: of each test of each system; None if it is not known.
        against: of each system, the first included, which has none, as has what lacks a number.
    """

    part: Part
    name: str
    form: Form
    better: Better
    values: tuple[tuple[float | None, ...], ...]
    against: tuple[Against | None, ...] = ()

    def centre(self, place: int) -> float | None:
        """The geometric mean over the tests of a system; 0 if one of them has 0."""
        known = [value for value in self.values[place] if value is not None]
        if len(known) < len(self.values[place]):
            return None
        return math.exp(sum(map(math.log, known)) / len(known)) if all(known) else 0.0


class Differing(Record):
    """Something beside the numbers that is not the same in all systems.

    Attributes:
        values: of each system, in words; those of its tests joined if they differ.
    """

    what: str
    values: tuple[str, ...]


class ThroughputComparison(Record):
    """Throughput tests side by side.

    Attributes:
        same_work: whether all had the same jobs at the same times.
        disagreements: which files contradict their digests, in lines.
    """

    systems: tuple[ComparedSystem, ...]
    quantities: tuple[ComparedQuantity, ...]
    differing: tuple[Differing, ...]
    same_work: bool
    sentences: tuple[Sentence, ...] = ()
    disagreements: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[ComparedQuantity, ...]:
        """The quantities of a part."""
        return tuple(one for one in self.quantities if one.part == part)
