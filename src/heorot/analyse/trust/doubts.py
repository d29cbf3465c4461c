"""Questions the ceilings: one that others pass, or that is far from its own, limits nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from heorot.analyse.trust.ceilings import CeilingFinder, Limit, is_off
from heorot.analyse.wording import cores, interval, share
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.units import format_quantity

_MOST_EVIDENCE = 6
# Shares and impossibility rest on the same ceiling, so what is no news there is none here.
_SLACK = 1.05


@dataclass
class _Doubt:
    """A row that measured a ceiling, and what speaks against it.

    Attributes:
        name: of the ceiling.
        by: the row.
        is_off: whether it is far from its own ceiling.
        above: rows of other programs that pass it, with how many times as much they are.
    """

    name: str
    by: Result
    is_off: bool = False
    above: list[tuple[float, Result]] = field(default_factory=list)


def doubt_ceilings(context: Context) -> list[Finding]:
    """One finding for each row that is a ceiling of others and cannot be a good one.

    Args:
        context: the run, all rows judged.
    """
    doubts: dict[str, _Doubt] = {}
    for benchmark in context.benchmarks.values():
        for reference in benchmark.publishes:
            found = context.references.find(reference.name) if reference.least_share else ()
            for row in _best_of_each_case(found):
                if is_off(row, reference):
                    doubts[row.key] = _Doubt(reference.name, row, is_off=True)
    finder = CeilingFinder(context)
    for row in context.rows:
        limit = None if row.derived or row.verified == "failed" else finder.limit_of(row)
        if limit is None or finder.publishes(limit.rule, row):
            continue
        if row.ci_low > max(_SLACK, limit.rule.slack) * _highest(limit):
            doubt = doubts.setdefault(limit.by.key, _Doubt(limit.rule.by, limit.by))
            doubt.above.append((row.median / limit.value, row))
    return [_find(context, doubt) for doubt in doubts.values()]


def _best_of_each_case(rows: Iterable[Result]) -> list[Result]:
    """Only the best row is a ceiling: narrower vectors, say, need not come near their own."""
    found: dict[tuple[str, str], Result] = {}
    for row in rows:
        place = (row.toolchain, row.case)
        if place not in found or row.median > found[place].median:
            found[place] = row
    return list(found.values())


def _highest(limit: Limit) -> float:
    """The upper end of what the ceiling may be."""
    return limit.value * limit.by.ci_high / limit.by.median


def _find(context: Context, doubt: _Doubt) -> Finding:
    by, above = doubt.by, doubt.above
    reasons = [f"is {share(by)} of its own ceiling"] if doubt.is_off else []
    rows = [row for _, row in above]
    if above:
        programs = ", ".join(dict.fromkeys(context.spoken(row.benchmark) for row in rows))
        times, top = max(above, key=lambda each: each[0])
        value = format_quantity(top.median, top.unit)
        reasons.append(
            f"is passed by {programs}, at most by a factor of {format_quantity(times)} ({value})"
        )
    name = doubt.name.replace("_", " ")
    return Finding(
        observation=(
            f"the ceiling {name} of {cores(by)}, {interval(by)} by {by.benchmark}, "
            f"{' and '.join(reasons)}: the ceiling is in question before what it limits"
        ),
        severity="warning",
        evidence=(by.key, *(row.key for row in rows[:_MOST_EVIDENCE])),
        affected=tuple(dict.fromkeys((by.benchmark, *(row.benchmark for row in rows)))),
        remedy=(
            "shares of it are no better than it is, so do not quote them; measure it again on a "
            f"quiet machine with --only {by.benchmark}"
        ),
    )
