"""The answers of a run to the questions of its plan, program by program."""

from __future__ import annotations

import math

from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.base import Count, Record, Seconds
from heorot.model.run.experiment import Question

EFFICIENT, SUPERLINEAR = 0.90, 1.03
"""Efficiencies between these need no reason, apart from their intervals."""

RANGES: tuple[tuple[str, float], ...] = (
    ("up to 1 KiB", 1 << 10),
    ("up to 64 KiB", 1 << 16),
    ("up to 1 MiB", 1 << 20),
    ("longer", math.inf),
)
"""Ranges of message sizes: their names, and where each ends [B]."""


class CurvePoint(Record):
    """A point on the curve of a speedup, or of an efficiency where problems grow.

    Attributes:
        value: speedup over one core, or weak-scaling efficiency.
        disturbed: whether it rests on perturbed samples only.
    """

    cores: Count
    value: Quantity
    disturbed: bool = False


class Cause(Record):
    """The effect of message times in both places, by the quantity that limits the program.

    Attributes:
        name: the quantity in words.
        times: ratio of message times by it.
        share: of the program's time that it communicates in the baseline; None if unknown.
        expected: the program's time ratio if all its communication slowed down by that factor; None
            if the share is unknown.
    """

    name: str
    times: Quantity
    share: Quantity | None = None
    expected: Quantity | None = None


class Placed(Record):
    """Time of the same ranks in one of their layouts over nodes.

    Attributes:
        per_node: ranks on the node that has most of them.
        change: of the time relative to the fewest nodes, negative if less [1]; None there.
    """

    nodes: Count
    per_node: Count
    threads: Count = 1
    change: Quantity | None = None

    @property
    def name(self) -> str:
        """Such as `16x4`: 16 nodes with 4 ranks on each; with 2 threads for each, `16x4x2`."""
        threads = (self.threads,) if self.threads > 1 else ()
        return "x".join(map(str, (self.nodes, self.per_node, *threads)))


class AnswerLine(Record):
    """The values of one program.

    Attributes:
        problem: the program with the size of its problem, in words.
        layout: of the compared setup, in words.
        base: layout of the baseline.
        network: between the nodes; empty if there is no choice.
        value: by question: the speedup on more cores or nodes, the time ratio in another place, the
            loss of a copy; where problems grow, the efficiency.
        efficiency: of a speedup; None where more cores do not share the work.
        curve: the speedup over the cores, from one core on, or the efficiency; empty elsewhere.
        places: of the same ranks on more nodes, all their layouts, the fewest nodes first.
        reasons: for gains or losses there, or for poor scaling, where known.
    """

    benchmark: str
    problem: str
    layout: str
    base: str
    network: str = ""
    value: Quantity
    efficiency: Quantity | None = None
    curve: tuple[CurvePoint, ...] = ()
    cause: Cause | None = None
    places: tuple[Placed, ...] = ()
    reasons: tuple[Claim, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether a ratio of times is significantly more, or less, than 1."""
        low, high = self.value.low, self.value.high
        return low is not None and high is not None and (low > 1.0 or high < 1.0)

    @property
    def needs_cause(self) -> bool:
        """Whether it asks for a reason: a ratio of times that differs, or a lack of efficiency."""
        one = self.efficiency
        if one is None:
            return self.differs
        return (one.high or 0.0) < EFFICIENT or (one.low or 0.0) > SUPERLINEAR


class SizeChange(Record):
    """Change of the time of messages of one size, negative if less [1]."""

    bytes: float
    change: Quantity


class SizeChanges(Record):
    """The time of messages by their size, in one place against another.

    Attributes:
        changes: by size, the smallest first.
    """

    benchmark: str
    region: str
    layout: str
    base: str
    changes: tuple[SizeChange, ...]

    def largest(self, number: int) -> SizeChange | None:
        """The largest change of a range of sizes; None if no size lies in it.

        Args:
            number: of the range in RANGES.
        """
        above = RANGES[number - 1][1] if number else -math.inf
        upto = RANGES[number][1]
        inside = (one for one in self.changes if above < one.bytes <= upto)
        return max(inside, key=lambda one: abs(one.change.median), default=None)


class Gap(Record):
    """An experiment without an answer.

    Attributes:
        layouts: of the planned comparison, in words.
        reason: why it failed; empty if the plan had no time for it.
        budget_seconds: the least budget that includes it; 0 if it failed [s].
    """

    benchmark: str
    layouts: tuple[str, ...]
    reason: str = ""
    budget_seconds: Seconds = 0.0


class Answer(Record):
    """The answer to one question.

    Attributes:
        n_answered: experiments with usable numbers for their whole comparison.
        sentences: one for each network that it depends on; none where another section
            answers.
        lines: of each program, the largest loss or change first.
        growing: of programs whose problems grow with the cores, which have no speedup.
        sizes: of programs that send messages of many sizes.
        gaps: experiments left out or failed.
    """

    question: Question
    n_answered: Count = 0
    sentences: tuple[Claim, ...] = ()
    lines: tuple[AnswerLine, ...] = ()
    growing: tuple[AnswerLine, ...] = ()
    sizes: tuple[SizeChanges, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def open(self) -> tuple[Gap, ...]:
        """Experiments that the plan had no time for."""
        return tuple(gap for gap in self.gaps if not gap.reason)

    @property
    def failed(self) -> tuple[Gap, ...]:
        """Experiments that ran, or should have, without a usable number."""
        return tuple(gap for gap in self.gaps if gap.reason)

    @property
    def budget_seconds(self) -> float:
        """The least budget that includes all of it; 0 if nothing was left out [s]."""
        return max((gap.budget_seconds for gap in self.open), default=0.0)
