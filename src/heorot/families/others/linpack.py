"""LINPACK compared with applications on the same cores and nodes.

The rate of dense LU orders the lists of machines, and is no rate of an application: a sentence has
both, each with its interval, or there is none.

Sources: S. Saini et al., A scalability study of Columbia using the NAS Parallel Benchmarks (2006),
section 1; J. Dongarra, P. Luszczek, A. Petitet, The LINPACK Benchmark: past, present and future,
Concurrency Computat.: Pract. Exper. 15 (2003).
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, is_for_trying, problem, size_of
from heorot.analyse.templates.quantities import keys, ratio, share_of
from heorot.families.others import templates
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.recipe import FAMILY

# Its name in recipes, whose programs are HPL or include it.
_REGION, _RATE = "hpl", "flop_rate"
# Recipes whose programs are applications, rather than kernels.
_APPLICATIONS = ("npb", FAMILY)


def sentences(context: Context) -> list[Sentence]:
    """The LINPACK rate on the most cores on which applications ran, too, and their rates."""
    rates = [row for row in context.rows if _is_rate(row, context)]
    linpack = [row for row in rates if _is_linpack(row)]
    others = [row for row in rates if not _is_linpack(row)]
    width = max(set(map(_width, linpack)) & set(map(_width, others)), default=None)
    rate = best([row for row in linpack if _width(row) == width])
    if rate is None:
        return []
    applications = _each_once([row for row in others if _width(row) == width], context)
    first, last = applications[0], next(iter(applications[:0:-1]), None)
    shown = [first, last] if last else [first]
    trying = all(is_for_trying(context, row.benchmark, row.point) for row in shown)
    return [
        templates.LINPACK(
            evidence=keys(rate, *shown),
            weight=0.0 if trying else None,
            program=problem(context, rate),
            rate=rate,
            of_peak=share_of(rate),
            gain=ratio(rate, _of_one_node(rate, linpack)),
            first=problem(context, first),
            first_part=ratio(first, rate, unit="%"),
            last=problem(context, last) if last else None,
            last_part=ratio(last, rate, unit="%"),
            n=len(applications),
        )
    ]


def _is_rate(row: Result, context: Context) -> bool:
    """Whether a row is the rate that stands for a program that solves a problem."""
    program = context.benchmarks.get(row.benchmark)
    if program is None or program.family not in _APPLICATIONS or program.size is None:
        return False
    shown = {(each.metric, each.region) for each in program.headlines}
    is_whole = (_RATE, row.region) in shown and program.size.coordinate in row.point
    return is_whole and row.metric == _RATE and row.ranked and not (row.derived or row.is_star)


def _is_linpack(row: Result) -> bool:
    return row.region == _REGION and row.benchmark.startswith(f"{FAMILY}/")


def _width(row: Result) -> tuple[int, int]:
    return row.cores, row.nodes


def _each_once(rows: Sequence[Result], context: Context) -> list[Result]:
    """The best rate of the largest problem of each program, the fastest program first."""
    chosen: dict[str, Result] = {}
    for row in sorted(rows, key=lambda row: (size_of(context, row).rank(row.point), row.median)):
        chosen[row.benchmark] = row
    return sorted(chosen.values(), key=lambda row: -row.median)


def _of_one_node(rate: Result, linpack: Sequence[Result]) -> Result | None:
    """The best rate of the same program on one node filled in the same way."""
    share = rate.cores // rate.nodes
    return best(
        [
            row
            for row in linpack
            if rate.nodes > 1 and row.benchmark == rate.benchmark and _width(row) == (share, 1)
        ]
    )
