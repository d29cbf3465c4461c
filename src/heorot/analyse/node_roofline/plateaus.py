"""Plateaus of each program's sweeps over the working set, level by level.

The first metric of a program is cut into plateaus. If the family itself derives the levels of a
program, its rows name the plateaus. For all other programs the value of each plateau becomes a row
named after the level in which the plateau ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from heorot.analyse.node_roofline.curves import curves_of, middle_of, on, others_of, plateaus_of
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.rows import derive
from heorot.analyse.statistics.fits import Plateau
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS
from heorot.model.analysis.node_roofline.shares import LevelPlateau
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.grouping import group_by

# Plateaus of shorter sweeps are not reported.
_LEAST_SIZES = 5
_LEAST_ON_PLATEAU = 3


def find_level_plateaus(
    context: Context, levels_of: WorkingSetLevels
) -> Iterator[tuple[LevelPlateau, Result | None]]:
    """Every plateau of every sweep, with the row of its value, if there is none yet."""
    of_program = group_by((row for row in context.rows if row.ranked), lambda row: row.benchmark)
    for benchmark in context.benchmarks.values():
        if not benchmark.metrics:
            continue
        rows = of_program.get(benchmark.name, [])
        metric = benchmark.metrics[0].name
        swept = [row for row in rows if row.metric == metric and not row.derived and row.nodes == 1]
        derived = [row for row in rows if row.derived]
        for curve in curves_of(swept):
            if len(curve) < _LEAST_SIZES:
                continue
            if _publishes_levels(benchmark):
                yield from (
                    (plateau_row, None) for plateau_row in _published_plateaus(curve, derived)
                )
            else:
                yield from _level_plateaus(curve, levels_of)


def _publishes_levels(benchmark: Benchmark) -> bool:
    """Whether the family derives the levels of a program."""
    ends = tuple(f"_{level.lower()}" for level in LEVELS)
    return any(name.endswith(ends) for name in benchmark.derived)


def _published_plateaus(curve: list[Result], derived: Sequence[Result]) -> Iterator[LevelPlateau]:
    """The plateaus whose values a family has assigned to a level."""
    first = curve[0]
    names = {f"{first.metric}_{level.lower()}": level for level in LEVELS}
    place, plateaus = (first.case, first.stack, first.region), plateaus_of(curve)
    for row in derived:
        if row.metric not in names or (row.case, row.stack, row.region) != place:
            continue
        if row.point.items() <= others_of(first).items():
            # The value of a level is the median of its plateau: no other is closer.
            nearest = min(plateaus, key=partial(_apart, row, curve), default=None)
            if nearest is not None:
                yield _level_plateau(row, nearest, names[row.metric], first.metric)


def _apart(row: Result, curve: Sequence[Result], plateau: Plateau) -> float:
    return abs(middle_of(on(plateau, curve))[0] - row.median)


def _level_plateaus(
    curve: list[Result], levels_of: WorkingSetLevels
) -> Iterator[tuple[LevelPlateau, Result]]:
    """The plateaus of a curve; of several that end in one level the longest."""
    levels: dict[str, Plateau] = {}
    first = curve[0]
    for plateau in plateaus_of(curve):
        rows = on(plateau, curve)
        if len(rows) < _LEAST_ON_PLATEAU:
            continue
        size = levels_of.working_set(rows[-1]) or plateau.high_bytes
        level = levels_of.level_of(size, first.cores, first.stack)
        rival = levels.get(level)
        if rival is None or _length(plateau) > _length(rival):
            levels[level] = plateau
    for level, plateau in levels.items():
        rows = on(plateau, curve)
        point = others_of(first)
        name = f"{first.metric}_{level.lower()}"
        row = derive(rows, name, first.unit, first.better, middle_of(rows), point=point)
        yield _level_plateau(row, plateau, level, first.metric), row


def _level_plateau(row: Result, plateau: Plateau, level: str, metric: str) -> LevelPlateau:
    return LevelPlateau(
        key=row.key,
        metric=metric,
        level=level,
        low_bytes=plateau.low_bytes,
        high_bytes=plateau.high_bytes,
        value=row.median,
        row=row.id,
    )


def _length(plateau: Plateau) -> float:
    return plateau.high_bytes / plateau.low_bytes
