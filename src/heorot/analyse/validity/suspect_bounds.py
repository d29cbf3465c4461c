"""Questions the bounds: one that others pass, or that is far from its own, limits nothing.

A share above all of a bound says that what was taken for a bound is none, and that is a fault of
Heorot. No such share is told anywhere. All of them together are one finding, with the rows as
evidence; a reason is not guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import exactly, limit, plain, share_of
from heorot.analyse.templates.template import FindingTemplate
from heorot.analyse.validity.ceilings import CeilingFinder, is_off
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import MOST_SHARE, NOMINAL_SHARE, SHARES_OF_BOUNDS
from heorot.model.analysis.result import Finding, Result, Severity
from heorot.model.analysis.rows import Rows
from heorot.model.grouping import best_of_each
from heorot.units import format_quantity

_MOST_EVIDENCE = 6
_MOST_ROWS = 40
# Shares and impossibility rest on the same ceiling, so what is no news there is none here.
_SLACK = 1.05


@dataclass
class _Suspicion:
    """A row that measured a ceiling, and what speaks against it.

    Attributes:
        is_off: whether it is far from its own ceiling.
        above: rows of other programs that pass it, with how many times as much they are.
    """

    name: str
    by: Result
    is_off: bool = False
    above: list[tuple[float, Result]] = field(default_factory=list)


@dataclass(frozen=True)
class Passing:
    """A result that passes what was taken for its bound.

    Attributes:
        row: the result; of a row that was nothing but such a share, one of the same samples.
        what: of which the share is.
        share: of the bound [1].
    """

    row: Result
    what: str
    share: float


def find_suspect_bounds(context: Context, rows: Iterable[Result] | None = None) -> list[Finding]:
    """One finding for each row that is a ceiling of others and cannot be a good one."""
    doubts: dict[str, _Suspicion] = {}
    for benchmark in context.benchmarks.values():
        for reference in benchmark.publishes:
            found = context.references.find(reference.name) if reference.least_share else ()
            # Only the best row is a ceiling: narrower vectors, say, need not come near their own.
            best = best_of_each(found, lambda row: (row.stack, row.case), lambda row: row.median)
            for row in best.values():
                if is_off(row, reference):
                    doubts[row.id] = _Suspicion(reference.name, row, is_off=True)
    finder = CeilingFinder(context)
    for row in context.rows if rows is None else rows:
        limit = None if row.derived or row.verified == "failed" else finder.limit_of(row)
        if limit is None or finder.publishes(limit.rule, row):
            continue
        if row.ci_low > max(_SLACK, limit.rule.slack) * limit.value:
            doubt = doubts.setdefault(limit.by.id, _Suspicion(limit.rule.by, limit.by))
            doubt.above.append((row.median / limit.value, row))
    return [_find(context, doubt) for doubt in doubts.values()]


def _find(context: Context, doubt: _Suspicion) -> Finding:
    by, above = doubt.by, doubt.above
    rows = [row for _, row in above]
    reasons = []
    if doubt.is_off:
        reasons.append(templates.OFF_ITS_CEILING.claim(share=share_of(by)))
    if above:
        factor, top = max(above, key=lambda each: each[0])
        reasons.append(
            templates.PASSED.claim(
                programs=[*dict.fromkeys(context.spoken(row.benchmark) for row in rows)],
                factor=exactly(factor),
                value=plain(top),
            )
        )
    return templates.DOUBTFUL_CEILING(
        evidence=(by.id, *(row.id for row in rows[:_MOST_EVIDENCE])),
        affected=(by.benchmark, *(row.benchmark for row in rows)),
        ceiling=doubt.name.replace("_", " "),
        by=by,
        reasons=reasons,
    )


def withhold(rows: Rows) -> tuple[Rows, list[Passing]]:
    """The rows without shares above all of a bound, with some slack.

    Args:
        rows: all of them, judged; those that are such shares are dropped, of others the share of
            their ceiling goes.

    Returns:
        The rows that stay; what the shares were of, and values that cannot be.
    """
    shares = [row for row in rows if row.metric in SHARES_OF_BOUNDS and row.median > MOST_SHARE]
    others = [
        row for row in rows if (row.share_of_ceiling or 0.0) > MOST_SHARE or row.plausible is False
    ]
    rows = rows.replacing(row.model_copy(update={"share_of_ceiling": None}) for row in others)
    # Operations of a definition need not be performed: more than the peak is no fault.
    nominal = [row for row in rows if row.metric == NOMINAL_SHARE and row.median > MOST_SHARE]
    rows = rows.without({row.id for row in (*shares, *nominal)})
    measured = {row.key: row for row in rows if not row.derived}
    return rows, [
        # What is derived from a row has its share: it is no second case.
        *(
            Passing(row, row.metric, row.share_of_ceiling or 0.0)
            for row in others
            if not row.derived
        ),
        *(Passing(measured.get(row.key, row), row.metric, row.median) for row in shares),
    ]


def find_excess(passing: Sequence[Passing], reported: Collection[str] = ()) -> list[Finding]:
    """One finding about all results that pass what was taken for their bound.

    Those of disturbed samples say nothing of Heorot, as their bounds may be disturbed, too: they
    are a finding of their own.

    Args:
        reported: keys of rows that another finding already reports.
    """
    own = [one for one in passing if one.row.id not in reported]
    sure = [one for one in own if one.row.plausible is False or not one.row.disturbed]
    unsure = [one for one in own if one not in sure]
    found = [_excess(sure, templates.EXCESS, "warning")] if sure else []
    return [*found, *([_excess(unsure, templates.DISTURBED_EXCESS, "note")] if unsure else [])]


def _excess(passing: Sequence[Passing], template: FindingTemplate, severity: Severity) -> Finding:
    own = sorted(passing, key=lambda one: -one.share)
    refused = [one for one in own if one.row.plausible is False]
    return template(
        severity="error" if refused else severity,
        evidence=[*dict.fromkeys(one.row.id for one in own)][:_MOST_EVIDENCE],
        affected=[one.row.benchmark for one in own],
        rows=map(_words, own[:_MOST_ROWS]),
        n=len(own),
        slack=limit(MOST_SHARE - 1.0),
        factor=exactly(own[0].share),
        refused=len(refused) or None,
    )


def _words(one: Passing) -> tuple[str, ...]:
    row = one.row
    problem = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.point.items())
    what = one.what if one.what in SHARES_OF_BOUNDS else f"{one.what} of its ceiling"
    value = format_quantity(row.median, row.unit)
    times = format_quantity(one.share)
    return row.benchmark, row.case, row.region, problem, what.replace("_", " "), value, times
