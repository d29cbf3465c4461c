"""Memory bandwidth, defined once: one program's traffic beyond the last cache, by operation.

It is published as `memory_bandwidth`, with arrays several times as large as the caches that the
program detected: a body passes over all of them once, so that its counted bytes are its working
set. Every statement on memory bandwidth uses this value; other programs beyond the caches are
compared with it, and are no second value.
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
# The same operations with stores past the caches: what they count is all that they move.
NONTEMPORAL = "nontemporal_bandwidth"
_BY_SIZE = "bandwidth_by_size"
_SIZE = "working_set_bytes"


def memory_bandwidth(
    context: Context,
    operation: str,
    cores: int,
    stack: Stack | None = None,
    reference: str = REFERENCE,
) -> Result | None:
    """The row with the memory bandwidth on some cores of a node; None if it was not measured.

    Threads of one program are preferred to independent copies.

    Args:
        operation: such as `read` or `triad`.
    """
    found = context.references.find(reference, of=CORES.of(cores), stack=stack)
    rows = [row for row in found if row.region == operation and row.nodes == 1]
    return best([row for row in rows if not row.is_star] or rows)


def working_set(context: Context, row: Result) -> float | None:
    """Working set of all cores of a row [B]; None if neither its point nor its counts have it.

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


def best_operation(context: Context, cores: int, stack: Stack | None = None) -> Result | None:
    """The operation with the highest memory bandwidth on some cores, non-temporal or not."""
    rows = [
        memory_bandwidth(context, operation, cores, stack, reference)
        for reference in (REFERENCE, NONTEMPORAL)
        for operation in dict.fromkeys(
            row.region for row in context.references.find(reference, of=CORES.of(cores))
        )
    ]
    return best([row for row in rows if row is not None])


class Reading:
    """Read bandwidth of arrays of any size, on each measured core count.

    Args:
        context: the run; of the references, `bandwidth_by_size` and `memory_bandwidth`.
        any_operation: whether other operations, which may be faster, count in memory as well.
    """

    def __init__(self, context: Context, *, any_operation: bool = False) -> None:
        self._context, self._any_operation = context, any_operation
        self._known: dict[tuple[int, Stack | None], tuple[float, Envelope]] = {}

    def at(self, size: float, cores: int, stack: Stack) -> float | None:
        """The bound of the rate [B/s]; None if no set that small was read.

        An unmeasured core count has the rate of one core times the count.

        Args:
            size: total of all reading cores [B].
        """
        least, rates = self._curve(cores, stack)
        if not rates:
            least, rates = self._curve(cores, None)
        if rates:
            return None if size < least else rates.at(size)
        alone = None if cores == 1 else self.at(size / cores, 1, stack)
        return None if alone is None else cores * alone

    def _curve(self, cores: int, stack: Stack | None) -> tuple[float, Envelope]:
        """The smallest size that was read [B], and the envelope over sizes."""
        if (cores, stack) not in self._known:
            rows = list(self._measured(cores, stack))
            self._known[cores, stack] = (
                min((size for size, _ in rows), default=0.0),
                Envelope((size, capability(row)) for size, row in rows),
            )
        return self._known[cores, stack]

    def _measured(self, cores: int, stack: Stack | None) -> Iterator[tuple[float, Result]]:
        """Rows with their working sets [B], without perturbed ones."""
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
                # Memory lies beyond all sizes.
                yield math.inf, row
