"""The penalty of remote NUMA domains, and of arrays first touched by one thread."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, best_on_most_cores, derive
from heorot.analyse.templates.quantities import ratio
from heorot.families.memory import templates
from heorot.families.memory.numa import NUMA
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result, Sentence

# Metric of a pair of domains, and its name for the worst pair of different domains.
_REMOTE = {"bandwidth": "remote_bandwidth", "latency": "remote_latency"}


def explain(context: Context) -> list[Result]:
    """The least bandwidth and the longest latency of remote memory."""
    derived = []
    for metric, name in _REMOTE.items():
        for stack in context.stacks:
            row = _worst(
                [
                    row
                    for row in context.rows.find(NUMA.name, metric, metric, stack=stack)
                    if row.point["from_domain"] != row.point["to_domain"]
                ]
            )
            if row is not None:
                values = (row.median, row.ci_low, row.ci_high)
                derived.append(derive([row], name, row.unit, row.better, values, point=row.point))
    return derived


def find(context: Context) -> list[Finding]:
    """Whether an array is read more slowly because one thread wrote all of it first."""
    if len(context.machine.node.usable_numa) <= 1:
        return []
    found = []
    for wrong in context.rows.find(NUMA.name, "first_touch", "bandwidth"):
        own = best(_same_case(context, wrong, "own_touch"))
        if own is None or wrong.disturbed or own.disturbed or wrong.ci_high >= own.ci_low:
            continue
        found.append(templates.FIRST_TOUCH(wrong=wrong, own=own))
    return found


def sentence(context: Context) -> Sentence | None:
    """The ratios of bandwidth and latency between remote and local memory."""
    fed, waits = (
        best_on_most_cores(context.rows.find(NUMA.name, metric, name))
        for metric, name in _REMOTE.items()
    )
    if fed is None or waits is None:
        return None
    near, soon = _own(context, fed, "bandwidth"), _own(context, waits, "latency")
    return templates.OTHER_DOMAIN(
        rate=fed,
        of_own=ratio(fed, near),
        wait=waits,
        of_own_wait=ratio(waits, soon),
    )


def _worst(rows: Sequence[Result]) -> Result | None:
    """The row of the least rate, or of the longest time; None of none."""
    if not rows:
        return None
    choose = min if rows[0].better == "higher" else max
    return choose(rows, key=lambda row: row.median)


def _same_case(context: Context, row: Result, region: str) -> list[Result]:
    rows = context.rows.find(NUMA.name, region, row.metric, stack=row.stack)
    return [other for other in rows if (other.case, other.nodes) == (row.case, row.nodes)]


def _own(context: Context, row: Result, metric: str) -> Result | None:
    """The bandwidth or latency of the local domain for the cores of a row."""
    own = row.point["from_domain"]
    rows = context.rows.find(
        NUMA.name, metric, metric, point={"to_domain": own, "from_domain": own}
    )
    return best([other for other in rows if other.stack == row.stack])
