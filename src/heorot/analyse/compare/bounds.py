"""Which programs computing bounds, and which memory: the speeds of processors differ in both.

What a program publishes says it of those that measure the units or the memory themselves. Of the
others it shows in what their copies lose beside each other: who only computes loses nothing, who
waits for memory loses what all copies share. In between nothing is decided.

Source: the verdict of a cluster evaluation of 2004, which gives a factor between processors for
programs bound by computing and another for those bound by memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import Bound
from heorot.model.catalogue.benchmark import Benchmark

_OF_UNITS = frozenset({"flop_peak", "core_clock"})
_OF_MEMORY = frozenset({"memory_bandwidth"})
MOST_OF_COMPUTING = 0.10
"""Copies of what computing bounds lose less than this."""

LEAST_OF_MEMORY = 0.25
"""Copies of what memory bounds lose more than this."""


def bounds_of(benchmarks: Iterable[Benchmark], losses: Sequence[Result]) -> dict[str, Bound]:
    """What bounds each program, by its name; those that nothing decides are left out.

    Args:
        losses: what a copy of a program loses beside others, as shares; those on most cores count.
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
    """The largest loss on most cores speaks for a program: smaller problems live in caches."""
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
