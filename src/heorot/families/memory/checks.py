"""Memory bandwidth of memory/stream, compared with other programs operation by operation.

The others are the kernels of memory/hierarchy and the longest vectors of vector operations: of each
the working set nearest to that of memory/stream.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from heorot.analyse.memory_bandwidth import REFERENCE, memory_bandwidth, working_set
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.validity.cross_checks import meeting, pair, per_stack
from heorot.families.memory import templates
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import MEMORY
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.resource import CORES
from heorot.units import format_binary

_OPERATIONS = ("read", "copy", "add", "triad")
# Array sizes, alignment and the share of the last cache differ.
_MEMORY = 1.25
_SIZE = "working_set_bytes"


@dataclass(frozen=True)
class Compared:
    """One operation on memory by memory/stream and by another program.

    Attributes:
        size: its working set, all cores together [B]; None if it is not known.
        other_size: its working set [B].
        before: the row of the other program with its next smaller working set; None if there is
            none.
    """

    operation: str
    row: Result
    size: float | None
    other: Result
    other_size: float
    before: Result | None
    check: CrossCheck


def compared(context: Context) -> Iterator[Compared]:
    """The operations by both."""
    for stack, suffix in per_stack(context):
        found = context.references.find(REFERENCE, stack=stack)
        for n in sorted({row.cores for row in found if row.nodes == 1}):
            for operation in _OPERATIONS:
                row = memory_bandwidth(context, operation, n, stack)
                if row is not None:
                    for far, every in _others(context, row):
                        yield from _held(context, row, far, every, suffix)


def _others(context: Context, row: Result) -> Iterator[tuple[list[Result], list[Result]]]:
    """Sweeps of other programs over the same operation: the points from memory, and all points."""
    levels_of, n, chain = WorkingSetLevels(context), row.cores, row.stack
    swept = context.rows.find(HIERARCHY.name, row.region, "bandwidth", cores=n, stack=chain)
    yield (
        [
            one
            for one in swept
            if levels_of.level_of(levels_of.working_set(one) or 0.0, n, chain) == MEMORY
        ],
        swept,
    )
    find = partial(context.references.find, of=CORES.of(n), stack=chain)
    if any(one.region == row.region for one in find("longest_vectors_bandwidth")):
        vectors = [one for one in find("vector_bandwidth_by_size") if one.region == row.region]
        yield [one for one in vectors if _extent(one) == max(map(_extent, vectors))], vectors


def _held(
    context: Context, row: Result, far: Sequence[Result], every: Sequence[Result], suffix: str
) -> Iterator[Compared]:
    """The row of a sweep that is nearest in size, with that of memory/stream.

    Perturbed results and those of a single launch are not compared.
    """
    far = [one for one in far if _is_settled(one)]
    if not far or not _is_settled(row):
        return
    size = working_set(context, row)
    wanted = size or max(map(_extent, far))
    other = min(far, key=lambda one: (abs(math.log(_extent(one) / wanted)), -one.median))
    names = (_name(row, size), _name(other, _extent(other)))
    subject = templates.BANDWIDTH_OF.claim(row=row).text
    quantity = f"{subject} ({row.region}){suffix}"
    allowed = max(_MEMORY, meeting(row, other))
    smaller = [one for one in every if _extent(one) < _extent(other)]
    for check in pair(quantity, (row, other), names, allowed, f"{subject}{suffix}"):
        before = max(smaller, key=_extent, default=None)
        yield Compared(row.region, row, size, other, _extent(other), before, check)


def _is_settled(row: Result) -> bool:
    return row.n_launches > 1 and not row.disturbed


def _extent(row: Result) -> float:
    """The working set of all ranks together [B]."""
    return float(row.point[_SIZE]) * row.ranks


def _name(row: Result, size: float | None) -> str:
    of = f", {format_binary(size)}" if size else ""
    return f"{row.benchmark} {row.region}{of}"
