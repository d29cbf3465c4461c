"""Load balance of zones over the ranks: predicted from their sizes, and measured.

A multi-zone program notes the predicted balance of its own packing of zones, mean over largest load
by the benchmark's count of operations. The measured balance is the mean over the largest computing
time of ranks. The difference is not due to the packing.

The possible balance of a class on every number of ranks is known before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.analyse.explain.phases import break_down
from heorot.analyse.rows import derive, problem
from heorot.analyse.templates.quantities import exactly, keys, limit, plain
from heorot.families.npb import templates
from heorot.families.npb.programs import CLASSES, MEASURED_BALANCE, PREDICTED_BALANCE
from heorot.families.npb.zones import POINTS, ZONED, balance_on
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan

_NOTE = "predicted_rank_balance"
# Ranks loaded at least this evenly count as balanced.
_BALANCED = 0.95
# With more zones, evaluating every number of ranks would take minutes.
_MOST_ZONES = 1024

_RowKey = tuple[str, str, str]


def foresee(plan: Plan) -> list[str]:
    """The possible balance of zones over ranks, and the predicted one of planned cases."""
    planned: dict[tuple[str, str], set[int]] = {}
    for step in plan.steps:
        size = str(step.options.get("class"))
        if step.benchmark in ZONED and size in POINTS and not step.options.get("star"):
            planned.setdefault((step.benchmark, size), set()).add(step.ranks)
    remarks = []
    for (benchmark, size), counts in sorted(planned.items(), key=_by_class):
        promised = [
            _on(balance_on(benchmark, size, n), n)
            for n in sorted(counts - {1})
            if n <= ZONED[benchmark].count(size)
        ]
        reach = _reach(benchmark, size)
        claim = templates.FORESEEN.claim(
            program=benchmark, size=size, reach=reach, planned=promised
        )
        remarks.append(claim.text)
    return remarks


def _on(share: float, ranks: int) -> Claim:
    return templates.ON_RANKS.claim(share=exactly(share, "%"), ranks=ranks)


def _reach(benchmark: str, size: str) -> Claim:
    """The numbers of ranks on which the zones of a class are balanced, and the others."""
    n_zones = ZONED[benchmark].count(size)
    if n_zones > _MOST_ZONES:
        return templates.MANY_ZONES.claim(zones=n_zones)
    shares = {n: balance_on(benchmark, size, n) for n in range(1, n_zones + 1)}
    largest = max(n for n, share in shares.items() if share >= _BALANCED)
    every = next(n for n in shares if shares.get(n + 1, 0.0) < _BALANCED)
    worst = min(range(every, largest), key=lambda n: shares[n], default=largest)
    beyond = dict.fromkeys((largest + 1, n_zones)) if largest < n_zones else {}
    return templates.REACH.claim(
        zones=n_zones,
        least=limit(_BALANCED, "%"),
        every=every,
        largest=largest if largest > every else None,
        worst=exactly(shares[worst], "%"),
        worst_ranks=worst,
        drops=[_on(shares[n], n) for n in beyond],
    )


def explain(context: Context) -> list[Result]:
    """Predicted and measured balance of every case of several ranks."""
    predicted = dict(_noted(context))
    measured = {one.setup: one.load_balance for _, one in break_down(context.groups)}
    derived = []
    for row in context.rows:
        place = row.setup
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
    """Predicted and measured balance of every program's largest class on the most ranks."""
    largest: dict[str, tuple[Result, Result]] = {}
    for row in context.rows:
        if row.metric != PREDICTED_BALANCE:
            continue
        found = context.rows.find(
            row.benchmark, row.region, MEASURED_BALANCE, point=row.point, stack=row.stack
        )
        measured = next((one for one in found if one.case == row.case), None)
        rival = largest.get(row.benchmark)
        if measured and (rival is None or _rank(row) > _rank(rival[0])):
            largest[row.benchmark] = row, measured
    if not largest:
        return []
    pairs = [*largest.values()]
    return [_balance_sentence(context, pairs), *_reach_sentences(context, pairs)]


def _balance_sentence(context: Context, pairs: Sequence[tuple[Result, Result]]) -> Sentence:
    small = all(CLASSES.is_for_trying(row.point) for row, _ in pairs)
    programs = [
        templates.BALANCE_OF.claim(
            problem=problem(context, promised),
            promised=promised,
            measured=plain(one, "%"),
        )
        for promised, one in pairs
    ]
    evidence = keys(*(row for pair in pairs for row in pair))
    weight = 0.0 if small else None
    return templates.BALANCE(weight=weight, evidence=evidence, programs=programs, small=small)


def _reach_sentences(
    context: Context, pairs: Sequence[tuple[Result, Result]]
) -> Iterator[Sentence]:
    for row, _ in pairs:
        size = str(row.point.get("class"))
        if row.benchmark in ZONED and size in POINTS:
            yield templates.ZONES(
                weight=0.0 if CLASSES.is_for_trying(row.point) else None,
                evidence=keys(row),
                problem=problem(context, row),
                reach=_reach(row.benchmark, size),
            )


def _by_class(one: tuple[tuple[str, str], set[int]]) -> tuple[str, int]:
    (benchmark, size), _ = one
    return benchmark, CLASSES.order.index(size)


def _rank(row: Result) -> tuple[float, int, int]:
    """By class and ranks; for equal ranks the fewest nodes come first."""
    return CLASSES.rank(row.point), row.ranks, -row.nodes


def _noted(context: Context) -> Iterator[tuple[Setup, float]]:
    """The balance that a program predicted for a case."""
    steps = {step.id: step for step in context.steps}
    for outcome in context.outcomes:
        step = steps.get(outcome.step)
        known = context.benchmarks.get(step.benchmark) if step else None
        if step is None or known is None or PREDICTED_BALANCE not in known.derived:
            continue
        for note in outcome.notes:
            if note.name == _NOTE and not isinstance(note.value, str):
                yield step.setup, float(note.value)
