"""What the reader should know besides the numbers, each with its evidence and a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from heorot.analyse.trust.endings import find_failures, find_miscounts, plural
from heorot.analyse.trust.placement import find_shared
from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

_NAMED = 3  # of many causes, as many are named
_ORDER = {"error": 0, "warning": 1, "note": 2}
_WIDE_INTERVAL = 0.10
# The interval of the median has 95 % coverage from six samples on.
_FEW_SAMPLES = 6
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
    threads_per_core: int = 1,
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
        threads_per_core: hardware threads of a core.
    """
    by_id = {step.id: step for step in steps}
    measured = [row for row in results if not row.derived]
    findings = [
        *find_miscounts(account),
        *find_failures(outcomes, by_id),
        *_misplacements(misplaced, by_id),
        *_implausible(measured),
        *_disagreements(checks),
        *_shared_cores(outcomes, by_id, threads_per_core),
        *_disturbances(disturbed, by_id),
        *_disturbed_results(measured),
        *_unsteady(measured),
        *_few_samples(measured),
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
            remedy="its results are refused; check how the launcher places ranks on nodes",
        )
        for step, reason in misplaced.items()
    ]


def _implausible(results: Sequence[Result]) -> list[Finding]:
    return [
        Finding(
            observation=(
                f"{row.benchmark} {row.region} {row.metric.replace('_', ' ')} is "
                f"{100.0 * row.share_of_ceiling:.0f} % of its ceiling: that cannot be"
            ),
            severity="error",
            evidence=(row.key,),
            affected=(row.benchmark,),
            remedy="the value is kept out of rankings; report it, the fault is in the program",
        )
        for row in results
        if row.plausible is False and row.share_of_ceiling is not None
    ]


def _disagreements(checks: Sequence[CrossCheck]) -> list[Finding]:
    return [
        Finding(
            observation=(
                f"two ways to measure {check.quantity} differ by a factor of {check.ratio:.3f} "
                f"({check.second_name} against {check.first_name}); {check.allowed:.3f} is allowed"
            ),
            severity="warning",
            affected=(check.quantity,),
            remedy="trust neither before the cause is known: repeat on a quiet machine",
        )
        for check in checks
        if not check.agrees
    ]


def _shared_cores(
    outcomes: Sequence[Outcome], steps: Mapping[str, Step], threads_per_core: int
) -> list[Finding]:
    """Ranks that shared cores, one finding per program, case and place."""
    found: dict[tuple[str, str, str], tuple[list[str], tuple[str, ...]]] = {}
    for outcome in outcomes:
        if outcome.run is None:
            continue
        step = steps[outcome.step]
        for where, places in find_shared(outcome.run, threads_per_core).items():
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


def _disturbances(disturbed: Mapping[str, str], steps: Mapping[str, Step]) -> list[Finding]:
    """One finding per case: repeated launches apart from those that were not."""
    groups: dict[tuple[str, str, str, bool], list[Step]] = {}
    for step in (steps[step_id] for step_id in disturbed):
        launch = (step.benchmark, step.case, step.launch, step.toolchain)
        repeated = any(
            other.attempt > step.attempt
            and (other.benchmark, other.case, other.launch, other.toolchain) == launch
            for other in steps.values()
        )
        groups.setdefault((step.benchmark, step.case, step.toolchain, repeated), []).append(step)
    findings = []
    for (benchmark, case, _, repeated), members in groups.items():
        numbers = ", ".join(str(step.launch) for step in members)
        noun = "launch" if len(members) == 1 else "launches"
        reasons = "; ".join(dict.fromkeys(disturbed[step.id] for step in members[:_NAMED]))
        more = " and more" if len(members) > _NAMED else ""
        where = f"{benchmark} ({case}, {noun} {numbers})"
        findings.append(
            Finding(
                observation=f"{where} was disturbed: {reasons}{more}",
                severity="note",
                evidence=tuple(step.id for step in members),
                affected=(benchmark,),
                remedy="repeated in this run" if repeated else "repeat on a quiet machine",
            )
        )
    return findings


def _disturbed_results(results: Sequence[Result]) -> list[Finding]:
    rows = [row for row in results if row.disturbed]
    if not rows:
        return []
    rest = "rests" if len(rows) == 1 else "rest"
    return [
        Finding(
            observation=(
                f"{plural(len(rows), 'result')} of {len(results)} {rest} on disturbed samples only"
            ),
            severity="warning",
            evidence=tuple(row.key for row in rows[:_MOST_EVIDENCE]),
            affected=tuple(dict.fromkeys(row.benchmark for row in rows)),
            remedy="they are marked; repeat these programs on a quiet machine with --only",
        )
    ]


def _by_benchmark(rows: Iterable[Result]) -> dict[str, list[Result]]:
    grouped: dict[str, list[Result]] = {}
    for row in rows:
        grouped.setdefault(row.benchmark, []).append(row)
    return grouped


def _unsteady(results: Sequence[Result]) -> list[Finding]:
    """Programs with wide intervals."""
    wide = _by_benchmark(
        row for row in results if row.ci_high - row.ci_low > _WIDE_INTERVAL * abs(row.median)
    )
    total = _by_benchmark(results)
    return [
        Finding(
            observation=(
                f"the 95 % interval of {len(rows)} of {plural(len(total[benchmark]), 'result')} "
                f"of {benchmark} is wider than {100.0 * _WIDE_INTERVAL:.0f} % of the median"
            ),
            severity="note",
            evidence=tuple(row.key for row in rows[:_MOST_EVIDENCE]),
            affected=(benchmark,),
            remedy="more launches (--launches) narrow what varies between launches",
        )
        for benchmark, rows in wide.items()
    ]


def _few_samples(results: Sequence[Result]) -> list[Finding]:
    """Programs with too few samples for an interval."""
    few = _by_benchmark(row for row in results if row.n < _FEW_SAMPLES)
    return [
        Finding(
            observation=(
                f"{plural(len(rows), 'result')} of {benchmark} came from fewer than "
                f"{_FEW_SAMPLES} samples: the interval is the range, with less than 95 % coverage"
            ),
            severity="note",
            evidence=tuple(row.key for row in rows[:_MOST_EVIDENCE]),
            affected=(benchmark,),
            remedy="give the program more time: a longer profile or more launches",
        )
        for benchmark, rows in few.items()
    ]


def _unchecked(results: Sequence[Result]) -> list[Finding]:
    unchecked = _by_benchmark(row for row in results if row.verified == "unchecked")
    return [
        Finding(
            observation=f"{plural(len(rows), 'result')} of {benchmark} had no check to pass",
            severity="warning",
            evidence=tuple(row.key for row in rows[:_MOST_EVIDENCE]),
            affected=(benchmark,),
            remedy="they are kept out of rankings; the program must check every region it measures",
        )
        for benchmark, rows in unchecked.items()
    ]
