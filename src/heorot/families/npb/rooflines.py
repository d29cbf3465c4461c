"""What NPB rates are of what the machine allows, by performed and by nominal operations.

The nominal share of peak is that of the operations by the benchmark's own definition, as published
tables give it; an algorithm that does fewer operations than are counted may pass one.

Inside a node the study of one node in depth (`analyse/node_roofline/roofline_points`) tells the
share of the
roofline. On several nodes the roof is here: a body of so many flops that moves so many bytes takes
at least max(flops / peak, bytes / bandwidth). Flops are those performed, bytes those that the
method must move from one pass to the next, from where they are: each node has an equal part of the
problem, and feeds its own cores with what arrays of the size of that part can be read with, be that
from a cache or from memory (`analyse/memory_bandwidth`). A part smaller than all that were measured
has the peak alone for its roof.

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

_Place = tuple[str, str, str, str, str]


def roof_of(
    context: Context, row: Result, counts: Mapping[str, float], reach: Reach
) -> float | None:
    """The highest rate that several nodes allow a program; None if it was not measured [flop/s].

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
    """What arrays of a size can be read with on as many cores [B/s]; None if nobody measured it.

    Of several nodes: so many times what as many cores of one can read arrays of its part with.
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
    """Nominal shares of peak, and of several nodes shares of the roofline."""
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
    """What the analysis of its family adds to a program's metrics; nothing of an unknown one."""
    known = context.benchmarks.get(benchmark)
    return known.derived if known else ()


def _share(row: Result, metric: str, share: float) -> Result:
    """A share that has the relative interval of the rate."""
    values = (share, share * row.ci_low / row.median, share * row.ci_high / row.median)
    return derive([row], metric, "1", "higher", values, point=row.point)
