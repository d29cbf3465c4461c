"""Explains the multiply-add ceiling by clock, vector width and units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from heorot.analyse.rows import best, derive, find
from heorot.model.result import Result

NAME = "compute/peak"
_ELEMENT_BYTES = {"fma_double": 8, "fma_single": 4}
# A rate this little above a whole number of units is noise, not another unit.
_UNIT_SLACK = 0.06


def explain(
    results: Sequence[Result], widths: Mapping[str, int]
) -> tuple[list[Result], list[Result]]:
    """Rows of the ceiling with their share of clock x lanes x 2 x units, and flops per cycle.

    Args:
        results: all rows so far.
        widths: vector width by toolchain, as the program noted it [B].

    Returns:
        All rows, and the derived ones.
    """
    judged: list[Result] = []
    derived: list[Result] = []
    for row in results:
        clock = best(find(results, NAME, "clock_multiply", "clock", toolchain=row.toolchain))
        element_bytes = _ELEMENT_BYTES.get(row.region)
        if row.benchmark != NAME or not element_bytes or not clock or row.metric != "flop_rate":
            judged.append(row)
            continue
        per_cycle = row.median / row.cores / clock.median
        per_unit = 2.0 * widths.get(row.toolchain, 16) / element_bytes
        units = max(1, math.ceil(per_cycle / per_unit - _UNIT_SLACK))
        share = per_cycle / (units * per_unit)
        judged.append(row.model_copy(update={"share_of_ceiling": share, "plausible": True}))
        values = tuple(v / row.cores / clock.median for v in (row.median, row.ci_low, row.ci_high))
        derived.append(
            derive(
                row,
                "flops_per_cycle",
                "flop/cycle",
                "higher",
                (values[0], values[1], values[2]),
                point={},
                n=row.n,
                share=share,
            )
        )
    return judged, derived
