"""What the reader should know besides the numbers, each with its evidence and a remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.model.outcome import Outcome
from heorot.model.plan import Step
from heorot.model.result import CrossCheck, Finding, Result

_ORDER = {"error": 0, "warning": 1, "note": 2}
# Launches that differ by more than this are worth a line of their own.
_LAUNCH_SPREAD = 0.10
_FEW_SAMPLES = 6
_MANY = 6


def find_all(
    results: Sequence[Result],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    disturbed: Mapping[str, str],
    checks: Sequence[CrossCheck],
) -> list[Finding]:
    """All findings, most severe first.

    Args:
        results: all rows.
        outcomes: how every step ended.
        steps: all steps, repeats included.
        disturbed: reason by id of the disturbed steps.
        checks: cross-checks.
    """
    by_id = {step.id: step for step in steps}
    findings = [
        *_failures(outcomes, by_id),
        *_implausible(results),
        *_disagreements(checks),
        *_placements(outcomes, by_id),
        *_disturbances(disturbed, by_id, results),
        *_unsteady(results),
        *_unchecked(results),
    ]
    return sorted(findings, key=lambda finding: _ORDER[finding.severity])


def _failures(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """One finding per program, case and reason, however many launches it struck."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.state != "completed":
            step = steps[outcome.step]
            key = (step.benchmark, step.case, outcome.state, outcome.reason)
            groups.setdefault(key, []).append(outcome.step)
    remedies = {
        "failed": "read the last output below; run the program alone with heorot run",
        "timed_out": "run it alone; a hang at two or more ranks points to the MPI set-up",
        "lost": "look for a crash of the node, the out-of-memory killer, or a killed job",
    }
    return [
        Finding(
            observation=(
                f"{benchmark} ({case}) {state.replace('_', ' ')} in {len(ids)} "
                f"launch{'es' if len(ids) > 1 else ''}: {reason}"
            ),
            severity="error",
            evidence=tuple(ids),
            affected=(benchmark,),
            remedy=remedies[state],
        )
        for (benchmark, case, state, reason), ids in groups.items()
    ]


def _implausible(results: Sequence[Result]) -> list[Finding]:
    return [
        Finding(
            observation=(
                f"{row.benchmark} {row.region} {row.metric} is "
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
                f"({check.first_name} against {check.second_name}); {check.allowed:.3f} is allowed"
            ),
            severity="warning",
            affected=(check.quantity,),
            remedy="trust neither before the cause is known: repeat on a quiet machine",
        )
        for check in checks
        if not check.agrees
    ]


def _placements(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """Ranks that shared a core although there were enough."""
    findings = []
    for outcome in outcomes:
        if outcome.run is None or outcome.run.ranks < 2:  # noqa: PLR2004 - sharing needs two
            continue
        places = outcome.run.placement
        single = [(place.host, place.cpus[0]) for place in places if len(place.cpus) == 1]
        shared = sorted({place for place in single if single.count(place) > 1})
        if shared:
            step = steps[outcome.step]
            where = ", ".join(f"{host} CPU {cpu}" for host, cpu in shared)
            findings.append(
                Finding(
                    observation=f"ranks of {step.benchmark} ({step.case}) shared a core: {where}",
                    severity="warning",
                    evidence=(outcome.step,),
                    affected=tuple(f"rank {p.rank}" for p in places if (p.host, p.cpus[0]) in shared),
                    remedy="check the binding options of the launcher; rates of shared cores mislead",
                )
            )
    return findings


def _disturbances(
    disturbed: Mapping[str, str], steps: Mapping[str, Step], results: Sequence[Result]
) -> list[Finding]:
    findings = []
    for step_id, reason in disturbed.items():
        step = steps[step_id]
        again = any(
            other.attempt > step.attempt
            and (other.benchmark, other.case, other.launch, other.toolchain)
            == (step.benchmark, step.case, step.launch, step.toolchain)
            for other in steps.values()
        )
        findings.append(
            Finding(
                observation=(
                    f"{step.benchmark} ({step.case}, launch {step.launch}) was disturbed: {reason}"
                ),
                severity="note",
                evidence=(step_id,),
                affected=(step.benchmark,),
                remedy="repeated in this run" if again else "repeat on a quiet machine",
            )
        )
    rows = [row for row in results if row.disturbed and not row.derived]
    if rows:
        programs = tuple(dict.fromkeys(row.benchmark for row in rows))
        findings.append(
            Finding(
                observation=f"{len(rows)} results rest on disturbed samples only; they are marked",
                severity="warning",
                evidence=tuple(row.key for row in rows[:_MANY]),
                affected=programs,
                remedy="repeat these programs on a quiet machine with --only",
            )
        )
    return findings


def _unsteady(results: Sequence[Result]) -> list[Finding]:
    """Programs with a wide interval, and rows with too few samples for one."""
    wide: dict[str, list[Result]] = {}
    few: dict[str, list[Result]] = {}
    for row in results:
        if row.derived or row.median == 0.0:
            continue
        if (row.ci_high - row.ci_low) / abs(row.median) > _LAUNCH_SPREAD:
            wide.setdefault(row.benchmark, []).append(row)
        if row.n < _FEW_SAMPLES:
            few.setdefault(row.benchmark, []).append(row)
    findings = [
        Finding(
            observation=(
                f"{len(rows)} results of {benchmark} have a 95 % interval wider than "
                f"{100.0 * _LAUNCH_SPREAD:.0f} % of the median"
            ),
            severity="note",
            evidence=tuple(row.key for row in rows[:_MANY]),
            affected=(benchmark,),
            remedy="more launches (--launches) narrow what varies between launches",
        )
        for benchmark, rows in wide.items()
    ]
    findings += [
        Finding(
            observation=(
                f"{len(rows)} results of {benchmark} rest on fewer than {_FEW_SAMPLES} samples: "
                "their interval is the range, with less than 95 % coverage"
            ),
            severity="note",
            evidence=tuple(row.key for row in rows[:_MANY]),
            affected=(benchmark,),
            remedy="give the program more time: a longer profile or more launches",
        )
        for benchmark, rows in few.items()
    ]
    return findings


def _unchecked(results: Sequence[Result]) -> list[Finding]:
    programs = tuple(dict.fromkeys(row.benchmark for row in results if row.verified == "unchecked"))
    if not programs:
        return []
    return [
        Finding(
            observation=f"results of {', '.join(programs)} were not verified and are not ranked",
            severity="warning",
            affected=programs,
            remedy="the program must check every region it measures",
        )
    ]
