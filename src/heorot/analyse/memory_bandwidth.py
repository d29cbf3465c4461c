"""Memory bandwidth, defined once: what one program moves from beyond the last cache, by operation.

It is published as `memory_bandwidth`, with arrays that are each some times as large as what the
program found the caches to hold: a body goes over all of them once, so that what it counts is its
working set. Whoever speaks of the bandwidth of memory takes it from here; other programs that go
as far are witnesses, and no second value.
"""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.depth.feeds import Feeds
from heorot.analyse.depth.levels import Homes
from heorot.analyse.rows import best
from heorot.analyse.statistics.envelope import Envelope
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import word_home
from heorot.model.analysis.result import Result
from heorot.units import format_binary

REFERENCE = "memory_bandwidth"
_BY_SIZE = "bandwidth_by_size"
_SIZE = "working_set_bytes"


def memory_bandwidth(
    context: Context, operation: str, cores: int, toolchain: str | None = None
) -> Result | None:
    """The row with the bandwidth of memory on some cores of a node; None if it was not measured.

    Threads of one program come before copies that do not know of each other.

    Args:
        context: the run; of the references, `memory_bandwidth`.
        operation: such as `read` or `triad`.
        cores: used.
        toolchain: name of the toolchain, if it matters.
    """
    found = context.references.find(REFERENCE, cores=cores, toolchain=toolchain)
    rows = [row for row in found if row.region == operation and row.nodes == 1]
    return best([row for row in rows if not row.is_star] or rows)


def working_set(context: Context, row: Result) -> float | None:
    """What all cores of a row go over [B]; None if neither its point nor its counts tell.

    Args:
        context: the run.
        row: of a program whose ranks have arrays of their own.
    """
    own = row.point.get(_SIZE)
    if own is not None and not isinstance(own, str):
        return float(own) * row.ranks
    place = (row.benchmark, row.case, row.toolchain, row.region, row.point)
    for group in context.groups:
        one = group.first
        if (one.benchmark, one.case, one.toolchain, one.region, one.point) == place:
            return one.counts.get("bytes")
    return None


def home_of(context: Context, row: Result) -> tuple[float, str] | None:
    """What a row goes over [B], and what holds it, as measured; None if nobody tells.

    That is a level, or two that hold a part each.

    Args:
        context: the run.
        row: of a program that has its working set as a coordinate, or counts it; or a row that is
            one of these under another name.
    """
    homes, row = Homes(context), source_of(context, row)
    size = row.point.get(_SIZE)
    whole = working_set(context, row) if size is None or isinstance(size, str) else float(size)
    if whole is None:
        return None
    each = whole / row.cores if size is None else homes.working_set(row) or whole
    cores = row.cores // row.nodes
    level = homes.home(each, cores, row.toolchain)
    return whole, word_home(*Feeds(context).lives_in(each, cores, row.toolchain, level))


def source_of(context: Context, row: Result) -> Result:
    """The measured row that stands under the name of a level, such as the largest rate there.

    Args:
        context: the run.
        row: the row itself if it is none of these.
    """
    if not row.derived:
        return row
    place = (row.benchmark, row.case, row.toolchain, row.region, row.unit, row.median)
    for one in context.rows:
        same = (one.benchmark, one.case, one.toolchain, one.region, one.unit, one.median) == place
        if same and not one.derived and row.point.items() <= one.point.items():
            return one
    return row


def over(context: Context, row: Result) -> str:
    """Such as ` over 124 MiB from memory`; empty if nobody tells.

    Args:
        context: the run.
        row: as of `home_of`.
    """
    home = home_of(context, row)
    return "" if home is None else f" over {format_binary(home[0])} from {home[1]}"


class Reading:
    """What arrays of any size are read with, on each number of cores that was measured.

    Args:
        context: the run; of the references, `bandwidth_by_size` and `memory_bandwidth`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[tuple[int, str | None], tuple[float, Envelope, Envelope]] = {}

    def at(self, size: float, cores: int, toolchain: str) -> tuple[float, float] | None:
        """The rate, and the upper end of its interval [B/s]; None if nothing as small was read.

        What some cores read is what one does, so many times, if it was not measured.

        Args:
            size: of what all cores read together [B].
            cores: so many read.
            toolchain: whose rows count, if it has any.
        """
        least, rates, highs = self._curves(cores, toolchain)
        if not rates:
            least, rates, highs = self._curves(cores, None)
        if rates:
            return None if size < least else (rates.at(size), highs.at(size))
        alone = None if cores == 1 else self.at(size / cores, 1, toolchain)
        return None if alone is None else (cores * alone[0], cores * alone[1])

    def _curves(self, cores: int, toolchain: str | None) -> tuple[float, Envelope, Envelope]:
        """The smallest size that was read [B], and rates over sizes with the ends above them."""
        if (cores, toolchain) not in self._known:
            rows = list(self._measured(cores, toolchain))
            self._known[cores, toolchain] = (
                min((size for size, _ in rows), default=0.0),
                Envelope((size, row.median) for size, row in rows),
                Envelope((size, row.ci_high) for size, row in rows),
            )
        return self._known[cores, toolchain]

    def _measured(self, cores: int, toolchain: str | None) -> Iterator[tuple[float, Result]]:
        """Rows with their working sets [B]; disturbed ones do not vouch."""
        find = self._context.references.find
        rows = find(REFERENCE, cores=cores, toolchain=toolchain)
        rows = [row for row in rows if row.region == "read"]
        for row in (*rows, *find(_BY_SIZE, cores=cores, toolchain=toolchain)):
            size = None if row.nodes > 1 or row.disturbed else working_set(self._context, row)
            if size:
                yield size, row
