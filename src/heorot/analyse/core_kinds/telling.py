"""Tells which kinds of cores a node has, on which of them launches ran, and what each does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heorot.analyse.core_kinds.separate import UNNAMED, kind_of_cpu, kinds_had
from heorot.analyse.rows import best
from heorot.analyse.wording import interval, share
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup
from heorot.model.run.records import CORE_KIND


def find_kinds(context: Context, apart: Sequence[Result] = ()) -> list[Finding]:
    """One finding that says on which kinds of cores launches ran; none if all cores are alike.

    Args:
        context: the run.
        apart: rows of the kinds that were measured by themselves.
    """
    kinds = Counter(core.kind or UNNAMED for core in context.machine.node.usable_cores)
    if len(kinds) < 2:  # noqa: PLR2004 (one kind is no choice)
        return []
    first, *others = kinds
    ran: Counter[str] = Counter()
    for outcome in context.outcomes:
        had = kinds_had(outcome, context.machine)
        if had:
            ran[" and ".join([*(kind for kind in kinds if kind in had), *(had - {*kinds})])] += 1
    told = ", ".join(f"{n} of kind {kind}" for kind, n in kinds.items())
    where = ", ".join(f"{n} on {names}" for names, n in ran.items())
    return [
        Finding(
            observation=(
                f"The usable cores are of {len(kinds)} kinds: {told}. Ranks take the fastest "
                f"first: the rate of one core is that of kind {first}, and rates and bounds of "
                "more cores than it has are of a mix of kinds: no parallel efficiency is reported"
                + (f"; of the launches ran {where}." if where else ".")
            ),
            severity="note",
            affected=tuple(kinds),
            remedy=_remedy(context, others, {str(row.point[CORE_KIND]) for row in apart}),
            columns=("program", "region", "at", *kinds) if apart else (),
            rows=tuple(_lines(context, tuple(kinds), apart)),
        )
    ]


def _remedy(context: Context, others: Sequence[str], measured: set[str]) -> str:
    """How to measure the other kinds, and what a mix of kinds costs."""
    of_cpu = kind_of_cpu(context.machine.node)
    words = [
        f"for the rates of kind {kind} alone, evaluate with taskset -c "
        + format_cpulist(cpu for cpu, own in of_cpu.items() if own == kind)
        for kind in others
        if kind not in measured
    ]
    side = "where kinds run side by side, equal parts wait for the slowest"
    return "; ".join([*words, side])


def _lines(
    context: Context, kinds: Sequence[str], apart: Sequence[Result]
) -> Iterator[tuple[str, ...]]:
    """For each region the rates of one core of each kind, where the first kind does best."""
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
    """The rows of the same work on one core of no kind of its own."""
    found = context.rows.find(
        row.benchmark, row.region, row.metric, point=point, cores=1, stack=row.stack
    )
    return [one for one in found if one.point == point and one.options == row.options]


def _cases_on(context: Context, kind: str) -> set[Setup]:
    """The cases all of whose launches are known to have run on one kind of core."""
    keys = {step.id: step.setup for step in context.steps}
    had: dict[Setup, list[set[str]]] = {}
    for outcome in context.outcomes:
        if outcome.run is not None and outcome.step in keys:
            had.setdefault(keys[outcome.step], []).append(kinds_had(outcome, context.machine))
    return {key for key, each in had.items() if all(one == {kind} for one in each)}


def _cell(row: Result | None) -> str:
    """A rate with its interval and its share of the bound of its kind."""
    if row is None:
        return "not measured"
    if not row.ranked:
        return "withheld"
    part = share(row)
    return interval(row) + (f", {part} of its bound" if part else "")
