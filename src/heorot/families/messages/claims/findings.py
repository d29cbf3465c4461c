"""Findings on an MPI library, or its settings, by the times of messages.

Source: of the finding that a hypercube exchange of one's own can beat MPI_Allreduce, and of
patterns far below the line rate: reports on cluster evaluations of 2000 and 2007, which the method
names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.analyse.templates.quantities import exactly, keys, limit, ratio, share_of
from heorot.families.messages import templates
from heorot.families.messages.among_all.collectives import BASE, COLLECTIVES
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM, LIBRARY_REGIONS, OWN_REGIONS
from heorot.families.messages.among_all.patterns import PATTERNS, PEAK
from heorot.families.messages.claims.breaches import (
    describe_breaches,
    describe_falls,
    of_sizes,
    remedies,
)
from heorot.families.messages.claims.jumps import describe_jumps
from heorot.families.messages.over_size.crossings import Difference, differences
from heorot.families.messages.over_size.curves import Curve, curves, size_of
from heorot.families.messages.over_size.guidelines import RULES, falls, rules_broken
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.analysis.rows import Rows
from heorot.model.run.identity import Setup, Stack

_LIBRARY_SUM, *_ = LIBRARY_REGIONS
_OWN_TIME = "time"
# Of the best pattern's share of the line rate: below it something other than the line is the limit.
_FAR_BELOW = 0.5
# Smaller differences may be due to the build.
_LEAST_REPORTED = 1.1


def find(context: Context) -> list[Finding]:
    """All findings of the family."""
    libraries = _libraries(context)
    # A difference that perturbations may explain is no defect of a library.
    quiet = Rows(row for row in context.rows if not row.disturbed)
    return [
        *describe_jumps(context, libraries),
        *_guidelines(quiet, libraries),
        *_own_sums(quiet, libraries),
        *_patterns(context),
    ]


def _libraries(context: Context) -> dict[Stack, str]:
    """The own name of each toolchain's MPI library."""
    of_steps = {step.id: step.stack for step in context.steps}
    return {
        of_steps[outcome.step]: outcome.run.mpi_library
        for outcome in context.outcomes
        if outcome.run is not None and outcome.step in of_steps
    }


def mpi_name(region: str) -> str:
    """The name of an operation in the standard, such as `MPI_Bcast`."""
    return f"MPI_{region.capitalize()}"


def _guidelines(rows: Rows, libraries: Mapping[Stack, str]) -> Iterator[Finding]:
    """Collectives slower than their emulations by other collectives, or than longer ones.

    In-place and nonblocking ones are left out: the rules do not apply to them.
    """
    for (_, stack), found in curves(rows, COLLECTIVES.name).items():
        names = {region: mpi_name(region) for region in found}
        library = libraries.get(stack, "")
        for rule, broken in rules_broken(RULES, found):
            yield describe_breaches(rule, broken, names, remedies(library, rule.region))
        pairs = [pair for region in BASE if region in found for pair in falls(found[region])]
        if pairs:
            yield describe_falls(pairs, names, library)


def _own_sums(rows: Rows, libraries: Mapping[Stack, str]) -> Iterator[Finding]:
    """Sizes at which a sum of our own, by sends and receives, is faster than the library's."""
    for (_, stack), found in curves(rows, GLOBAL_SUM.name, _OWN_TIME).items():
        theirs = found.get(_LIBRARY_SUM)
        if theirs is None:
            continue
        own = {region: found[region] for region in OWN_REGIONS if region in found}
        better = [best for best in _best(theirs, own) if best.winner == 1]
        better = [best for best in better if 1.0 / best.ratio > _LEAST_REPORTED]
        if better:
            yield _describe_own(better, libraries.get(stack, ""))


def _best(theirs: Curve, own: Mapping[str, Curve]) -> list[Difference]:
    """The library compared with the fastest version of ours, at every size."""
    every = [each for curve in own.values() for each in differences(theirs, curve)]
    fastest: dict[float, Difference] = {}
    for each in every:
        kept = fastest.setdefault(size_of(each.first), each)
        if each.second.median < kept.second.median:
            fastest[size_of(each.first)] = each
    return [fastest[size] for size in sorted(fastest)]


def _describe_own(better: Sequence[Difference], library: str) -> Finding:
    worst = min(better, key=lambda each: each.ratio)
    row, ours = worst.first, worst.second
    return templates.OWN_SUM(
        evidence=keys(row, ours),
        affected=(GLOBAL_SUM.name,),
        remedy=remedies(library, _LIBRARY_SUM),
        library=library.partition(",")[0] or "a library of unknown version",
        sizes=of_sizes([each.first for each in better]),
        row=row,
        size=exactly(size_of(row), "B"),
        ratio=ratio(row, ours),
        ours=ours,
        least=limit(_LEAST_REPORTED - 1.0),
    )


def _patterns(context: Context) -> Iterator[Finding]:
    """Patterns far below the line share of the best one, at each place."""
    places: dict[Setup, list[Result]] = {}
    for row in context.rows:
        if row.benchmark == PATTERNS.name and row.metric == PEAK and row.share_of_ceiling:
            places.setdefault(row.setup, []).append(row)
    for rows in places.values():
        best = max(rows, key=_share)
        far = [row for row in rows if _is_far_below(row, best)]
        if far:
            yield _describe_patterns(best, sorted(far, key=_share))


def _share(row: Result) -> float:
    return row.share_of_ceiling or 0.0


def _is_far_below(row: Result, best: Result) -> bool:
    """Whether it reaches less than half of the best pattern's, beyond the intervals."""
    return row.ci_high < best.ci_low and _share(row) < _FAR_BELOW * _share(best)


def _describe_patterns(best: Result, far: Sequence[Result]) -> Finding:
    return templates.PATTERNS(
        evidence=keys(best, *far),
        affected=(PATTERNS.name,),
        best=best,
        pattern=best.region.replace("_", " "),
        share=share_of(best),
        others=[
            templates.PATTERN.claim(pattern=row.region.replace("_", " "), share=share_of(row))
            for row in far
        ],
        far=limit(_FAR_BELOW),
    )
