"""Cuts curves over the working set into plateaus, and assigns each to a level.

A plateau belongs to the first cache at least two thirds as large as its last working set; plateaus
beyond all caches are memory. So is the last plateau if its program reports it as memory: a virtual
machine may list the caches of its whole host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median

from heorot.analyse.statistics.fits import Plateau, find_plateaus
from heorot.model.analysis.node_roofline.levels import MEMORY
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Machine
from heorot.model.point import Point
from heorot.model.run.identity import Key

SIZE = "working_set_bytes"
# A plateau may extend a little beyond the nominal capacity where replacement is not LRU.
_MOST_OF_CACHE = 1.5
# Latencies vary more within a level than rates: address translation adds to them.
_ALIKE_RATES, _ALIKE_TIMES = 0.12, 0.2
_MINIMUM_POINTS = 3
# The number of elements follows from the size; it does not separate curves.
_WITH_SIZE = frozenset({SIZE, "n"})


def size_of(row: Result) -> float:
    """The working set of a row [B], which must have one."""
    return float(row.point[SIZE])


def others_of(row: Result) -> Point:
    """The coordinates of a row except its size."""
    return row.point.without(*_WITH_SIZE)


def caches_of(machine: Machine) -> list[tuple[str, float]]:
    """Name, such as L2, and size [B] of the largest data cache of every level, nearest first."""
    sizes: dict[int, float] = {}
    for cache in machine.node.caches:
        if cache.kind in {"data", "unified"} and cache.plausible_bytes:
            sizes[cache.level] = max(sizes.get(cache.level, 0.0), float(cache.plausible_bytes))
    return [(f"L{level}", sizes[level]) for level in sorted(sizes)]


def name_levels(
    plateaus: Sequence[Plateau],
    caches: Sequence[tuple[str, float]],
    is_memory: Callable[[Plateau], bool],
) -> dict[str, Plateau]:
    """The plateau of every level that has one, nearest first.

    Args:
        plateaus: of a curve, nearest first.
        caches: names and sizes [B], nearest first.
        is_memory: whether the last plateau is known to be memory.
    """
    levels: dict[str, Plateau] = {}
    for plateau in plateaus:
        fitting = (name for name, size in caches if plateau.high_bytes <= _MOST_OF_CACHE * size)
        name = next(fitting, MEMORY)
        if plateau is plateaus[-1] and is_memory(plateau):
            name = MEMORY
        if name == MEMORY or name not in levels:
            levels[name] = plateau
    return levels


def curves_of(rows: Iterable[Result]) -> Iterator[list[Result]]:
    """Rows over the working set, smallest first, grouped by all else but their size.

    Args:
        rows: of one metric; those without a size are left out, and curves with fewer than three.
    """

    def point(row: Result) -> Key:
        return row.key.but(point=others_of(row))

    sized = [row for row in rows if not isinstance(row.point.get(SIZE, ""), str)]
    for _, members in groupby(sorted(sized, key=point), key=point):
        curve = sorted(members, key=size_of)
        if len({size_of(row) for row in curve}) >= _MINIMUM_POINTS:
            yield curve


def plateaus_of(curve: Sequence[Result]) -> list[Plateau]:
    """The plateaus of a curve of rates, or of times converted to rates."""
    if curve[0].better == "higher":
        rates, alike = [row.median for row in curve], _ALIKE_RATES
    else:
        rates, alike = [1.0 / row.median for row in curve], _ALIKE_TIMES
    return find_plateaus([size_of(row) for row in curve], rates, tolerance=alike)


def on(plateau: Plateau, curve: Sequence[Result]) -> list[Result]:
    """The rows of a curve that lie on one of its plateaus."""
    return [row for row in curve if plateau.low_bytes <= size_of(row) <= plateau.high_bytes]


def middle_of(rows: Sequence[Result]) -> tuple[float, float, float]:
    """The median of several rows, with the median ends of their intervals."""
    return (
        median(row.median for row in rows),
        median(row.ci_low for row in rows),
        median(row.ci_high for row in rows),
    )
