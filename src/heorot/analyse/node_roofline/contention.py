"""Contention: why concurrent copies of a program slow down, and the loss due to each cause.

- `bandwidth`: each core's part of the bandwidth of the level that holds the working set is less
  than the bandwidth that one copy by itself consumes by its counts.
- `caches`: the same, for a copy whose working set fits a nearer level only if no other copy runs:
  each has only its part of a shared cache.
- `clock`: a core runs at a lower frequency while others are busy.
- `waiting`: the memory latency is higher while other cores read. A program of dependent loads,
  which consumes little more than one line per latency, slows down in proportion; no other does.

The loss due to a cause is an upper estimate, for a copy limited by that cause only: it explains at
most that part of the measured loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from heorot.analyse.node_roofline.bandwidth_roofs import BandwidthRoofs
from heorot.analyse.node_roofline.roofs import line_bytes, published
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.rows import best
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.node_roofline.shares import Cause, Contention
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key, Measured

_Two = tuple[float | None, float | None]

# A larger consumption, in lines per latency, needs several outstanding loads.
_MOST_LINES_AT_ONCE = 4.0


def find_contentions(
    context: Context, metric: str, levels_of: WorkingSetLevels
) -> Iterator[Contention]:
    """The cause of the loss of every row of copies.

    Args:
        context: the run; of the rows, those with the losses; of the references, `core_clock`,
            `loaded_latency` and the bandwidths of levels.
    """
    consumed, roofs = _consumed_alone(context), BandwidthRoofs(context)
    for row in context.rows:
        if row.metric == metric and row.ranked:
            yield _explain(context, row, consumed.get(_problem(row)), levels_of, roofs)


def _problem(row: Measured) -> Key:
    return row.key.only("benchmark", "toolchain", "network", "region", "point")


def _consumed_alone(context: Context) -> dict[Key, float]:
    """The bandwidth that one copy by itself consumes, by its counts [B/s]."""
    consumed: dict[Key, float] = {}
    for group in context.groups:
        one = group.first
        n_bytes = one.counts.get("bytes", 0.0)
        alone = one.cores == 1 and not one.is_star
        if alone and n_bytes > 0.0 and group.verified == "passed":
            seconds = median([median(each.body_seconds) for each in group.series])
            problem = _problem(one)
            consumed[problem] = max(consumed.get(problem, 0.0), n_bytes / seconds)
    return consumed


def _explain(
    context: Context,
    row: Result,
    consumed: float | None,
    levels_of: WorkingSetLevels,
    roofs: BandwidthRoofs,
) -> Contention:
    """The cause of the loss of copies.

    Args:
        consumed: bandwidth of one copy by itself [B/s].
    """
    # Without counted bytes the working set is unknown: the planned memory includes everything else.
    size = levels_of.working_set(row) if consumed is not None else None
    near = far = ""
    part = None
    if size is not None:
        near, far = (levels_of.level_of(size, cores, row.stack) for cores in (1, row.ranks))
        available_alone = _bandwidth(roofs, row, near, size, 1)
        # Counted bytes beyond that bandwidth are served by a nearer level.
        consumed = min(filter(None, (consumed, available_alone)), default=None)
        part = _bandwidth(roofs, row, far, size, row.ranks)
    waits = _waits(context, row, consumed) if far == MEMORY else (None, None)
    clocks = _clocks(context, row)
    # Of causes that explain the same part the first is named.
    causes: dict[Cause, float] = {
        "caches" if _is_nearer(near, far) else "bandwidth": _cost(part, consumed),
        "clock": _cost(clocks[1], clocks[0]),
        # A latency increases by the factor by which the speed falls.
        "waiting": _cost(*waits),
    }
    return Contention(
        key=row.key,
        lost=Middle(median=row.median, low=row.ci_low, high=row.ci_high),
        level_alone=near,
        level=far,
        consumed=consumed,
        part=part,
        wait_alone=waits[0],
        wait=waits[1],
        clock_alone=clocks[0],
        clock=clocks[1],
        explains=tuple(sorted(causes.items(), key=lambda cause: -min(cause[1], row.median))),
        row=row.id,
    )


def _is_nearer(near: str, far: str) -> bool:
    """Whether a level is closer to the cores than another."""
    return near in LEVELS and far in LEVELS and LEVELS.index(near) < LEVELS.index(far)


def _cost(among: float | None, alone: float | None) -> float:
    """The share of speed lost where a quantity falls from one value to another."""
    if among is None or alone is None or alone <= 0.0:
        return 0.0
    return max(0.0, 1.0 - among / alone)


def _bandwidth(
    roofs: BandwidthRoofs, row: Result, level: str, size: float, copies: int
) -> float | None:
    """Each copy's part of the bandwidth available to such working sets on all busy cores [B/s]."""
    available = roofs.at(size, copies, row.stack, level)
    return available.fetched / copies if available is not None else None


def _waits(context: Context, row: Result, consumed: float | None) -> _Two:
    """Memory latency of a core by itself, and with the other cores reading as well [s].

    For other numbers of readers, that of the next smaller measured one. None for copies that
    consume more than dependent loads can.
    """
    found = published(context, "loaded_latency", row.stack)
    by_readers = {float(each.point.get("streams", 0)): each.median for each in found}
    alone = by_readers.get(0.0)
    fewer = max((n for n in by_readers if 0.0 < n < row.ranks), default=None)
    if alone is None or fewer is None or consumed is None:
        return None, None
    if consumed > _MOST_LINES_AT_ONCE * line_bytes(context.machine) / alone:
        return None, None
    return alone, by_readers[fewer]


def _clocks(context: Context, row: Result) -> _Two:
    """The frequency of a core by itself, and with that many busy cores [Hz]."""
    found = published(context, "core_clock", row.stack)
    alone = best([each for each in found if each.cores == 1 and not each.is_star])
    busy = best([each for each in found if each.ranks == row.ranks and each.is_star])
    if alone is None or busy is None:
        return None, None
    return alone.median, busy.median
