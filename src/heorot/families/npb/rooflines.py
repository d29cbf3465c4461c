"""NPB rates as shares of the roofline, by performed and by nominal operations.

The nominal share of peak is that of the operations by the benchmark's own definition, as in
published tables; an algorithm with fewer operations than counted may exceed 1.

Inside a node the share of the roofline is that of `analyse/node_roofline/roofline_points`. On
several nodes the roof is defined here: a body takes at least max(flops / peak, bytes / bandwidth).
Flops are the performed ones, bytes those that the method must move from one pass to the next: each
node has an equal part of the problem, and the read bandwidth of arrays of that size, from a cache
or from memory (`analyse/memory_bandwidth`). A part smaller than all measured sizes has only the
peak as its roof.

Source: S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model,
Comm. ACM 52 (2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from heorot.analyse.explain.reach import Reach
from heorot.analyse.memory_bandwidth import Reading
from heorot.analyse.rows import derive
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack

_RowKey = tuple[str, str, str, str, str]


def roof_of(
    context: Context, row: Result, counts: Mapping[str, float], reach: Reach
) -> float | None:
    """The roofline of a program on several nodes; None if it was not measured [flop/s].

    Args:
        row: with its share of the peak.
        counts: flops and bytes of a body.
    """
    if not row.share_of_ceiling:
        return None
    peak = row.median / row.share_of_ceiling
    bandwidth = _bandwidth(context, row, reach.working_set(row))
    return None if bandwidth is None else min(peak, bandwidth * counts["flops"] / counts["bytes"])


def _bandwidth(context: Context, row: Result, working_set: int | None) -> float | None:
    """Read bandwidth of arrays of a size on the same cores [B/s]; None if not measured.

    On several nodes: that of one node at the size of its part, times the nodes.
    """
    if working_set is None:
        return None
    # A node by itself uses no network, and its rows name none.
    stack = Stack(row.stack.toolchain)
    reading, each = Reading(context, any_operation=True), row.cores // row.nodes
    if reading.at(math.inf, each, stack) is None:
        return None
    most = reading.at(working_set / row.nodes, each, stack)
    return math.inf if most is None else most * row.nodes


def explain(context: Context) -> list[Result]:
    """Nominal shares of peak, and on several nodes shares of the roofline."""
    reach = Reach(context.steps, context.machine)
    counts = {
        one.key: one.counts
        for one in (group.first for group in context.groups)
        if SHARE_OF_ROOFLINE in derived_of(context, one.benchmark)
    }
    derived = []
    for row in context.rows:
        known = counts.get(row.key) if row.metric == "flop_rate" else None
        if known is None or row.derived or not row.ranked:
            continue
        if row.nodes > 1:
            roof = roof_of(context, row, known, reach)
            if roof is not None:
                derived.append(_share(row, SHARE_OF_ROOFLINE, row.median / roof))
        if row.share_of_ceiling and NOMINAL_SHARE in derived_of(context, row.benchmark):
            nominal = known["operations"] / known["flops"] * row.share_of_ceiling
            derived.append(_share(row, NOMINAL_SHARE, nominal))
    return derived


def derived_of(context: Context, benchmark: str) -> tuple[str, ...]:
    """Metrics that the analysis of its family adds to a program's; empty for unknown ones."""
    known = context.benchmarks.get(benchmark)
    return known.derived if known else ()


def _share(row: Result, metric: str, share: float) -> Result:
    """A share with the relative interval of the rate."""
    values = (share, share * row.ci_low / row.median, share * row.ci_high / row.median)
    return derive([row], metric, "1", "higher", values, point=row.point)
