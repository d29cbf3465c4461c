"""How evenly zones load the ranks: predicted from their sizes, and measured.

A multi-zone program notes the balance that its own packing of zones promises, mean over largest
load by the benchmark's count of operations. Measured is the mean over the largest time that ranks
compute. What is lost between the two is not for want of a better packing.
"""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.explain.phases import break_down
from heorot.analyse.rows import derive, problem
from heorot.analyse.wording import keys
from heorot.families.npb.programs import CLASSES, MEASURED_BALANCE, PREDICTED_BALANCE
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.units import format_interval, format_quantity

_NOTE = "predicted_rank_balance"

_Place = tuple[str, str, str]


def explain(context: Context) -> list[Result]:
    """Predicted and measured balance of every case of several ranks.

    Args:
        context: the run.
    """
    predicted = dict(_noted(context))
    measured = {
        (one.benchmark, one.toolchain, one.case): one.load_balance
        for _, one in break_down(context.groups)
    }
    derived = []
    for row in context.rows:
        place = row.benchmark, row.toolchain, row.case
        if row.metric != "operation_rate" or row.is_star or row.ranks == 1 or not row.ranked:
            continue
        if place in predicted and place in measured:
            promise, balance = predicted[place], measured[place]
            values = (balance.median, balance.low, balance.high)
            derived += [
                derive([row], PREDICTED_BALANCE, "1", "higher", (promise,) * 3, point=row.point),
                derive([row], MEASURED_BALANCE, "1", "higher", values, point=row.point),
            ]
    return derived


def sentences(context: Context) -> list[Sentence]:
    """What was promised and what was measured, of every program's largest class on most ranks.

    Args:
        context: the run; of the rows, those of `explain`.
    """
    largest: dict[str, tuple[Result, Result]] = {}
    for row in context.rows:
        if row.metric != PREDICTED_BALANCE:
            continue
        found = context.rows.find(
            row.benchmark, row.region, MEASURED_BALANCE, point=row.point, toolchain=row.toolchain
        )
        measured = next((one for one in found if one.case == row.case), None)
        rival = largest.get(row.benchmark)
        if measured and (rival is None or _rank(row) > _rank(rival[0])):
            largest[row.benchmark] = row, measured
    if not largest:
        return []
    words = [
        f"{problem(context, promised)} on {promised.ranks} ranks "
        f"{format_quantity(promised.median, '%')} promised, "
        f"{format_interval(one.median, one.ci_low, one.ci_high, '%')} measured"
        for promised, one in largest.values()
    ]
    evidence = keys(*(row for pair in largest.values() for row in pair))
    text = f"Balance of zones between ranks: {'; '.join(words)}."
    return [Sentence(text=text, evidence=evidence, weight=0.4)]


def _rank(row: Result) -> tuple[float, int]:
    return CLASSES.rank(row.point), row.ranks


def _noted(context: Context) -> Iterator[tuple[_Place, float]]:
    """The balance that a program promised for a case."""
    steps = {step.id: step for step in context.steps}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        known = context.benchmarks.get(step.benchmark) if step else None
        if step is None or known is None or PREDICTED_BALANCE not in known.derived:
            continue
        for note in outcome.notes:
            if note.name == _NOTE and not isinstance(note.value, str):
                yield (step.benchmark, step.toolchain, step.case), float(note.value)
