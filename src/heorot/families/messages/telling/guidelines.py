"""Collectives that are slower than they need be: self-consistent performance guidelines.

A library's collective should never take longer than the same result put together from its other
collectives, and a longer message should never take less time than a shorter one. Where the
intervals of the medians leave no doubt at two neighbouring sizes, or at one by far, users can do
better than the library, and the library than itself.

Source: J. L. Traeff, W. D. Gropp, R. Thakur, Self-Consistent MPI Performance Guidelines, IEEE
TPDS 21 (2010). S. Hunold, A. Carpen-Amarie, Autotuning MPI Collectives using Performance
Guidelines, HPC Asia 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from heorot.analyse.templates.quantities import exactly, keys, limit, of_ends, ratio
from heorot.analyse.templates.words import fill
from heorot.families.messages import templates
from heorot.families.messages.among_all.collectives import BASE
from heorot.families.messages.telling.curves import NOTHING, Curve, Span, size_of
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.result import Finding, Result
from heorot.units import format_binary

# A collective may be this much slower than its emulation before anybody speaks of it.
_TOLERANCE = 1.05
# Many sizes are many chances: where one alone breaks a rule it must be by this much, beyond doubt.
_ALONE = 1.5
# Whose algorithms the libraries let users choose: Open MPI 4.1 and 5.0 (component tuned), Intel MPI
# 2019; MPICH all.
_INTEL = frozenset(
    {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier"}
    | {"bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "scan"}
    | {"scatter", "scatterv"}
)
_OPEN_MPI = _INTEL - {"alltoallw", "gatherv", "scatterv"} | {"reduce_scatter_block"}


@dataclass(frozen=True)
class Part:
    """A collective that an emulation calls, or that stands for what each rank computes in it.

    Attributes:
        region: its region.
        power: of the number of ranks: its message is as many times as long.
        times: how often it is called.
        adds: whether it stands for additions without messages: alone they are not measured, and it
            has about as many.
    """

    region: str
    power: int = 0
    times: int = 1
    adds: bool = False

    def spoken(self, name: str) -> str:
        """The part in a sentence.

        Args:
            name: what the collective is called.
        """
        often = {1: "", 2: " twice"}.get(self.times, f" {self.times} times")
        return f"local additions (no more than {name} takes)" if self.adds else name + often


@dataclass(frozen=True)
class Rule:
    """What a collective can be put together from: the sizes of both are as the program counts them.

    Attributes:
        region: the collective.
        parts: those that give the same result one after the other.
    """

    region: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Breach:
    """A collective that took longer than what it can be put together from.

    Attributes:
        row: of the collective.
        emulated: what the parts take together.
        evidence: rows of the parts.
    """

    row: Result
    emulated: Span
    evidence: tuple[Result, ...]

    @property
    def ratio(self) -> float:
        """How many times as long."""
        return self.row.median / self.emulated.median

    @property
    def times(self) -> Quantity:
        """The same with the interval that encloses those of both."""
        row, emulated = self.row, self.emulated
        ends = (self.ratio, row.ci_low / emulated.high, row.ci_high / emulated.low)
        launches = min(each.n_launches for each in (row, *self.evidence))
        return of_ends(ends, launches, rows=keys(row, *self.evidence))


def breaches(rule: Rule, found: Mapping[str, Curve]) -> list[Breach]:
    """At which sizes a rule is broken, in ascending order.

    Args:
        found: the curves of one case and toolchain by region.
    """
    curve = found.get(rule.region)
    if curve is None or any(part.region not in found for part in rule.parts):
        return []
    broken = []
    for row in curve.rows:
        emulated = _emulated(rule, found, row)
        if emulated is not None and row.ci_low > _TOLERANCE * emulated.high:
            parts = tuple(
                min(found[part.region].rows, key=lambda each: abs(size_of(each) - size_of(row)))
                for part in rule.parts
            )
            broken.append(Breach(row, emulated, parts))
    return [breach for breach in broken if _is_certain(breach, broken, curve)]


def _is_certain(breach: Breach, broken: Sequence[Breach], curve: Curve) -> bool:
    """Whether a neighbouring size breaks the rule as well, or this one breaks it by far."""
    place = curve.rows.index(breach.row)
    neighbours = curve.rows[max(0, place - 1) : place] + curve.rows[place + 1 : place + 2]
    together = any(other.row in neighbours for other in broken)
    return together or breach.row.ci_low > _ALONE * breach.emulated.high


def _emulated(rule: Rule, found: Mapping[str, Curve], row: Result) -> Span | None:
    """What the parts take together for the size of a row."""
    total = NOTHING
    for part in rule.parts:
        span = found[part.region].at(size_of(row) * float(row.ranks) ** part.power)
        if span is None:
            return None
        for _ in range(part.times):
            total += span
    return total


def falls(curve: Curve) -> list[tuple[Result, Result]]:
    """Neighbouring sizes of which the larger takes less time, beyond doubt.

    The size before or the one behind must say so, too, or it must be by far.
    """
    rows = curve.rows
    found = []
    for i, (left, right) in enumerate(pairwise(rows)):
        before, behind = rows[max(0, i - 1) : i], rows[i + 2 : i + 3]
        together = any(row.ci_low > right.ci_high for row in before)
        together = together or any(left.ci_low > row.ci_high for row in behind)
        if left.ci_low > (_TOLERANCE if together else _ALONE) * right.ci_high:
            found.append((left, right))
    return found


def tell_breaches(
    rule: Rule, broken: Sequence[Breach], spoken: Mapping[str, str], remedy: str
) -> Finding:
    """One finding for all sizes at which a rule is broken.

    Args:
        broken: at least one breach.
        spoken: what regions are called in sentences.
    """
    worst = max(broken, key=lambda breach: breach.ratio)
    row = worst.row
    return templates.SLOWER_THAN_PARTS(
        evidence=keys(row, *worst.evidence),
        affected=(row.benchmark,),
        remedy=remedy,
        operation=spoken.get(rule.region, rule.region),
        sizes=of_sizes([each.row for each in broken]),
        row=row,
        size=exactly(size_of(row), "B"),
        times=worst.times,
        parts=[part.spoken(spoken.get(part.region, part.region)) for part in rule.parts],
        together=len(rule.parts) > 1,
        tolerance=limit(_TOLERANCE - 1.0),
    )


def tell_falls(
    pairs: Sequence[tuple[Result, Result]], spoken: Mapping[str, str], library: str
) -> Finding:
    """One finding for all operations of a case that take longer for a shorter message.

    Args:
        pairs: at least one pair of neighbouring sizes, of one case and toolchain.
        spoken: what regions are called in sentences.
        library: what the MPI library calls itself.
    """

    def times(pair: tuple[Result, Result]) -> float:
        return pair[0].median / pair[1].median

    worst: dict[str, tuple[Result, Result]] = {}
    for pair in sorted(pairs, key=times, reverse=True):
        worst.setdefault(pair[0].region, pair)
    left, right = next(iter(worst.values()))
    return templates.SHORTER_TAKES_LONGER(
        evidence=keys(*(row for pair in worst.values() for row in pair)),
        affected=(left.benchmark,),
        remedy=remedies(library, left.region),
        rows=(
            (
                spoken.get(region, region),
                *(format_binary(size_of(row)) for row in pair),
                fill("{ratio}", {"ratio": ratio(*pair)}),
            )
            for region, pair in worst.items()
        ),
        operations=[spoken.get(region, region) for region in worst],
        row=left,
        n=len(worst),
        ratio=ratio(left, right),
    )


def of_sizes(rows: Sequence[Result]) -> Claim:
    """Such as `of 8 B to 64 KiB`, of rows in ascending order of size."""
    first, last = (size_of(row) for row in (rows[0], rows[-1]))
    return templates.OF_SIZES.claim(
        first=exactly(first, "B"), last=None if first == last else exactly(last, "B")
    )


def remedies(library: str, operation: str) -> str:
    """How a library is told to take another algorithm for an operation.

    Args:
        library: what the MPI library calls itself.
        operation: such as `allreduce`.
    """
    if "Open MPI" in library and operation in _OPEN_MPI:
        return (
            "try its other algorithms (named by ompi_info --param coll tuned --level 9): --mca "
            f"coll_tuned_use_dynamic_rules 1 --mca coll_tuned_{operation}_algorithm N"
        )
    if "Intel" in library and operation in _INTEL:
        return f"try its other algorithms: I_MPI_ADJUST_{operation.upper()}=N"
    if ("MPICH" in library or "MVAPICH" in library) and operation in BASE:
        return (
            f"try its other algorithms: MPIR_CVAR_{operation.upper()}_INTRA_ALGORITHM (mpivars "
            "names them)"
        )
    return "try other algorithms, if the library's documentation names a setting for them"


def rules_broken(
    rules: Sequence[Rule], found: Mapping[str, Curve]
) -> Iterator[tuple[Rule, list[Breach]]]:
    """The rules that the curves of one case and toolchain break, with where: of each operation one.

    It is the one that is broken worst, as all of them complain of the same.

    Args:
        found: the curves by region.
    """
    worst: dict[str, tuple[Rule, list[Breach]]] = {}
    for rule in rules:
        broken = breaches(rule, found)
        if broken and _worst(broken) > _worst(worst.get(rule.region, (rule, []))[1]):
            worst[rule.region] = (rule, broken)
    yield from worst.values()


def _worst(broken: Sequence[Breach]) -> float:
    return max((breach.ratio for breach in broken), default=0.0)
