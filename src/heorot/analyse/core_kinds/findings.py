"""Reports the core types of a node, those that launches ran on, and the rates of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heorot.analyse.core_kinds.separate import UNNAMED, kind_of_cpu, kinds_had
from heorot.analyse.rows import best
from heorot.analyse.templates import node_roofline as templates
from heorot.analyse.templates.quantities import share_of
from heorot.analyse.templates.words import fill
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup
from heorot.model.run.records import CORE_KIND


def find_kinds(context: Context, apart: Sequence[Result] = ()) -> list[Finding]:
    """One finding about the core types that launches ran on; none if all cores are alike."""
    kinds = Counter(core.kind or UNNAMED for core in context.machine.node.usable_cores)
    if len(kinds) < 2:  # noqa: PLR2004 (one kind is no choice)
        return []
    first, *others = kinds
    ran: Counter[tuple[str, ...]] = Counter()
    for outcome in context.outcomes:
        had = kinds_had(outcome, context.machine)
        if had:
            ran[(*(kind for kind in kinds if kind in had), *(had - {*kinds}))] += 1
    return [
        templates.KINDS(
            affected=kinds,
            columns=("program", "region", "at", *kinds),
            rows=_lines(context, tuple(kinds), apart),
            n=len(kinds),
            kinds=[templates.KIND.claim(n=n, kind=kind) for kind, n in kinds.items()],
            first=first,
            launches=[templates.RAN_ON.claim(n=n, kinds=names) for names, n in ran.items()],
            remedies=_remedies(context, others, {str(row.point[CORE_KIND]) for row in apart}),
        )
    ]


def _remedies(context: Context, others: Sequence[str], measured: set[str]) -> list[Claim]:
    """How to measure the other core types, and the cost of mixing them."""
    of_cpu = kind_of_cpu(context.machine.node)
    alone = [
        templates.ALONE.claim(
            kind=kind, cpus=format_cpulist(cpu for cpu, own in of_cpu.items() if own == kind)
        )
        for kind in others
        if kind not in measured
    ]
    return [*alone, templates.SIDE_BY_SIDE.claim()]


def _lines(
    context: Context, kinds: Sequence[str], apart: Sequence[Result]
) -> Iterator[tuple[str, ...]]:
    """Rates of one core of each type by region, largest lead of the first type first."""
    sure = _cases_on(context, kinds[0])
    found: dict[Key, dict[str, dict[str, Result]]] = {}
    for row in apart:
        if row.metric != context.benchmarks[row.benchmark].metrics[0].name:
            continue
        point = row.point.without(CORE_KIND)
        at = ", ".join(f"{name} {value}" for name, value in point.items())
        points = found.setdefault(row.key.only("benchmark", "toolchain", "network", "region"), {})
        rates = points.setdefault(at, {})
        rates[str(row.point[CORE_KIND])] = row
        for other in _fellows(context, row, point):
            if other.setup in sure:
                rates[kinds[0]] = other
    for key, points in found.items():
        firsts = [rates[kinds[0]] for rates in points.values() if kinds[0] in rates]
        chosen = best(firsts or [row for rates in points.values() for row in rates.values()])
        at, rates = next((at, own) for at, own in points.items() if chosen in own.values())
        yield key.setup.benchmark, key.region, at, *(_cell(rates.get(kind)) for kind in kinds)


def _fellows(context: Context, row: Result, point: Point) -> list[Result]:
    """The rows of the same work on one core without a recorded type."""
    found = context.rows.find(
        row.benchmark, row.region, row.metric, point=point, cores=1, stack=row.stack
    )
    return [one for one in found if one.point == point and one.options == row.options]


def _cases_on(context: Context, kind: str) -> set[Setup]:
    """The cases all of whose launches are known to have run on one core type."""
    keys = {step.id: step.setup for step in context.steps}
    had: dict[Setup, list[set[str]]] = {}
    for outcome in context.outcomes:
        if outcome.run is not None and outcome.step in keys:
            had.setdefault(keys[outcome.step], []).append(kinds_had(outcome, context.machine))
    return {key for key, each in had.items() if all(one == {kind} for one in each)}


def _cell(row: Result | None) -> str:
    """A rate with its interval and its share of the bound of its core type."""
    if row is None:
        return "not measured"
    if not row.ranked:
        return "withheld"
    return fill("{value}", {"value": row}) + fill(
        ", {share} of its bound", {"share": share_of(row)}
    )
