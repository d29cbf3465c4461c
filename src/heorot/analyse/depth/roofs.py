"""What limits programs on some cores: the units, each level of the memory, its latency.

Everything is what somebody published who measured it: the rates of the multiply-add units by the
width of their vectors, the best rate that any loop draws from each level, and the time that a load
waits for memory. A core that asks for a line only when the one before has come draws no more than
a line in that time. A toolchain whose programs measured nothing of it has no roofs of its own: what
it built stands below those of the first toolchain.

Source: S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model for
multicore architectures, Comm. ACM 52 (2009).
"""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.depth.curves import SIZE
from heorot.analyse.rows import best
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import LEVELS, MEMORY
from heorot.model.analysis.depth.roofs import Feed, FlopPeak, Roofs
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Machine

_USUAL_LINE_BYTES = 64


def find_roofs(context: Context) -> list[Roofs]:
    """The roofs of every number of cores whose peak was measured, fewest first, by toolchain.

    Args:
        context: the run; of the references, `flop_peak`, `bandwidth_l1` to `bandwidth_memory`,
            `memory_bandwidth` and `latency_memory`.
    """
    found = []
    for toolchain in context.toolchains:
        peaks = [
            row for row in published(context, "flop_peak", toolchain) if _is_of(row, toolchain)
        ]
        for cores in sorted({row.cores for row in peaks}):
            roofs = _roofs(context, [row for row in peaks if row.cores == cores], cores)
            if roofs is not None:
                found.append(roofs)
    return found


def published(context: Context, reference: str, toolchain: str) -> list[Result]:
    """Rows of one node: those of a toolchain, or of the first one that has any.

    Args:
        context: the run.
        reference: name of what was measured.
        toolchain: whose rows count, if it has any.
    """
    rows = [row for row in context.references.find(reference) if row.nodes == 1]
    known = {row.toolchain for row in rows}
    if rows and toolchain not in known:
        toolchain = next(each for each in context.toolchains if each in known)
    return [row for row in rows if _is_of(row, toolchain)]


def publishers(context: Context) -> set[str]:
    """The programs that measure roofs: nothing of theirs stands below one."""
    names = (*_feed_names(MEMORY), *(name for level in LEVELS for name in _feed_names(level)))
    published = (context.references.publisher(name) for name in ("flop_peak", *names))
    return {each[0] for each in published if each is not None}


def first_toolchain(context: Context) -> str:
    """The toolchain that sentences speak of; empty if nothing yielded results."""
    return next((row.toolchain for row in context.rows), "")


def feed_rows(context: Context, level: str, cores: int, toolchain: str) -> list[Result]:
    """What loops draw from a level, on as many cores of a node.

    Args:
        context: the run.
        level: of the memory.
        cores: used.
        toolchain: whose rows count, if it has any.
    """
    return [
        row
        for name in _feed_names(level)
        for row in published(context, name, toolchain)
        if row.cores == cores
    ]


def feed_at(context: Context, working_set: float, cores: int, toolchain: str) -> Result | None:
    """What is drawn with the largest measured working set that is no larger.

    Args:
        context: the run; of the references, `bandwidth_by_working_set`.
        working_set: of each core [B].
        cores: used.
        toolchain: whose rows count, if it has any.
    """
    rows = [
        row
        for row in published(context, "bandwidth_by_working_set", toolchain)
        if row.cores == cores and float(row.point[SIZE]) / row.threads <= working_set
    ]
    largest = max((float(row.point[SIZE]) for row in rows), default=0.0)
    return best([row for row in rows if float(row.point[SIZE]) == largest])


def line_bytes(machine: Machine) -> int:
    """What comes from memory at once [B]."""
    known = (cache.line_bytes for cache in machine.node.caches if cache.kind != "instruction")
    return next(filter(None, known), _USUAL_LINE_BYTES)


def _roofs(context: Context, peaks: Sequence[Result], cores: int) -> Roofs | None:
    """The roofs of some cores by their peaks; None if the same toolchain measured no bandwidth."""
    toolchain = peaks[0].toolchain
    feeds = [
        Feed(level=level, rate=top.median, key=top.key)
        for level in LEVELS
        for rows in [feed_rows(context, level, cores, toolchain)]
        for top in [best([row for row in rows if _is_of(row, toolchain)])]
        if top is not None
    ]
    if not feeds:
        return None
    return Roofs(
        toolchain=toolchain,
        cores=cores,
        peaks=tuple(_peaks(peaks)),
        feeds=tuple(feeds),
        waiting=_waiting(context, toolchain, cores),
    )


def _peaks(rows: Sequence[Result]) -> list[FlopPeak]:
    """The best rate of every width, the highest first."""
    widths: dict[int, list[Result]] = {}
    for row in rows:
        widths.setdefault(int(row.point.get("vector_bytes", 0)), []).append(row)
    tops = [(width, best(members)) for width, members in widths.items()]
    peaks = [
        FlopPeak(vector_bytes=width, rate=top.median, key=top.key) for width, top in tops if top
    ]
    return sorted(peaks, key=lambda each: -each.rate)


def _waiting(context: Context, toolchain: str, cores: int) -> Feed | None:
    wait = best(published(context, f"latency_{MEMORY}", toolchain))
    if wait is None:
        return None
    rate = cores * line_bytes(context.machine) / wait.median
    return Feed(level=MEMORY, rate=rate, key=wait.key)


def _feed_names(level: str) -> tuple[str, ...]:
    """References to what is drawn from a level: of memory there are two."""
    own = f"bandwidth_{level.lower()}"
    return (own, "memory_bandwidth") if level == MEMORY else (own,)


def _is_of(row: Result, toolchain: str) -> bool:
    return row.toolchain == toolchain
