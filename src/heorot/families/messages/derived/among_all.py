"""Derived rows of all ranks together: overlap, peaks of patterns, memory of the library.

A nonblocking operation takes t by itself, the concurrent computation c, both together T. Without
overlap T = t + c; with full overlap T is the larger of both. The hidden share is (t + c - T) /
min(t, c).
"""

from __future__ import annotations

from heorot.analyse.rows import best, derive, rename
from heorot.analyse.validity.line_rates import find_links
from heorot.families.messages.among_all.collectives import (
    COLLECTIVES,
    COMPUTATION,
    COMPUTATION_TIME,
    LATENCY,
    OVERLAP,
    OVERLAPPED,
    TESTED,
)
from heorot.families.messages.among_all.patterns import PATTERNS, PEAK, PORT
from heorot.families.messages.among_all.startup import LIBRARY_MEMORY, STARTUP
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup


def hidden_shares(context: Context) -> list[Result]:
    """The hidden share of each operation, size, case and toolchain, with and without tests."""
    found: dict[tuple[Key, str], Result] = {}
    for row in context.rows:
        if row.benchmark == COLLECTIVES.name and row.ranked:
            found[row.key, row.metric] = row
    derived = []
    for (key, metric), together in found.items():
        way = next((end for end in (OVERLAPPED, TESTED) if key.region.endswith(end)), "")
        if metric != LATENCY or not way:
            continue
        name = key.region.removesuffix(way)
        alone = found.get((key.but(region=name), LATENCY))
        computed = found.get((key.but(region=name + COMPUTATION), COMPUTATION_TIME))
        if alone is not None and computed is not None:
            share = _hidden_share(alone, computed, together)
            sources = [together, alone, computed]
            derived.append(derive(sources, OVERLAP, "1", "higher", share, point=together.point))
    return derived


def _hidden_share(alone: Result, computed: Result, together: Result) -> tuple[float, float, float]:
    """The share, and its values with every median at the worse or the better end."""
    most = min(alone.median, computed.median)
    return (
        _within(alone.median + computed.median - together.median, most),
        _within(alone.ci_low + computed.ci_low - together.ci_high, most),
        _within(alone.ci_high + computed.ci_high - together.ci_low, most),
    )


def _within(hidden: float, most: float) -> float:
    return min(1.0, max(0.0, hidden / most)) if most > 0.0 else 0.0


def pattern_peaks(context: Context) -> list[Result]:
    """The largest rate of the busiest rank over all sizes, for each pattern, toolchain and case.

    Between nodes with one rank per node it has a share of the line rate; if several ranks share a
    line, the part of their traffic on it is unknown.
    """
    groups: dict[Key, list[Result]] = {}
    for row in context.rows:
        if (row.benchmark, row.metric) == (PATTERNS.name, PORT) and row.ranked:
            groups.setdefault(row.key.but(point=Point()), []).append(row)
    rates = [link.bytes_per_second for link in find_links(context.machine)]
    tops = [top for rows in groups.values() if (top := best(rows))]
    return [rename(top, PEAK, {}, _share_of_line(top, rates)) for top in tops]


def _share_of_line(row: Result, rates: list[float]) -> float | None:
    """Of one line; of all of them together if it is faster than one."""
    if row.nodes == 1 or row.ranks != row.nodes or len(set(rates)) != 1:
        return None
    return row.median / (rates[0] if row.median <= rates[0] else sum(rates))


_MEMORY_NOTE = "library_bytes_per_rank_largest"


def library_memory(context: Context) -> list[Result]:
    """The memory of a rank used by its MPI library, the most of any rank and launch."""
    steps = {step.id: step for step in context.steps if step.benchmark == STARTUP.name}
    noted: dict[Setup, list[float]] = {}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        for note in outcome.notes if step is not None else ():
            if step is not None and note.name == _MEMORY_NOTE and not isinstance(note.value, str):
                noted.setdefault(step.setup, []).append(float(note.value))
    derived = []
    for row in context.rows.find(STARTUP.name, "init", "time"):
        found = noted.get(row.setup)
        if found:
            values = (max(found), min(found), max(found))
            derived.append(derive([row], LIBRARY_MEMORY, "B", "lower", values, point=row.point))
    return derived
