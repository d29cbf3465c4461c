"""Describes collectives that violate guidelines, and names the setting for another algorithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.analyse.templates.quantities import exactly, keys, limit, ratio
from heorot.analyse.templates.words import fill
from heorot.families.messages import templates
from heorot.families.messages.among_all.collectives import BASE
from heorot.families.messages.over_size.curves import size_of
from heorot.families.messages.over_size.guidelines import TOLERANCE, Breach, Part, Rule
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Finding, Result
from heorot.units import format_binary

# Libraries with a choice of algorithms: Open MPI 4.1 and 5.0 (component tuned), Intel MPI 2019;
# MPICH all.
_INTEL = frozenset(
    {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier"}
    | {"bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "scan"}
    | {"scatter", "scatterv"}
)
_OPEN_MPI = _INTEL - {"alltoallw", "gatherv", "scatterv"} | {"reduce_scatter_block"}


def describe_breaches(
    rule: Rule, broken: Sequence[Breach], names: Mapping[str, str], remedy: str
) -> Finding:
    """One finding for all sizes at which a rule is violated.

    Args:
        broken: at least one violation.
        names: of regions in sentences.
    """
    worst = max(broken, key=lambda breach: breach.ratio)
    row = worst.row
    return templates.SLOWER_THAN_PARTS(
        evidence=keys(row, *worst.evidence),
        affected=(row.benchmark,),
        remedy=remedy,
        operation=names.get(rule.region, rule.region),
        sizes=of_sizes([each.row for each in broken]),
        row=row,
        size=exactly(size_of(row), "B"),
        times=worst.times,
        parts=[_word_part(part, names.get(part.region, part.region)) for part in rule.parts],
        together=len(rule.parts) > 1,
        tolerance=limit(TOLERANCE - 1.0),
    )


def describe_falls(
    pairs: Sequence[tuple[Result, Result]], names: Mapping[str, str], library: str
) -> Finding:
    """One finding for all operations of a case that take longer for a shorter message.

    Args:
        pairs: at least one pair of neighbouring sizes, of one case and toolchain.
        library: the MPI library's own name.
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
                names.get(region, region),
                *(format_binary(size_of(row)) for row in pair),
                fill("{ratio}", {"ratio": ratio(*pair)}),
            )
            for region, pair in worst.items()
        ),
        operations=[names.get(region, region) for region in worst],
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
    """The setting that selects another algorithm for an operation.

    Args:
        library: the MPI library's own name.
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


def _word_part(part: Part, name: str) -> str:
    """A part in a sentence.

    Args:
        name: of the collective.
    """
    often = {1: "", 2: " twice"}.get(part.times, f" {part.times} times")
    return f"local additions (no more than {name} takes)" if part.adds else name + often
