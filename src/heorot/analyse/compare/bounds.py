"""Which programs are compute-bound and which memory-bound: machines differ in both ratios.

Programs that publish a peak or a bandwidth are classified by it. Other programs are classified by
the contention of their copies on one node: compute-bound copies lose nothing, memory-bound copies
share the bandwidth. Programs in between are not classified.

Source: a cluster evaluation of 2004, which gives one factor between processors for compute-bound
programs and another for memory-bound ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import Bound
from heorot.model.catalogue.benchmark import Benchmark

_OF_UNITS = frozenset({"flop_peak", "core_clock"})
_OF_MEMORY = frozenset({"memory_bandwidth"})
MOST_OF_COMPUTING = 0.10
"""Largest loss of copies of a compute-bound program."""

LEAST_OF_MEMORY = 0.25
"""Least loss of copies of a memory-bound program."""


def bounds_of(benchmarks: Iterable[Benchmark], losses: Sequence[Result]) -> dict[str, Bound]:
    """The bound of each program, by its name; unclassified programs are left out.

    Args:
        losses: share of its rate that a copy loses to contention; rows on the most cores count.
    """
    found: dict[str, Bound] = {}
    for benchmark in benchmarks:
        published = {each.name for each in benchmark.publishes}
        if published & _OF_UNITS:
            found[benchmark.name] = "compute-bound"
        elif published & _OF_MEMORY:
            found[benchmark.name] = "memory-bound"
        elif bound := _by_copies([row for row in losses if row.benchmark == benchmark.name]):
            found[benchmark.name] = bound
    return found


def _by_copies(losses: Sequence[Result]) -> Bound | None:
    """By the largest loss on the most cores: smaller problems are resident in caches."""
    most = max((row.cores for row in losses if row.ranked), default=0)
    worst = max(
        (row for row in losses if row.ranked and row.cores == most),
        key=lambda row: row.median,
        default=None,
    )
    if worst is None:
        return None
    if worst.ci_high < MOST_OF_COMPUTING:
        return "compute-bound"
    return "memory-bound" if worst.ci_low > LEAST_OF_MEMORY else None
