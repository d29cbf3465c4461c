"""Explains DDOT over ranks: the rate of one rank, extrapolated from several.

If ranks do not slow each other down, the rate is proportional to their number. Then each rate
divided by its ranks is an estimate of the rate of one; if one rank by itself is faster, the others
reduce its memory bandwidth, or the global sum takes time. Region `local` has no global sum.

Source: A. J. van der Steen, An evaluation of some Beowulf clusters, WFI-2000-07, Utrecht
University, 2000, sections 6.2.2.2 and 6.3.2.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy

from heorot.analyse.rows import derive
from heorot.families.messages.among_all.distributed_dot import DISTRIBUTED_DOT, EXTRAPOLATED, KEPT
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.point import Point
from heorot.model.run.identity import Key

_METRIC = "flop_rate"
Interval = tuple[float, float, float]


def explain(context: Context) -> list[Result]:
    """The rate of one rank extrapolated from several, and its share of the measured rate of one.

    A row of each for every toolchain, version and length, for ranks inside a node, and for each
    number of ranks per node over several nodes.
    """
    alone: dict[Key, Result] = {}
    several: dict[tuple[Key, int], list[Result]] = {}
    for row in context.rows:
        if row.benchmark != DISTRIBUTED_DOT.name or row.metric != _METRIC or not row.ranked:
            continue
        if row.derived or row.is_star:
            continue
        curve = row.key.only("toolchain", "network", "region").but(
            point=Point({"n": row.point["n"]})
        )
        if row.ranks == 1:
            alone[curve] = row
        else:
            several.setdefault((curve, row.per_node if row.nodes > 1 else 0), []).append(row)
    derived: list[Result] = []
    for (curve, _), rows in several.items():
        rows.sort(key=lambda row: row.ranks)
        extrapolated = extrapolate(rows)
        point = rows[0].point
        derived.append(derive(rows, EXTRAPOLATED, "flop/s", "higher", extrapolated, point=point))
        one = alone.get(curve)
        if one is not None and one.ci_low > 0.0:
            # The ends enclose the interval of the quotient.
            share = (
                extrapolated[0] / one.median,
                extrapolated[1] / one.ci_high,
                extrapolated[2] / one.ci_low,
            )
            derived.append(derive([*rows, one], KEPT, "1", "higher", share, point=point))
    return derived


def extrapolate(rows: Sequence[Result]) -> Interval:
    """The rate of one rank for rates proportional to the ranks: the mean per rank.

    The interval is the hull of those of the rates, moved to the mean, and of the scatter about it:
    it is large where rates are not proportional to the ranks.

    Args:
        rows: rates of several numbers of ranks, at least one row.
    """
    each = [row.median / row.ranks for row in rows]
    n = len(each)
    mean = math.fsum(each) / n
    below = math.fsum((row.median - row.ci_low) / row.ranks for row in rows) / n
    above = math.fsum((row.ci_high - row.median) / row.ranks for row in rows) / n
    if n > 1:
        variance = math.fsum((rate - mean) ** 2 for rate in each) / (n - 1)
        scatter = float(scipy.special.stdtrit(n - 1, 0.975)) * math.sqrt(variance / n)
        below, above = max(below, scatter), max(above, scatter)
    return mean, max(0.0, mean - below), mean + above
