"""Roofs for a number of cores: flop peak, bandwidth of each level, latency.

All roofs are published measurements: the FMA rates by vector width, the highest bandwidth of any
loop in each level, and the memory latency. A core with one outstanding load consumes at most one
line per latency. The machine balance (flop/B) of a level is the intensity above which its bandwidth
is not the limit. A toolchain whose programs measured no roofs is placed under those of the first
toolchain.

Source: S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model for
multicore architectures, Comm. ACM 52 (2009).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heorot.analyse.memory_bandwidth import NONTEMPORAL, REFERENCE, best_operation
from heorot.analyse.rows import best, capability, derive, over
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import FLOPS_PER_BYTE, LEVELS, MEMORY
from heorot.model.analysis.node_roofline.roofs import BandwidthRoof, FlopPeak, MachineBalance, Roofs
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.grouping import group_by
from heorot.model.machine.machine import Machine
from heorot.model.resource import CORES
from heorot.model.run.identity import Stack

_USUAL_LINE_BYTES = 64


def find_roofs(context: Context) -> list[Roofs]:
    """The roofs of every core count with a measured peak, fewest first, by toolchain.

    Args:
        context: the run; of the references, `flop_peak`, `bandwidth_l1` to `bandwidth_memory`,
            `memory_bandwidth` and `latency_memory`.
    """
    found = []
    for stack in context.stacks:
        peaks = [row for row in published(context, "flop_peak", stack) if _is_of(row, stack)]
        for cores in sorted({row.cores for row in peaks}):
            roofs = _roofs(context, [row for row in peaks if row.cores == cores], cores)
            if roofs is not None:
                found.append(roofs)
    return found


def find_balances(roofs: Iterable[Roofs], rows: Rows) -> Iterator[tuple[MachineBalance, Result]]:
    """Machine balance of every level, each with its row."""
    by_id = {row.id: row for row in rows}
    for each in roofs:
        peak = by_id[each.highest.row]
        for bandwidth in each.bandwidths:
            slow = by_id[bandwidth.row]
            values = over(peak, slow)
            row = derive(
                [slow, peak],
                FLOPS_PER_BYTE,
                "flop/B",
                "lower",
                values,
                point={"level": bandwidth.level},
            )
            balance = MachineBalance(
                stack=each.stack,
                of=each.of,
                level=bandwidth.level,
                bandwidth=bandwidth.rate,
                flop_peak=each.highest.rate,
                flops_per_byte=Middle(median=values[0], low=values[1], high=values[2]),
                row=row.id,
            )
            yield balance, row


def published(context: Context, reference: str, stack: Stack) -> list[Result]:
    """Rows of one node: those of a toolchain, or of the first one that has any."""
    rows = [row for row in context.references.find(reference) if row.nodes == 1]
    known = {row.stack for row in rows}
    if rows and stack not in known:
        stack = next(each for each in context.stacks if each in known)
    return [row for row in rows if _is_of(row, stack)]


def publishers(context: Context) -> set[str]:
    """The programs that measure roofs; they have no points of their own."""
    names = (*_names(MEMORY), *(name for level in LEVELS for name in _names(level)))
    published = (context.references.publisher(name) for name in ("flop_peak", *names))
    return {each[0] for each in published if each is not None}


def first_stack(context: Context) -> Stack | None:
    """The stack that sentences are about; None if nothing yielded results."""
    return next((row.stack for row in context.rows), None)


def bandwidth_rows(context: Context, level: str, cores: int, stack: Stack) -> list[Result]:
    """The bandwidth of loops in a level, on that many cores of a node."""
    return [
        row
        for name in _names(level)
        for row in published(context, name, stack)
        if row.cores == cores
    ]


def fetched(context: Context, row: Result) -> float:
    """The part of a bandwidth that is fetched: without non-temporal stores [B/s]."""
    benchmark = context.benchmarks.get(row.benchmark)
    return capability(row) * (benchmark.moves(row.region).fetched if benchmark else 1.0)


def carried(context: Context, row: Result) -> float:
    """The bandwidth of a loop with write-backs counted as well [B/s]."""
    benchmark = context.benchmarks.get(row.benchmark)
    return capability(row) * (benchmark.moves(row.region).carried if benchmark else 1.0)


def line_bytes(machine: Machine) -> int:
    """Size of a cache line [B]."""
    known = (cache.line_bytes for cache in machine.node.caches if cache.kind != "instruction")
    return next(filter(None, known), _USUAL_LINE_BYTES)


def _roofs(context: Context, peaks: Sequence[Result], cores: int) -> Roofs | None:
    """The roofs of some cores by their peaks; None if the same toolchain measured no bandwidth."""
    stack = peaks[0].stack
    bandwidths = [
        BandwidthRoof(
            level=level,
            rate=top.median,
            row=top.id,
            most=capability(most),
            carried=max(carried(context, row) for row in rows),
            kernel=most.region,
            traffic=carried(context, most) / capability(most),
        )
        for level in LEVELS
        for rows in [
            [row for row in bandwidth_rows(context, level, cores, stack) if _is_of(row, stack)]
        ]
        for top in [_published(context, level, cores, stack) or best(rows)]
        if top is not None
        for most in [max(rows, key=capability)]
    ]
    if not bandwidths:
        return None
    return Roofs(
        stack=stack,
        of=CORES.of(cores),
        peaks=tuple(_peaks(peaks)),
        bandwidths=tuple(bandwidths),
        waiting=_waiting(context, stack, cores),
    )


def _published(context: Context, level: str, cores: int, stack: Stack) -> Result | None:
    """For memory the row with its one bandwidth."""
    return best_operation(context, cores, stack) if level == MEMORY else None


def _peaks(rows: Sequence[Result]) -> list[FlopPeak]:
    """The best rate of every vector width, the highest first."""
    widths = group_by(rows, lambda row: int(row.point.get("vector_bytes", 0)))
    tops = [(width, best(members)) for width, members in widths.items()]
    peaks = [
        FlopPeak(vector_bytes=width, rate=top.median, row=top.id, most=most)
        for width, top in tops
        if top
        for most in [max(map(capability, widths[width]))]
    ]
    return sorted(peaks, key=lambda each: -each.rate)


def _waiting(context: Context, stack: Stack, cores: int) -> BandwidthRoof | None:
    wait = best(published(context, f"latency_{MEMORY}", stack))
    if wait is None:
        return None
    rate = cores * line_bytes(context.machine) / wait.median
    most = cores * line_bytes(context.machine) / wait.ci_low if wait.ci_low > 0.0 else rate
    return BandwidthRoof(level=MEMORY, rate=rate, row=wait.id, most=most)


def _names(level: str) -> tuple[str, ...]:
    """References to the bandwidth of a level: memory has three."""
    own = f"bandwidth_{level.lower()}"
    return (own, REFERENCE, NONTEMPORAL) if level == MEMORY else (own,)


def _is_of(row: Result, stack: Stack) -> bool:
    return row.stack == stack
