"""Failures, lost jobs, and accounts that do not add up, from the ends of steps and jobs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import exactly
from heorot.jobs.hosts import shorten_hosts
from heorot.model.analysis.result import Finding, Severity
from heorot.model.batch.jobs import JobAccount
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Left, Outcome
from heorot.model.run.plan import Step
from heorot.units import plural

# The words of `collect` for steps whose launcher gave the reason for starting no rank.
_LAUNCHER = re.compile(r"wrote no record \(exit code [^)]*\): ")
_NUMBER = re.compile(r"\d+")
_ENDINGS = {"timed_out": "timed out", "lost": "was lost", "refused": "refused to run"}


def find_miscounts(account: Account) -> list[Finding]:
    """Discrepancies in the account of the steps."""
    found = [
        template(evidence=steps, affected=steps, n=len(steps))
        for template, steps in (
            (templates.ENDED_AGAIN, account.repeated),
            (templates.UNASKED, account.unknown),
        )
        if steps
    ]
    if account.submitted != account.ended:
        found.append(templates.UNACCOUNTED(account=account))
    return found


def find_failures(
    outcomes: Sequence[Outcome], steps: Mapping[str, Step], reported: Collection[str] = ()
) -> list[Finding]:
    """One finding per program, case and reason, whatever the number of launches.

    A refusal is a note: the program itself reports that the case does not fit this machine. Steps
    that were lost for one reason are one finding: a lost job loses steps of many programs.

    Args:
        reported: ids of the steps that findings on jobs report.
    """
    groups: dict[tuple[Setup | None, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.state != "completed" and outcome.step not in reported:
            launcher = _LAUNCHER.match(outcome.reason)
            together = launcher or outcome.state == "lost"
            case = None if together else steps[outcome.step].setup
            # The reason of a timeout includes its seconds, that of a launcher its ranks.
            reason = "" if outcome.state == "timed_out" else outcome.reason
            reason = _NUMBER.sub("", reason) if launcher else reason
            groups.setdefault((case, outcome.state, reason), []).append(outcome)
    several = len({step.stack for step in steps.values()}) > 1
    return [
        _failure([steps[outcome.step] for outcome in members], members[0], several=several)
        for members in groups.values()
    ]


def _failure(steps: Sequence[Step], first: Outcome, *, several: bool) -> Finding:
    """The affected launches: of one case, or of several programs."""
    state, step = first.state, steps[0]
    programs = tuple(dict.fromkeys(step.benchmark for step in steps))
    severity: Severity = "error" if first.troubled else "note"
    common = (severity, templates.REMEDIES[state], programs)
    reported: dict[str, Any] = {"evidence": [step.id for step in steps], "reason": first.reason}
    reported |= dict(zip(("severity", "remedy", "affected"), common, strict=True))
    if len({step.setup for step in steps}) > 1:  # lost with a job or a launcher
        end = "were lost" if state == "lost" else state
        return templates.PROGRAMS_ENDED(n=len(steps), programs=len(programs), end=end, **reported)
    return templates.CASE_ENDED(
        step=step,
        stack=str(step.stack) if several else None,
        end=_ENDINGS.get(state, state),
        n=len(steps),
        **reported,
    )


def find_leftovers(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """Processes that programs left behind, one finding for each program and case."""
    # Processes left by one of several concurrent steps are recorded with each of them.
    found = {left.steps: left for outcome in outcomes for left in outcome.left}
    groups: dict[tuple[str, ...], list[Left]] = {}
    for left in found.values():
        members = [steps[one] for one in left.steps if one in steps]
        who = tuple(dict.fromkeys(f"{step.benchmark} ({step.case})" for step in members))
        groups.setdefault(who, []).append(left)
    return [_leftover(who, members, steps) for who, members in groups.items()]


def _leftover(who: Sequence[str], found: Sequence[Left], steps: Mapping[str, Step]) -> Finding:
    """Leftovers of one case, or of one of several that ran at the same time."""
    ids = tuple(dict.fromkeys(one for left in found for one in left.steps))
    return templates.LEFTOVER(
        evidence=ids,
        affected=[steps[one].benchmark for one in ids if one in steps],
        several=len(who) > 1,
        cases=who,
        n=sum(left.n for left in found),
        names=[*dict.fromkeys(name for left in found for name in left.names)],
        n_launches=len(found),
    )


def find_set_clocks(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """Whether the clock was set while steps ran."""
    found = [(each.step, each.exit.clock_set) for each in outcomes if each.exit]
    ids = tuple(step for step, by in found if by)
    if not ids:
        return []
    amounts = dict.fromkeys(by for _, by in found if by)
    return [
        templates.CLOCK_SET(
            evidence=ids,
            affected=[steps[one].benchmark for one in ids if one in steps],
            steps=[templates.CLOCK_STEP.claim(seconds=exactly(by, "s")) for by in amounts],
            n=len(ids),
        )
    ]


def lost_with_jobs(jobs: Sequence[JobAccount]) -> frozenset[str]:
    """Ids of the steps that `find_lost_jobs` reports."""
    return frozenset(step for job in jobs if job.why for step in job.lost)


def find_lost_jobs(jobs: Sequence[JobAccount], steps: Sequence[Step], resume: str) -> list[Finding]:
    """One finding per job that did not end well, with a row for each case that was lost with it."""
    by_id = {step.id: step for step in steps}
    return [_lost_job(job, by_id, resume) for job in jobs if job.why]


def _lost_job(job: JobAccount, steps: Mapping[str, Step], resume: str) -> Finding:
    lost = templates.NO_STEP_LOST.claim()
    if job.lost:
        lost = templates.STEPS_LOST.claim(n=len(job.lost), asked=job.n_asked)
    return templates.LOST_JOB(
        evidence=job.lost,
        affected=job.hosts,
        rows=_lost_cases(job, steps),
        job=job,
        hosts=shorten_hosts(job.hosts) or plural(job.nodes, "node"),
        number=job.number if job.batched else None,
        lost_steps=lost,
        resume=resume,
    )


def _lost_cases(job: JobAccount, steps: Mapping[str, Step]) -> Iterator[tuple[str, ...]]:
    """The cases of the steps lost with a job; those cut off by it are listed separately."""
    launches: dict[tuple[str, str, str], list[int]] = {}
    for step in (steps[one] for one in job.lost):
        stood = "had begun" if step.id in job.cut_off else "had not begun"
        launches.setdefault((step.benchmark, step.case, stood), []).append(step.launch)
    for (benchmark, case, stood), numbers in launches.items():
        yield benchmark, case, ", ".join(map(str, dict.fromkeys(numbers))), stood
