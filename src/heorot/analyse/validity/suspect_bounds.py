"""Questions the bounds: one that is exceeded, or far from its own bound, is no bound.

A share above 105 % shows that the bound is wrong, and that is a defect of Heorot. No such share is
shown anywhere. All of them together are one finding, with the rows as evidence; a reason is not
guessed.
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
# Shares and plausibility rest on the same bound, so the same slack applies.
_SLACK = 1.05


@dataclass
class _Suspicion:
    """A row that measured a bound, and the evidence against it.

    Attributes:
        is_off: whether it is far from its own bound.
        above: rows of other programs that exceed it, each with its factor.
    """

    name: str
    by: Result
    is_off: bool = False
    above: list[tuple[float, Result]] = field(default_factory=list)


@dataclass(frozen=True)
class Passing:
    """A result that exceeds its bound.

    Attributes:
        row: the result; for a row that was only such a share, one of the same samples.
        what: the denominator of the share.
        share: of the bound [1].
    """

    row: Result
    what: str
    share: float


def find_suspect_bounds(context: Context, rows: Iterable[Result] | None = None) -> list[Finding]:
    """One finding for each row that is a bound of others and is suspect."""
    doubts: dict[str, _Suspicion] = {}
    for benchmark in context.benchmarks.values():
        for reference in benchmark.publishes:
            found = context.references.find(reference.name) if reference.least_share else ()
            # Only the best row is a bound: narrower vectors, for instance, need not come near their
            # own.
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
            suspect = doubts.setdefault(limit.by.id, _Suspicion(limit.rule.by, limit.by))
            suspect.above.append((row.median / limit.value, row))
    return [_find(context, suspect) for suspect in doubts.values()]


def _find(context: Context, suspect: _Suspicion) -> Finding:
    by, above = suspect.by, suspect.above
    rows = [row for _, row in above]
    reasons = []
    if suspect.is_off:
        reasons.append(templates.OFF_ITS_BOUND.claim(share=share_of(by)))
    if above:
        factor, top = max(above, key=lambda each: each[0])
        reasons.append(
            templates.PASSED.claim(
                programs=[*dict.fromkeys(context.display_name(row.benchmark) for row in rows)],
                factor=exactly(factor),
                value=plain(top),
            )
        )
    return templates.SUSPECT_BOUND(
        evidence=(by.id, *(row.id for row in rows[:_MOST_EVIDENCE])),
        affected=(by.benchmark, *(row.benchmark for row in rows)),
        ceiling=suspect.name.replace("_", " "),
        by=by,
        reasons=reasons,
    )


def withhold(rows: Rows) -> tuple[Rows, list[Passing]]:
    """The rows without shares above all of a bound, with some slack.

    Args:
        rows: all of them, judged; rows that are such shares are dropped, others lose the share of
            their bound.

    Returns:
        The remaining rows; the denominators of the shares, and implausible values.
    """
    shares = [row for row in rows if row.metric in SHARES_OF_BOUNDS and row.median > MOST_SHARE]
    others = [
        row for row in rows if (row.share_of_ceiling or 0.0) > MOST_SHARE or row.plausible is False
    ]
    rows = rows.replacing(row.model_copy(update={"share_of_ceiling": None}) for row in others)
    # Operations of a definition need not be performed: more than the peak is no defect.
    nominal = [row for row in rows if row.metric == NOMINAL_SHARE and row.median > MOST_SHARE]
    rows = rows.without({row.id for row in (*shares, *nominal)})
    measured = {row.key: row for row in rows if not row.derived}
    return rows, [
        # A row derived from another repeats its share: it is no second case.
        *(
            Passing(row, row.metric, row.share_of_ceiling or 0.0)
            for row in others
            if not row.derived
        ),
        *(Passing(measured.get(row.key, row), row.metric, row.median) for row in shares),
    ]


def find_excess(passing: Sequence[Passing], reported: Collection[str] = ()) -> list[Finding]:
    """One finding about all results that exceed their bound.

    Perturbed samples are no evidence against Heorot, as their bounds may be perturbed, too: they
    are a separate finding.

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
    what = one.what if one.what in SHARES_OF_BOUNDS else f"{one.what} of its bound"
    value = format_quantity(row.median, row.unit)
    times = format_quantity(one.share)
    return row.benchmark, row.case, row.region, problem, what.replace("_", " "), value, times
