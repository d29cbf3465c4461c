"""Findings of a run, each with its evidence and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import limit
from heorot.analyse.templates.template import FindingTemplate
from heorot.analyse.validity.cross_checks import find_disagreements
from heorot.analyse.validity.disturbance import launch_of, repeated_launches
from heorot.analyse.validity.lost_jobs import (
    find_failures,
    find_leftovers,
    find_miscounts,
    find_set_clocks,
)
from heorot.analyse.validity.modes import find_divided
from heorot.analyse.validity.placement import find_shared
from heorot.analyse.validity.suspect_bounds import Passing, find_excess
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import WIDE_INTERVAL, CrossCheck, Finding, Result
from heorot.model.grouping import group_by
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import LEAST_LAUNCHES, format_quantity

_NAMED = 3  # number of causes that are named
_ORDER = {"error": 0, "warning": 1, "note": 2}
_MOST_EVIDENCE = 6


def find_all(
    results: Iterable[Result],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    disturbed: Mapping[str, str],
    misplaced: Mapping[str, Claim],
    checks: Sequence[CrossCheck],
    *,
    account: Account,
    disturbances: Disturbances,
    suspects: Sequence[Finding] = (),
    passing: Sequence[Passing] = (),
    reported: Collection[str] = (),
    count_cores: Callable[[Sequence[int]], int] = len,
) -> list[Finding]:
    """All findings, most severe first.

    Args:
        disturbed: reason by id of the perturbed steps.
        misplaced: reason by id of the steps that ran on too few nodes.
        reported: ids of the steps that findings on jobs report.
    """
    by_id = {step.id: step for step in steps}
    measured = [row for row in results if not row.derived]
    findings = [
        *find_miscounts(account),
        *find_failures(outcomes, by_id, reported),
        *find_leftovers(outcomes, by_id),
        *find_set_clocks(outcomes, by_id),
        *_misplacements(misplaced, by_id),
        *find_excess(passing, {key for suspect in suspects for key in suspect.evidence}),
        *find_disagreements(checks, results),
        *_shared_cores(outcomes, by_id, count_cores),
        *suspects,
        *_disturbances(disturbances, disturbed, by_id),
        *find_divided(measured, outcomes, by_id),
        *_unsteady(measured),
        *_few_launches(measured),
        *_unchecked(measured),
    ]
    return sorted(findings, key=lambda finding: _ORDER[finding.severity])


def _misplacements(misplaced: Mapping[str, Claim], steps: Mapping[str, Step]) -> list[Finding]:
    """Inter-node figures that were taken inside one node."""
    return [
        templates.MISPLACED(
            evidence=[step],
            affected=[steps[step].benchmark],
            step=steps[step],
            reason=reason,
        )
        for step, reason in misplaced.items()
    ]


def _shared_cores(
    outcomes: Sequence[Outcome],
    steps: Mapping[str, Step],
    count_cores: Callable[[Sequence[int]], int],
) -> list[Finding]:
    """Ranks that shared cores, one finding per program, case and place."""
    found: dict[tuple[str, str, str], tuple[list[str], tuple[str, ...]]] = {}
    for outcome in outcomes:
        if outcome.run is None:
            continue
        step = steps[outcome.step]
        for where, places in find_shared(outcome.run, count_cores).items():
            ranks = tuple(f"rank {place.rank}" for place in places)
            key = (step.benchmark, step.case, where)
            found.setdefault(key, ([], ranks))[0].append(outcome.step)
    return [
        templates.SHARED_CORES(
            evidence=ids,
            affected=ranks,
            n=len(ranks),
            program=benchmark,
            case=case,
            place=where,
        )
        for (benchmark, case, where), (ids, ranks) in found.items()
    ]


def _disturbances(
    reported: Disturbances, disturbed: Mapping[str, str], steps: Mapping[str, Step]
) -> list[Finding]:
    """One finding, with a row for each case: repeated launches separate from unrepeated ones."""
    if reported.none:
        return []
    repeated = repeated_launches(steps.values(), disturbed)
    groups: dict[tuple[Setup, bool], list[Step]] = {}
    for step in (steps[step_id] for step_id in disturbed):
        key = (step.setup, launch_of(step) in repeated)
        groups.setdefault(key, []).append(step)
    rows = []
    for (setup, again), members in groups.items():
        numbers = ", ".join(map(str, dict.fromkeys(step.launch for step in members)))
        reasons = "; ".join(dict.fromkeys(disturbed[step.id] for step in members[:_NAMED]))
        more = " and more" if len(members) > _NAMED else ""
        rows.append(
            (setup.benchmark, setup.case, numbers, reasons + more, "yes" if again else "no")
        )
    return [
        templates.DISTURBED(
            severity="warning" if reported.n_spoilt else "note",
            remedy=templates.SPOILT if reported.n_spoilt else None,
            evidence=disturbed,
            affected=[row[0] for row in rows],
            rows=rows,
            disturbances=Claim(text=reported.text, kind="run/disturbances", values=dict(reported)),
        )
    ]


def _by_benchmark(rows: Iterable[Result]) -> dict[str, list[Result]]:
    return group_by(rows, lambda row: row.benchmark)


def _tabulate(
    template: FindingTemplate,
    found: Iterable[Result],
    results: Sequence[Result],
    **limits: Any,  # noqa: ANN401
) -> list[Finding]:
    """One finding about rows of any programs, with a row of its table for each program."""
    rows, total = _by_benchmark(found), _by_benchmark(results)
    if not rows:
        return []
    several = [row for members in rows.values() for row in members]
    return [
        template(
            evidence=[row.id for row in several[:_MOST_EVIDENCE]],
            affected=rows,
            rows=(
                (name, str(len(members)), str(len(total[name])), _widest(members))
                for name, members in rows.items()
            ),
            n=len(several),
            n_results=len(results),
            programs=len(rows),
            **limits,
        )
    ]


def _widest(rows: Iterable[Result]) -> str:
    widths = ((row.ci_high - row.ci_low) / abs(row.median) for row in rows if row.median)
    return format_quantity(max(widths, default=0.0), "%")


def _unsteady(results: Sequence[Result]) -> list[Finding]:
    """Results with a large uncertainty: by intervals, or by ranges of few launches."""
    wide = (row for row in results if row.is_wide)
    return _tabulate(templates.WIDE, wide, results, widest=limit(WIDE_INTERVAL))


def _few_launches(results: Sequence[Result]) -> list[Finding]:
    """Too few launches for an interval."""
    few = (row for row in results if row.is_range)
    return _tabulate(
        templates.FEW_LAUNCHES,
        few,
        results,
        least=limit(LEAST_LAUNCHES),
        level=limit(0.95),
        of_three=limit(0.75),
        of_two=limit(0.5),
    )


def _unchecked(results: Sequence[Result]) -> list[Finding]:
    unchecked = (row for row in results if row.verified == "unchecked")
    return _tabulate(templates.UNCHECKED, unchecked, results)
