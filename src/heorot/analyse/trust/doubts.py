"""Questions the ceilings: one that others pass, or that is far from its own, limits nothing."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.trust.ceilings import CeilingFinder, Limit
from heorot.analyse.wording import cores, interval, share
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.units import format_quantity

_MOST_EVIDENCE = 6
# Shares and impossibility rest on the same ceiling, so what is no news there is none here.
_SLACK = 1.05


def doubt_ceilings(context: Context) -> list[Finding]:
    """One finding for each row that is a ceiling of others and cannot be a good one.

    Args:
        context: the run, all rows judged.
    """
    finder = CeilingFinder(context)
    limits: dict[str, Limit] = {}
    above: dict[str, list[Result]] = {}
    for row in context.rows:
        limit = None if row.derived or row.verified == "failed" else finder.limit_of(row)
        if limit is None:
            continue
        limits.setdefault(limit.by.key, limit)
        if finder.publishes(limit.rule, row):
            continue
        if row.ci_low > max(_SLACK, limit.rule.slack) * _highest(limit):
            above.setdefault(limit.by.key, []).append(row)
    found = (
        _doubt(context, limit, finder.is_off(limit.rule, limit.by), above.get(key, ()))
        for key, limit in limits.items()
    )
    return [finding for finding in found if finding is not None]


def _highest(limit: Limit) -> float:
    """The upper end of what the ceiling may be."""
    return limit.value * limit.by.ci_high / limit.by.median


def _doubt(context: Context, limit: Limit, is_off: bool, above: Sequence[Result]) -> Finding | None:
    by = limit.by
    reasons = []
    if is_off:
        reasons.append(f"is {share(by)} of its own ceiling")
    if above:
        programs = ", ".join(dict.fromkeys(context.spoken(row.benchmark) for row in above))
        top = max(above, key=lambda row: (row.share_of_ceiling or 0.0, row.median))
        times = top.median / limit.value
        value = format_quantity(top.median, top.unit)
        reasons.append(f"is passed by {programs}, at most {times:.3g} times ({value})")
    if not reasons:
        return None
    name = limit.rule.by.replace("_", " ")
    return Finding(
        observation=(
            f"the ceiling {name} of {cores(by)}, {interval(by)} by {by.benchmark}, "
            f"{' and '.join(reasons)}: the ceiling is in question before what it limits"
        ),
        severity="warning",
        evidence=(by.key, *(row.key for row in above[:_MOST_EVIDENCE])),
        affected=tuple(dict.fromkeys((by.benchmark, *(row.benchmark for row in above)))),
        remedy=(
            "shares of it are too high, so do not quote them; measure it again on a quiet machine "
            f"with --only {by.benchmark}"
        ),
    )
