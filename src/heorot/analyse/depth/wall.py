"""The memory wall: how much must be computed for each byte, if memory is not to be the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heorot.analyse.rows import derive
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.depth.levels import FLOPS_PER_BYTE
from heorot.model.analysis.depth.roofs import Roofs, Wall
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows


def find_walls(roofs: Iterable[Roofs], rows: Rows) -> Iterator[tuple[Wall, Result]]:
    """The balance of units and every level, each with the row that says so.

    Args:
        roofs: of all numbers of cores.
        rows: those that measured them.
    """
    by_key = {row.key: row for row in rows}
    for each in roofs:
        peak = by_key[each.highest.key]
        for feed in each.feeds:
            fed = by_key[feed.key]
            values = (
                peak.median / fed.median,
                peak.ci_low / fed.ci_high,
                peak.ci_high / fed.ci_low,
            )
            row = derive(
                [fed, peak],
                FLOPS_PER_BYTE,
                "flop/B",
                "lower",
                values,
                point={"level": feed.level},
            )
            wall = Wall(
                toolchain=each.toolchain,
                cores=each.cores,
                level=feed.level,
                feed=feed.rate,
                ceiling=each.highest.rate,
                flops_per_byte=Middle(median=values[0], low=values[1], high=values[2]),
                key=row.key,
            )
            yield wall, row
