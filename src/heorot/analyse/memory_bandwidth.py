"""Memory bandwidth, defined once: what one program moves from beyond the last cache, by operation.

It is published as `memory_bandwidth`, with arrays that are each some times as large as what the
program found the caches to hold: a body goes over all of them once, so that what it counts is its
working set. Whoever speaks of the bandwidth of memory takes it from here; other programs that go
as far are compared with it, and are no second value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from heorot.analyse.rows import best, capability
from heorot.analyse.statistics.envelope import Envelope
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.resource import CORES
from heorot.model.run.identity import Stack

REFERENCE = "memory_bandwidth"
_BY_SIZE = "bandwidth_by_size"
_SIZE = "working_set_bytes"


def memory_bandwidth(
    context: Context, operation: str, cores: int, stack: Stack | None = None
) -> Result | None:
    """The row with the bandwidth of memory on some cores of a node; None if it was not measured.

    Threads of one program come before copies that do not know of each other.

    Args:
        operation: such as `read` or `triad`.
    """
    found = context.references.find(REFERENCE, of=CORES.of(cores), stack=stack)
    rows = [row for row in found if row.region == operation and row.nodes == 1]
    return best([row for row in rows if not row.is_star] or rows)


def working_set(context: Context, row: Result) -> float | None:
    """What all cores of a row go over [B]; None if neither its point nor its counts tell.

    Args:
        row: of a program whose ranks have arrays of their own.
    """
    own = row.point.get(_SIZE)
    if own is not None and not isinstance(own, str):
        return float(own) * row.ranks
    for group in context.groups:
        if group.first.key == row.key:
            return group.first.counts.get("bytes")
    return None


def most_drawn(context: Context, cores: int, stack: Stack | None = None) -> Result | None:
    """The operation that draws most from memory on some cores, by its bandwidth as above."""
    found = context.references.find(REFERENCE, of=CORES.of(cores), stack=stack)
    rows = [
        memory_bandwidth(context, operation, cores, stack)
        for operation in dict.fromkeys(row.region for row in found)
    ]
    return best([row for row in rows if row is not None])


class Reading:
    """What arrays of any size can be read with, on each number of cores that was measured.

    Args:
        context: the run; of the references, `bandwidth_by_size` and `memory_bandwidth`.
        any_operation: whether from memory other operations count, too, which may draw more.
    """

    def __init__(self, context: Context, *, any_operation: bool = False) -> None:
        self._context, self._any_operation = context, any_operation
        self._known: dict[tuple[int, Stack | None], tuple[float, Envelope]] = {}

    def at(self, size: float, cores: int, stack: Stack) -> float | None:
        """What bounds the rate [B/s]; None if nothing as small was read.

        What some cores read is what one does, so many times, if it was not measured.

        Args:
            size: of what all cores read together [B].
        """
        least, rates = self._curve(cores, stack)
        if not rates:
            least, rates = self._curve(cores, None)
        if rates:
            return None if size < least else rates.at(size)
        alone = None if cores == 1 else self.at(size / cores, 1, stack)
        return None if alone is None else cores * alone

    def _curve(self, cores: int, stack: Stack | None) -> tuple[float, Envelope]:
        """The smallest size that was read [B], and what was seen at most over sizes."""
        if (cores, stack) not in self._known:
            rows = list(self._measured(cores, stack))
            self._known[cores, stack] = (
                min((size for size, _ in rows), default=0.0),
                Envelope((size, capability(row)) for size, row in rows),
            )
        return self._known[cores, stack]

    def _measured(self, cores: int, stack: Stack | None) -> Iterator[tuple[float, Result]]:
        """Rows with their working sets [B]; disturbed ones do not vouch."""
        find = self._context.references.find
        rows = find(REFERENCE, of=CORES.of(cores), stack=stack)
        far = [row for row in rows if self._any_operation or row.region == "read"]
        rows = [*far, *find(_BY_SIZE, of=CORES.of(cores), stack=stack)]
        whole = [row for row in rows if row.nodes == 1 and not row.disturbed]
        sizes = [working_set(self._context, row) for row in whole]
        for size, row in zip(sizes, whole, strict=True):
            if size:
                yield size, row
            elif any(sizes) and row in far:
                # Memory is what lies beyond all sizes.
                yield math.inf, row
