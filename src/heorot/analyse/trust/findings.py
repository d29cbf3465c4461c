"""What the reader should know besides the numbers, each with its evidence and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from heorot.analyse.trust.cross_checks import find_disagreements
from heorot.analyse.trust.disturbance import launch_of, repeated_launches
from heorot.analyse.trust.doubts import Passing, find_excess
from heorot.analyse.trust.endings import (
    find_failures,
    find_leftovers,
    find_miscounts,
    find_set_clocks,
)
from heorot.analyse.trust.modes import find_divided
from heorot.analyse.trust.placement import find_shared
from heorot.model.analysis.disturbance import Disturbances
from heorot.model.analysis.result import WIDE_INTERVAL, CrossCheck, Finding, Result, Severity
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import LEAST_LAUNCHES, format_quantity, plural

_NAMED = 3  # of many causes, as many are named
_ORDER = {"error": 0, "warning": 1, "note": 2}
_MOST_EVIDENCE = 6


def find_all(
    results: Iterable[Result],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    disturbed: Mapping[str, str],
    misplaced: Mapping[str, str],
    checks: Sequence[CrossCheck],
    *,
    account: Account,
    disturbances: Disturbances,
    doubts: Sequence[Finding] = (),
    passing: Sequence[Passing] = (),
    told: Collection[str] = (),
    count_cores: Callable[[Sequence[int]], int] = len,
) -> list[Finding]:
    """All findings, most severe first.

    Args:
        results: all rows.
        outcomes: how every step ended.
        steps: all steps, repeats included.
        disturbed: reason by id of the disturbed steps.
        misplaced: reason by id of the steps that ran on too few nodes.
        checks: cross-checks.
        account: of all steps.
        disturbances: how much of the run was disturbed.
        doubts: what is doubtful about ceilings.
        passing: results that pass what was taken for their bounds.
        told: ids of the steps that findings on jobs tell of.
        count_cores: to how many cores hardware threads of a node belong.
    """
    by_id = {step.id: step for step in steps}
    measured = [row for row in results if not row.derived]
    findings = [
        *find_miscounts(account),
        *find_failures(outcomes, by_id, told),
        *find_leftovers(outcomes, by_id),
        *find_set_clocks(outcomes, by_id),
        *_misplacements(misplaced, by_id),
        *find_excess(passing, {key for doubt in doubts for key in doubt.evidence}),
        *find_disagreements(checks, results),
        *_shared_cores(outcomes, by_id, count_cores),
        *doubts,
        *_disturbances(disturbances, disturbed, by_id),
        *find_divided(measured, outcomes, by_id),
        *_unsteady(measured),
        *_few_launches(measured),
        *_unchecked(measured),
    ]
    return sorted(findings, key=lambda finding: _ORDER[finding.severity])


def _misplacements(misplaced: Mapping[str, str], steps: Mapping[str, Step]) -> list[Finding]:
    """Figures between nodes that were not taken between them."""
    return [
        Finding(
            observation=f"{steps[step].benchmark} ({steps[step].case}) {reason}",
            severity="error",
            evidence=(step,),
            affected=(steps[step].benchmark,),
            remedy="its results are refused; check where the launcher places ranks",
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
        Finding(
            observation=(
                f"{plural(len(ranks), 'rank')} of {benchmark} ({case}) had to share the cores of "
                f"{where}"
            ),
            severity="warning",
            evidence=tuple(ids),
            affected=ranks,
            remedy="check the binding options of the launcher; rates of shared cores mislead",
        )
        for (benchmark, case, where), (ids, ranks) in found.items()
    ]


def _disturbances(
    told: Disturbances, disturbed: Mapping[str, str], steps: Mapping[str, Step]
) -> list[Finding]:
    """One finding, with a row for each case: repeated launches apart from those that were not."""
    if told.none:
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
    remedy = "nothing rests on them; they are kept in samples.parquet"
    if told.n_spoilt:
        remedy = "these results are marked; repeat their programs on a quiet machine with --only"
    return [
        Finding(
            observation=told.text,
            severity="warning" if told.n_spoilt else "note",
            evidence=tuple(disturbed),
            affected=tuple(dict.fromkeys(row[0] for row in rows)),
            remedy=remedy,
            columns=("program", "case", "launches", "what", "repeated undisturbed"),
            rows=tuple(rows),
        )
    ]


def _by_benchmark(rows: Iterable[Result]) -> dict[str, list[Result]]:
    grouped: dict[str, list[Result]] = {}
    for row in rows:
        grouped.setdefault(row.benchmark, []).append(row)
    return grouped


def _tabulate(
    found: Iterable[Result],
    results: Sequence[Result],
    observation: str,
    *,
    severity: Severity = "note",
    remedy: str,
) -> list[Finding]:
    """One finding about rows of any programs, with a row of its table for each program.

    Args:
        found: the rows it is about.
        results: all rows.
        observation: what is the matter, behind the number of results.
        severity: how much it matters.
        remedy: what to do about it.
    """
    rows, total = _by_benchmark(found), _by_benchmark(results)
    if not rows:
        return []
    several = [row for members in rows.values() for row in members]
    return [
        Finding(
            observation=(
                f"{plural(len(several), 'result')} of {len(results)}, of "
                f"{plural(len(rows), 'program')}, {observation}"
            ),
            severity=severity,
            evidence=tuple(row.id for row in several[:_MOST_EVIDENCE]),
            affected=tuple(rows),
            remedy=remedy,
            columns=("program", "such results", "of", "widest interval, of its median"),
            rows=tuple(
                (name, str(len(members)), str(len(total[name])), _widest(members))
                for name, members in rows.items()
            ),
        )
    ]


def _widest(rows: Iterable[Result]) -> str:
    widths = ((row.ci_high - row.ci_low) / abs(row.median) for row in rows if row.median)
    return format_quantity(max(widths, default=0.0), "%")


def _unsteady(results: Sequence[Result]) -> list[Finding]:
    """Wide intervals, and wide ranges of launches that are too few for one."""
    return _tabulate(
        (row for row in results if row.is_wide),
        results,
        f"had an interval, or a range of launches, wider than {100.0 * WIDE_INTERVAL:.0f} % of the "
        "median",
        remedy="more launches (--launches) narrow what varies between launches",
    )


def _few_launches(results: Sequence[Result]) -> list[Finding]:
    """Too few launches for an interval."""
    return _tabulate(
        (row for row in results if row.is_range),
        results,
        f"came from fewer than {LEAST_LAUNCHES} launches, too few for a 95 % interval: the range "
        "of three contains the median in 75 of 100 cases, that of two in 50",
        remedy="a longer profile, or more launches (--launches)",
    )


def _unchecked(results: Sequence[Result]) -> list[Finding]:
    return _tabulate(
        (row for row in results if row.verified == "unchecked"),
        results,
        "had no check to pass",
        severity="warning",
        remedy="they are kept out of rankings; the programs must check every region they measure",
    )
