"""Explains the multiply-add ceiling by clock, vector width and units, and knows its own limits.

The ceiling of everything else needs a ceiling too: a loop that the compiler hoisted out of the
timer would otherwise raise it without anybody noticing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from heorot.analyse.rows import Rows, best, derive
from heorot.model.analysis.result import Result

NAME = "compute/peak"
REASON = "clock x lanes x 2 x units"
# The most trustworthy chain first: no core is known that shortens a chain of multiplications.
CLOCK_REGIONS = ("clock_multiply", "clock_add", "clock_xor")
_ELEMENT_BYTES = {"fma_double": 8, "fma_single": 4}
# A rate this little above a whole number of units is noise, not another unit.
_UNIT_SLACK = 0.06
# Two units of 64 bytes, four of 32 or eight of 16: no core does more.
_MOST_BYTES_PER_CYCLE = 128.0
# No processor on sale runs at 7 GHz; a chain that says so was shortened.
_MOST_HZ = 7e9
_TOLERANCE = 1.05


def core_clock(
    rows: Rows, *, toolchain: str | None = None, cores: int | None = None
) -> Result | None:
    """The true core clock by the most trustworthy chain there is; None if none was measured.

    Args:
        rows: all rows.
        toolchain: name of the toolchain, if it matters.
        cores: cores used, if it matters; another number will do if there is none with it.
    """
    for region in CLOCK_REGIONS:
        found = rows.find(NAME, region, "clock", toolchain=toolchain)
        clock = best([row for row in found if row.cores == cores]) or best(found)
        if clock is not None:
            return clock
    return None


def explain(
    results: Sequence[Result], widths: Mapping[str, int]
) -> tuple[list[Result], list[Result]]:
    """Rows of the ceiling with their share of clock x lanes x 2 x units, and flops per cycle.

    The units are as many as the best rate per core needs.

    Args:
        results: all rows so far.
        widths: vector width by toolchain, as the program noted it [B].

    Returns:
        All rows, and the derived ones.
    """
    own = [_judge_clock(row) for row in results if row.benchmark == NAME]
    clocked = Rows(own)
    per_cycle = {
        row.key: row.median / row.cores / clock.median
        for row in own
        if row.region in _ELEMENT_BYTES and row.metric == "flop_rate"
        if (clock := core_clock(clocked, toolchain=row.toolchain, cores=row.cores))
    }
    units = _count_units([row for row in own if row.key in per_cycle], per_cycle, widths)
    judged: list[Result] = []
    derived: list[Result] = []
    for row in own:
        if row.key not in per_cycle:
            judged.append(row)
            continue
        flops = per_cycle[row.key]
        most = 2.0 * _MOST_BYTES_PER_CYCLE / _ELEMENT_BYTES[row.region]
        n_units = units.get((row.toolchain, row.region))
        ceiling = most
        if n_units:
            ceiling = min(most, n_units * _per_unit(row, widths[row.toolchain]))
        possible = flops * row.ci_low / row.median <= _TOLERANCE * most
        share = flops / ceiling if n_units or not possible else None
        update = {"share_of_ceiling": share, "plausible": possible}
        judged.append(row.model_copy(update=update))
        derived.append(_per_cycle(judged[-1], flops))
    return [*judged, *(row for row in results if row.benchmark != NAME)], derived


def _per_unit(row: Result, width_bytes: int) -> float:
    """Flops per cycle of one multiply-add unit."""
    return 2.0 * width_bytes / _ELEMENT_BYTES[row.region]


def _count_units(
    rows: Sequence[Result], per_cycle: Mapping[str, float], widths: Mapping[str, int]
) -> dict[tuple[str, str], int]:
    """Multiply-add units of a core by toolchain and region, as many as the best rate needs."""
    units: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.toolchain in widths:
            needed = per_cycle[row.key] / _per_unit(row, widths[row.toolchain])
            place = (row.toolchain, row.region)
            units[place] = max(units.get(place, 1), math.ceil(needed - _UNIT_SLACK))
    return units


def _judge_clock(row: Result) -> Result:
    """The clock of one core: cycles are counted over all ranks, of which each has its chain."""
    if row.metric != "clock":
        return row
    names = ("median", "ci_low", "ci_high", "q10", "q90", "min", "max")
    update: dict[str, float | bool] = {name: getattr(row, name) / row.ranks for name in names}
    possible = update["ci_low"] <= _MOST_HZ
    if not possible:
        update["share_of_ceiling"] = update["median"] / _MOST_HZ
    return row.model_copy(update=update | {"plausible": possible})


def _per_cycle(row: Result, flops: float) -> Result:
    low, high = (flops * end / row.median for end in (row.ci_low, row.ci_high))
    derived = derive(
        [row],
        "flops_per_cycle",
        "flop/cycle",
        "higher",
        (flops, low, high),
        point=row.point,
        share=row.share_of_ceiling,
    )
    return derived.model_copy(update={"plausible": row.plausible, "n": row.n})
