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
    """One test with the final states of its jobs.

    Attributes:
        begun: Unix time of its start; None if unknown [s].
    """

    name: str
    account: Account
    begun: UnixTime | None = None


class ComparedSystem(Record):
    """Repetitions of one test on a system.

    Attributes:
        system: batch system and size of the machine.
        objection: why the system as a whole is not judged, such as missing work; empty if it is.
    """

    name: str
    system: str
    tests: tuple[ComparedTest, ...]
    objection: str = ""


class Against(Record):
    """A quantity of a system compared with the first system.

    Attributes:
        ratio: of geometric means over tests, this / first [1].
        low, high: its 95 % interval; None where nothing was judged.
        why: which condition of a verdict is not met, or why there is no verdict.
    """

    ratio: float
    low: float | None = None
    high: float | None = None
    verdict: Literal["better", "worse", "indistinguishable", "not judged"] = "not judged"
    why: str = ""


class ComparedQuantity(Record):
    """One quantity of all systems.

    Attributes:
        name: of the quantity, or of the job or command it belongs to.
        better: direction of improvement; empty if it has none by itself.
        values: by system and test; None if unknown.
        against: by system; None for the first system and without a value.
    """

    part: Part
    name: str
    form: Form
    better: Better
    values: tuple[tuple[float | None, ...], ...]
    against: tuple[Against | None, ...] = ()

    def centre(self, place: int) -> float | None:
        """Geometric mean over the tests of a system; 0 if one value is 0."""
        known = [value for value in self.values[place] if value is not None]
        if len(known) < len(self.values[place]):
            return None
        return math.exp(sum(map(math.log, known)) / len(known)) if all(known) else 0.0


class Differing(Record):
    """A property other than the quantities in which the systems differ.

    Attributes:
        values: one text for each system; differing values of its tests are joined.
    """

    what: str
    values: tuple[str, ...]


class ThroughputComparison(Record):
    """Comparison of throughput tests.

    Attributes:
        same_work: whether all tests had the same jobs at the same times.
        disagreements: files that contradict their digests, one line each.
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
