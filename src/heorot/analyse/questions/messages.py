"""Message times elsewhere, by the quantity that limits a program: over networks, over nodes.

Programs with irregular communication are limited by the bandwidth of random rings, those that
transpose by the bisection bandwidth, those with small messages by latency. If all of a program's
communication slowed down by the same factor k, and nothing else changed, its time would increase by
1 + c (k - 1), where c is its communication share in the baseline.
"""

from __future__ import annotations

from heorot.analyse.explain.phases import share_of_time
from heorot.analyse.explain.spread.divisions import Divisions
from heorot.analyse.questions.numbers import Both
from heorot.analyse.templates.quantities import of_ends
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Cause
from heorot.model.catalogue.references import BISECTION, LATENCY, RANDOM_RINGS

_NAMES = {
    RANDOM_RINGS: "messages in random rings",
    BISECTION: "messages across the bisection",
    LATENCY: "the latency of a message",
}
_COMMUNICATION = 2  # its index among the shares of a breakdown


def find_cause(context: Context, divisions: Divisions, both: Both) -> Cause | None:
    """The cause of a loss elsewhere; None if none was measured.

    For other nodes, only messages of the same ranks and nodes are evidence.
    """
    felt = context.benchmarks[both.row.benchmark].communicates_by
    exact = both.row.nodes != both.base.nodes
    slow, fast = (_measured(context, felt, one, exact=exact) for one in (both.row, both.base))
    if slow is None or fast is None:
        return None
    messages = Both(slow, fast)
    times = of_ends(messages.longer, messages.launches, rows=(slow.id, fast.id))
    body = divisions.of(both.base)
    share = share_of_time(body, _COMMUNICATION) if body else None
    expected = _expected(share, times) if share else None
    return Cause(name=_NAMES.get(felt, felt), times=times, share=share, expected=expected)


def _measured(context: Context, felt: str, like: Result, *, exact: bool) -> Result | None:
    """The row of a quantity over the same network, of the layout nearest to a program's.

    Args:
        exact: whether no other layout counts.
    """
    rows = [
        row
        for row in context.references.find(felt, stack=like.stack)
        if ((row.nodes, row.ranks) == (like.nodes, like.ranks) if exact else row.nodes > 1)
    ]
    # A fit to a range of sizes has its ends as coordinates: short messages count.
    return min(
        (row for row in rows if row.ci_low > 0.0),
        key=lambda row: (
            float(row.point.get("from_bytes", -1)),
            abs(row.nodes - like.nodes),
            abs(row.ranks - like.ranks),
            row.median if row.better == "lower" else -row.median,
        ),
        default=None,
    )


def _expected(share: Quantity, times: Quantity) -> Quantity:
    """The factor from slower communication; both have intervals."""

    def by(part: float | None, factor: float | None) -> float:
        return 1.0 + (part or 0.0) * ((factor or 1.0) - 1.0)

    ends = [by(share.low, times.low), by(share.high, times.high)]
    launches = min(share.launches or 0, times.launches or 0)
    middle = (by(share.median, times.median), min(ends), max(ends))
    return of_ends(middle, launches, rows=(*share.rows, *times.rows))
