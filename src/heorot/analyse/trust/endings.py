"""What the ends of steps and jobs tell: failures, lost jobs, sums that do not add up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from heorot.model.analysis.result import Finding
from heorot.model.batch.jobs import JobAccount
from heorot.model.run.account import Account
from heorot.model.run.identity import Setup
from heorot.model.run.outcome import Left, Outcome
from heorot.model.run.plan import Step
from heorot.units import plural

_REMEDIES = {
    "failed": "read its last output; run the program alone with heorot run",
    "timed_out": "run it alone; a hang at two or more ranks points to the MPI set-up",
    "lost": "look for a crash of the node, the out-of-memory killer, or a killed job",
    "refused": "no failure: it counts as skipped; the reason says what it lacks here",
}
# As `collect` has it of steps whose launcher said why it started none of their ranks.
_LAUNCHER = re.compile(r"wrote no record \(exit code [^)]*\): ")
_NUMBER = re.compile(r"\d+")
_ENDINGS = {"timed_out": "timed out", "lost": "was lost", "refused": "refused to run"}


def find_miscounts(account: Account) -> list[Finding]:
    """What does not fit in the account of the steps and would otherwise go unnoticed.

    Args:
        account: of all steps.
    """
    wrong = {
        f"{plural(len(account.repeated), 'step')} ended more than once": account.repeated,
        f"{plural(len(account.unknown), 'step')} ended that nobody asked for": account.unknown,
    }
    found = {text: steps for text, steps in wrong.items() if steps}
    if account.submitted != account.ended:
        found[f"{account.submitted} steps were asked for, {account.ended} are accounted for"] = ()
    return [
        Finding(
            observation=text,
            severity="error",
            evidence=steps,
            affected=steps,
            remedy="believe none of their results; jobs/*/status.jsonl says what happened when",
        )
        for text, steps in found.items()
    ]


def find_failures(
    outcomes: Sequence[Outcome], steps: Mapping[str, Step], told: Collection[str] = ()
) -> list[Finding]:
    """One finding per program, case and reason, however many launches it struck.

    A refusal is a note: the program says itself that the case does not fit this machine. Steps that
    were lost for one reason are one finding: what takes a job takes steps of many programs with it.

    Args:
        outcomes: how every step ended.
        steps: all steps by id.
        told: ids of the steps that findings on jobs tell of.
    """
    groups: dict[tuple[Setup | None, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.state != "completed" and outcome.step not in told:
            launcher = _LAUNCHER.match(outcome.reason)
            together = launcher or outcome.state == "lost"
            case = None if together else steps[outcome.step].setup
            # The reason of a timeout has its seconds in it, that of a launcher its ranks.
            reason = "" if outcome.state == "timed_out" else outcome.reason
            reason = _NUMBER.sub("", reason) if launcher else reason
            groups.setdefault((case, outcome.state, reason), []).append(outcome)
    several = len({step.stack for step in steps.values()}) > 1
    return [
        Finding(
            observation=(
                f"{_word_struck([steps[outcome.step] for outcome in members], state, several)}: "
                f"{members[0].reason}"
            ),
            severity="error" if members[0].troubled else "note",
            evidence=tuple(outcome.step for outcome in members),
            affected=tuple(dict.fromkeys(steps[outcome.step].benchmark for outcome in members)),
            remedy=_REMEDIES[state],
        )
        for (*_, state, _), members in groups.items()
    ]


def find_leftovers(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """Processes that programs left behind, one finding for each program and case.

    Args:
        outcomes: how every step ended.
        steps: all steps by id.
    """
    # What one of several steps left stands with each of them.
    found = {left.steps: left for outcome in outcomes for left in outcome.left}
    groups: dict[tuple[str, ...], list[Left]] = {}
    for left in found.values():
        members = [steps[one] for one in left.steps if one in steps]
        who = tuple(dict.fromkeys(f"{step.benchmark} ({step.case})" for step in members))
        groups.setdefault(who, []).append(left)
    return [_leftover(who, members, steps) for who, members in groups.items()]


def _leftover(who: Sequence[str], found: Sequence[Left], steps: Mapping[str, Step]) -> Finding:
    """What was left by one case, or by one of several that ran at the same time."""
    names = ", ".join(dict.fromkeys(name for left in found for name in left.names))
    ids = tuple(dict.fromkeys(one for left in found for one in left.steps))
    subject = who[0] if len(who) == 1 else f"one of {', '.join(who)}"
    return Finding(
        observation=(
            f"{subject} left {plural(sum(left.n for left in found), 'process')}"
            f"{f' ({names})' * bool(names)} in {plural(len(found), 'launch')}"
        ),
        severity="warning",
        evidence=ids,
        affected=tuple(dict.fromkeys(steps[one].benchmark for one in ids if one in steps)),
        remedy="they were ended before the next step; a program has to wait for what it starts",
    )


def find_set_clocks(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """Whether somebody set the clock while steps ran.

    Args:
        outcomes: how every step ended.
        steps: all steps by id.
    """
    found = [(each.step, each.exit.clock_set) for each in outcomes if each.exit]
    ids = tuple(step for step, by in found if by)
    if not ids:
        return []
    amounts = ", ".join(dict.fromkeys(f"{by:+d} s" for _, by in found if by))
    return [
        Finding(
            observation=f"the clock was set by {amounts} while {plural(len(ids), 'launch')} ran",
            severity="warning",
            evidence=ids,
            affected=tuple(dict.fromkeys(steps[one].benchmark for one in ids if one in steps)),
            remedy="no measured time depends on it; times of day before and after do not compare",
        )
    ]


def _word_struck(steps: Sequence[Step], state: str, several: bool) -> str:
    """Which launches ended in a way: of one case, or of several programs."""
    first, launches = steps[0], plural(len(steps), "launch")
    if len({step.setup for step in steps}) > 1:  # what a job or a launcher took with it
        programs = plural(len({step.benchmark for step in steps}), "program")
        return f"{launches} of {programs} {'were lost' if state == 'lost' else state}"
    case = f"{first.case}, {first.stack}" if several else first.case
    return f"{first.benchmark} ({case}) {_ENDINGS.get(state, state)} in {launches}"


def lost_with_jobs(jobs: Sequence[JobAccount]) -> frozenset[str]:
    """Ids of the steps that `find_lost_jobs` tells of.

    Args:
        jobs: all jobs.
    """
    return frozenset(step for job in jobs if job.why for step in job.lost)


def find_lost_jobs(jobs: Sequence[JobAccount], steps: Sequence[Step], resume: str) -> list[Finding]:
    """One finding per job that did not end well, with a row for each case that it took with it.

    Args:
        jobs: all jobs.
        steps: all steps.
        resume: the command that goes on with the run.
    """
    by_id = {step.id: step for step in steps}
    return [_lost_job(job, by_id, resume) for job in jobs if job.why]


def _lost_job(job: JobAccount, steps: Mapping[str, Step], resume: str) -> Finding:
    number = f" ({job.system} {job.number})" * bool(job.batched and job.number)
    lost = "no step is lost"
    if job.lost:
        verb = "is" if len(job.lost) == 1 else "are"
        lost = f"{len(job.lost)} of its {plural(job.n_asked, 'step')} {verb} lost"
    return Finding(
        observation=f"job {job.id}{number} on {job.place} did not end well: {job.why}; {lost}",
        severity="error",
        evidence=job.lost,
        affected=job.hosts,
        remedy=f"what has ended is kept; the rest of the job runs again with {resume}",
        columns=("program", "case", "launches", "at that time") if job.lost else (),
        rows=tuple(_lost_cases(job, steps)),
    )


def _lost_cases(job: JobAccount, steps: Mapping[str, Step]) -> Iterator[tuple[str, ...]]:
    """The cases of the steps that a job took with it, those apart that it cut off."""
    launches: dict[tuple[str, str, str], list[int]] = {}
    for step in (steps[one] for one in job.lost):
        stood = "had begun" if step.id in job.cut_off else "had not begun"
        launches.setdefault((step.benchmark, step.case, stood), []).append(step.launch)
    for (benchmark, case, stood), numbers in launches.items():
        yield benchmark, case, ", ".join(map(str, dict.fromkeys(numbers))), stood
