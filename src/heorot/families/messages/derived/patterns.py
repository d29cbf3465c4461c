"""What patterns of communication reach at best, and which share of the line that is."""

from __future__ import annotations

from heorot.analyse.rows import best, rename
from heorot.analyse.trust.line_rates import find_links
from heorot.families.messages.among_all.patterns import PATTERNS, PEAK, PORT
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.point import Point
from heorot.model.run.identity import Key


def explain(context: Context) -> list[Result]:
    """The largest rate of the busiest rank over all sizes, for each pattern, toolchain and case.

    Between nodes with a rank on each it has a share of the line; where several ranks share a line,
    nobody knows how much of their traffic takes it.
    """
    groups: dict[Key, list[Result]] = {}
    for row in context.rows:
        if (row.benchmark, row.metric) == (PATTERNS.name, PORT) and row.ranked:
            groups.setdefault(row.key.but(point=Point()), []).append(row)
    rates = [link.bytes_per_second for link in find_links(context.machine)]
    tops = [top for rows in groups.values() if (top := best(rows))]
    return [rename(top, PEAK, {}, _share_of_line(top, rates)) for top in tops]


def _share_of_line(row: Result, rates: list[float]) -> float | None:
    """Of one line; of all of them together if it is faster than one."""
    if row.nodes == 1 or row.ranks != row.nodes or len(set(rates)) != 1:
        return None
    return row.median / (rates[0] if row.median <= rates[0] else sum(rates))
