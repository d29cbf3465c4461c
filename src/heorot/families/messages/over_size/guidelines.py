"""Collectives that are needlessly slow: self-consistent performance guidelines.

A library's collective should never take longer than the same result by its other collectives, and a
longer message should never take less time than a shorter one. If the intervals of the medians do
not overlap at two neighbouring sizes, or at one by a large factor, users can do better than the
library, and the library than itself.

Source: J. L. Traeff, W. D. Gropp, R. Thakur, Self-Consistent MPI Performance Guidelines, IEEE
TPDS 21 (2010). S. Hunold, A. Carpen-Amarie, Autotuning MPI Collectives using Performance
Guidelines, HPC Asia 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from heorot.analyse.templates.quantities import keys, of_ends
from heorot.families.messages.over_size.curves import NOTHING, Curve, Estimate, size_of
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.result import Result

TOLERANCE = 1.05
"""Least factor of a collective over its emulation for a finding."""
# Many sizes are many chances: a violation at a single size must be significant and at least this
# large.
_ALONE = 1.5


@dataclass(frozen=True)
class Part:
    """A collective that an emulation calls, or that stands for computing in each rank.

    Attributes:
        power: of the number of ranks: the factor in the length of its message.
        adds: whether it stands for additions without messages: these are not measured separately,
            and it has about as many.
    """

    region: str
    power: int = 0
    times: int = 1
    adds: bool = False


@dataclass(frozen=True)
class Rule:
    """An emulation of a collective: the sizes of both are as the program counts them.

    Attributes:
        parts: collectives that give the same result, called in order.
    """

    region: str
    parts: tuple[Part, ...]


# Sizes as the program counts them: of gather, scatter and allgather one share, of alltoall and
# reduce_scatter_block one block, else the whole vector.
RULES = (
    Rule("gather", (Part("allgather"),)),
    Rule("gather", (Part("reduce", 1),)),
    Rule("scatter", (Part("bcast", 1),)),
    Rule("bcast", (Part("scatter", -1), Part("allgather", -1))),
    Rule("allgather", (Part("gather"), Part("bcast", 1))),
    Rule("allgather", (Part("alltoall"),)),
    Rule("reduce", (Part("allreduce"),)),
    Rule("reduce", (Part("reduce_scatter_block", -1), Part("gather", -1))),
    Rule("allreduce", (Part("reduce"), Part("bcast"))),
    Rule("allreduce", (Part("reduce_scatter_block", -1), Part("allgather", -1))),
    Rule("reduce_scatter_block", (Part("reduce", 1), Part("scatter"))),
    Rule("reduce_scatter_block", (Part("allreduce", 1),)),
    # The last rank of a scan has the sum.
    Rule("allreduce", (Part("scan"), Part("bcast"))),
    # A reduce has as many additions or, where ranks share them, hardly fewer; and messages besides.
    Rule("scan", (Part("exscan"), Part("reduce", adds=True))),
    # Every rank gets one part of all vectors, adds them up in the order of ranks and returns them,
    # with at least as many additions as a reduce-scatter takes.
    *(
        Rule(scan, (Part("alltoall", -1, times=2), Part("reduce_scatter_block", -1, adds=True)))
        for scan in ("scan", "exscan")
    ),
)


@dataclass(frozen=True)
class Breach:
    """A collective that took longer than its emulation.

    Attributes:
        emulated: total time of the parts.
    """

    row: Result
    emulated: Estimate
    evidence: tuple[Result, ...]

    @property
    def ratio(self) -> float:
        """The time ratio."""
        return self.row.median / self.emulated.median

    @property
    def times(self) -> Quantity:
        """The same with an interval that encloses both intervals."""
        row, emulated = self.row, self.emulated
        ends = (self.ratio, row.ci_low / emulated.high, row.ci_high / emulated.low)
        launches = min(each.n_launches for each in (row, *self.evidence))
        return of_ends(ends, launches, rows=keys(row, *self.evidence))


def breaches(rule: Rule, found: Mapping[str, Curve]) -> list[Breach]:
    """The sizes at which a rule is violated, in ascending order.

    Args:
        found: the curves of one case and toolchain by region.
    """
    curve = found.get(rule.region)
    if curve is None or any(part.region not in found for part in rule.parts):
        return []
    broken = []
    for row in curve.rows:
        emulated = _emulated(rule, found, row)
        if emulated is not None and row.ci_low > TOLERANCE * emulated.high:
            parts = tuple(
                min(found[part.region].rows, key=lambda each: abs(size_of(each) - size_of(row)))
                for part in rule.parts
            )
            broken.append(Breach(row, emulated, parts))
    return [breach for breach in broken if _is_certain(breach, broken, curve)]


def _is_certain(breach: Breach, broken: Sequence[Breach], curve: Curve) -> bool:
    """Whether a neighbouring size violates the rule as well, or this one violates it by far."""
    place = curve.rows.index(breach.row)
    neighbours = curve.rows[max(0, place - 1) : place] + curve.rows[place + 1 : place + 2]
    together = any(other.row in neighbours for other in broken)
    return together or breach.row.ci_low > _ALONE * breach.emulated.high


def _emulated(rule: Rule, found: Mapping[str, Curve], row: Result) -> Estimate | None:
    """The total time of the parts for the size of a row."""
    total = NOTHING
    for part in rule.parts:
        span = found[part.region].at(size_of(row) * float(row.ranks) ** part.power)
        if span is None:
            return None
        for _ in range(part.times):
            total += span
    return total


def falls(curve: Curve) -> list[tuple[Result, Result]]:
    """Neighbouring sizes of which the larger takes significantly less time.

    A neighbouring size must confirm it, or the difference must be large.
    """
    rows = curve.rows
    found = []
    for i, (left, right) in enumerate(pairwise(rows)):
        before, behind = rows[max(0, i - 1) : i], rows[i + 2 : i + 3]
        together = any(row.ci_low > right.ci_high for row in before)
        together = together or any(left.ci_low > row.ci_high for row in behind)
        if left.ci_low > (TOLERANCE if together else _ALONE) * right.ci_high:
            found.append((left, right))
    return found


def rules_broken(
    rules: Sequence[Rule], found: Mapping[str, Curve]
) -> Iterator[tuple[Rule, list[Breach]]]:
    """The rules violated by the curves of one case and toolchain: one per operation.

    It is the one with the largest violation, as all of them report the same defect.
    """
    worst: dict[str, tuple[Rule, list[Breach]]] = {}
    for rule in rules:
        broken = breaches(rule, found)
        if broken and _worst(broken) > _worst(worst.get(rule.region, (rule, []))[1]):
            worst[rule.region] = (rule, broken)
    yield from worst.values()


def _worst(broken: Sequence[Breach]) -> float:
    return max((breach.ratio for breach in broken), default=0.0)
