"""Branch misprediction penalty, capacity of the predictor, integer operations in cycles.

Method: misprediction penalty = 2 x (time of a random branch - time of a predictable branch), as
half of the random branches are mispredicted. A core predicts a pattern as long as a branch costs at
most a tenth of the penalty above the fastest.
"""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.rows import best, derive, over
from heorot.families.compute.decisions.branches import BRANCHES
from heorot.families.compute.decisions.integer import INTEGER, OPERATIONS
from heorot.families.compute.units import core_clock
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack

_EVEN = 50
_MISPREDICTED = 0.5
_KNOWN = 0.1


def explain(context: Context) -> list[Result]:
    """Derived rows of branches and of integer arithmetic."""
    return [*_mispredictions(context), *_in_cycles(context)]


def _mispredictions(context: Context) -> Iterator[Result]:
    for stack in context.stacks:
        certain, even = (
            best(
                context.rows.find(
                    BRANCHES.name,
                    "random",
                    "time",
                    point={"chance_percent": percent},
                    stack=stack,
                )
            )
            for percent in (0, _EVEN)
        )
        if certain is None or even is None:
            continue
        values = (
            (even.median - certain.median) / _MISPREDICTED,
            (even.ci_low - certain.ci_high) / _MISPREDICTED,
            (even.ci_high - certain.ci_low) / _MISPREDICTED,
        )
        wrong = derive([even, certain], "wrong_guess", "s", "lower", values, point={})
        yield wrong
        clock = core_clock(context.rows, stack=stack, cores=1)
        if clock is not None:
            price, low, high = values
            cycles = (price * clock.median, low * clock.median, high * clock.median)
            yield derive([even, certain], "wrong_guess_cycles", "cycle", "lower", cycles, point={})
        yield from _remembered(context, stack, wrong)


def _remembered(context: Context, stack: Stack, wrong: Result) -> Iterator[Result]:
    """The longest predicted pattern, and the next longer one."""
    rows = context.rows.find(BRANCHES.name, "periodic", "time", stack=stack)
    rows.sort(key=lambda row: float(row.point["period"]))
    if not rows:
        return
    limit = min(row.median for row in rows) + _KNOWN * wrong.median
    known = 0
    while known < len(rows) and rows[known].median <= limit:
        known += 1
    if 0 < known < len(rows):
        longest, next_one = (float(rows[i].point["period"]) for i in (known - 1, known))
        values = (longest, longest, next_one)
        yield derive(rows, "remembered", "decision", "higher", values, point={})


def _in_cycles(context: Context) -> Iterator[Result]:
    """Latency of each operation in a dependent chain, and independent operations per cycle."""
    for region in OPERATIONS:
        for row in context.rows.find(INTEGER.name, region, "operation_rate", cores=1):
            clock = core_clock(context.rows, stack=row.stack, cores=1)
            if clock is None:
                continue
            if row.point["way"] == "chain":
                values = over(clock.median, row)
                yield derive([row], "cycles", "cycle", "lower", values, point=row.point)
            else:
                values = over(row, clock.median)
                yield derive([row], "per_cycle", "op/cycle", "higher", values, point=row.point)
