"""Explains the FMA peak by frequency, vector width and pipes, and checks its own limits.

The bound of all other rates needs a bound, too: a loop that the compiler hoisted out of the timer
would otherwise raise it unnoticed. The frequency is measured by several chains.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from heorot.analyse.rows import best, derive
from heorot.analyse.validity.cross_checks import pair, per_stack
from heorot.families.compute.peak import CLOCK_REGIONS, LEAST_SHARE, PEAK
from heorot.families.compute.processors import known_units
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.analysis.rows import Rows
from heorot.model.run.identity import Stack

_ELEMENT_BYTES = {"fma_double": 8, "fma_single": 4}
# Two pipes of 64 bytes, four of 32 or eight of 16: no core does more.
_MOST_BYTES_PER_CYCLE = 128.0
_TOLERANCE = 1.05


def core_clock(
    rows: Rows, *, stack: Stack | None = None, cores: int | None = None
) -> Result | None:
    """The core frequency by the most trustworthy chain; None if none was measured.

    Args:
        cores: cores used, if it matters; without a chain on that number, another is used. A chain
            on each of them is preferred to one while the others idle.
    """
    for region in CLOCK_REGIONS:
        found = rows.find(PEAK.name, region, "clock", stack=stack)
        clock = (
            best([row for row in found if row.ranks == cores])
            or best([row for row in found if row.cores == cores])
            or best(found)
        )
        if clock is not None:
            return clock
    return None


def judge(context: Context) -> list[Result]:
    """The FMA rates with their share of clock x lanes x 2 x pipes.

    The number of pipes is that of the processor, if known. Otherwise it is the integer nearest to
    the best rate of a core; a share of that number has no meaning, and there is none, unless the
    rate is far from any integer. A rate that no known core can reach is implausible, and does not
    bound others.
    """
    noted, known = _noted_widths(context), known_units(context.machine.node.processor)
    rates = _flops_per_cycle(context.rows)
    units = _count_units(rates, noted)
    judged = []
    for row, flops in rates:
        most = 2.0 * _MOST_BYTES_PER_CYCLE / _ELEMENT_BYTES[row.region]
        width = vector_width(row, noted)
        n_units = units.get((row.stack, row.region, width))
        ceiling = min(most, n_units * _per_unit(row, width)) if n_units else most
        if known is not None and width:
            ceiling = known.flops_per_cycle(width, _ELEMENT_BYTES[row.region])
        possible = flops * row.ci_low / row.median <= _TOLERANCE * most
        if not possible:
            ceiling = most
        share: float | None = flops / ceiling
        counted = known is None and n_units and LEAST_SHARE <= flops / ceiling <= 1.0 / LEAST_SHARE
        if possible and (counted or not width):
            share = None
        update = {"share_of_ceiling": share, "plausible": possible}
        judged.append(row.model_copy(update=update))
    return judged


def explain(context: Context) -> list[Result]:
    """Flops per cycle of every FMA rate."""
    return [_per_cycle(row, flops) for row, flops in _flops_per_cycle(context.rows)]


def _flops_per_cycle(rows: Rows) -> list[tuple[Result, float]]:
    """Every FMA rate with the flops per cycle of a core."""
    found = []
    for row in rows:
        if row.benchmark == PEAK.name and row.region in _ELEMENT_BYTES and not row.derived:
            clock = core_clock(rows, stack=row.stack, cores=row.cores)
            if row.metric == "flop_rate" and clock is not None:
                found.append((row, row.median / row.cores / clock.median))
    return found


def vector_width(row: Result, noted: Mapping[Stack, int]) -> int:
    """Width of the vectors of a rate [B]; 0 if it is not known.

    Args:
        noted: widths by toolchain, from records of a program that knew only one.
    """
    return int(row.point.get("vector_bytes", noted.get(row.stack, 0)))


def _noted_widths(context: Context) -> dict[Stack, int]:
    """Vector width by toolchain [B], from records of a program that knew only one."""
    stacks = {step.id: step.stack for step in context.steps if step.benchmark == PEAK.name}
    return {
        stacks[outcome.step]: int(note.value)
        for outcome in context.outcomes
        if outcome.step in stacks
        for note in outcome.notes
        if note.name == "instruction_width_bytes"
    }


def _per_unit(row: Result, width_bytes: int) -> float:
    """Flops per cycle of one FMA pipe."""
    return 2.0 * width_bytes / _ELEMENT_BYTES[row.region]


def _count_units(
    rates: Sequence[tuple[Result, float]], noted: Mapping[Stack, int]
) -> dict[tuple[Stack, str, int], int]:
    """FMA pipes of a core by toolchain, region and width, by the best rate."""
    units: dict[tuple[Stack, str, int], int] = {}
    for row, flops in rates:
        width = vector_width(row, noted)
        if width:
            needed = flops / _per_unit(row, width)
            place = (row.stack, row.region, width)
            units[place] = max(units.get(place, 1), math.floor(needed + 0.5))
    return units


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


# Dependent chains on one core, measured one after another while the frequency changes.
_CHAINS = 1.05


def cross_check(context: Context) -> list[CrossCheck]:
    """The core frequency by every dependent chain, against the most trustworthy one."""
    checks: list[CrossCheck] = []
    for stack, suffix in per_stack(context):
        found = [
            (
                region.removeprefix("clock_"),
                best(context.rows.find(PEAK.name, region, "clock", cores=1, stack=stack)),
            )
            for region in CLOCK_REGIONS
        ]
        measured = [(name, row) for name, row in found if row is not None]
        for name, row in measured[1:]:
            names = (f"chain of {measured[0][0]}", f"chain of {name}")
            checks += pair(f"core clock{suffix}", (measured[0][1], row), names, _CHAINS)
    return checks
