"""What the ends of steps and jobs tell: failures, what launches cost, sums that do not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from heorot.analyse.statistics.summary import median, summarise
from heorot.model.analysis.result import Finding
from heorot.model.run.account import Account
from heorot.model.run.jobs import JobAccount, JobCosts, LaunchCost
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import format_duration

_REMEDIES = {
    "failed": "read its last output; run the program alone with heorot run",
    "timed_out": "run it alone; a hang at two or more ranks points to the MPI set-up",
    "lost": "look for a crash of the node, the out-of-memory killer, or a killed job",
    "refused": "no failure: it counts as skipped; the reason says what it lacks here",
}
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


def find_failures(outcomes: Sequence[Outcome], steps: Mapping[str, Step]) -> list[Finding]:
    """One finding per program, case and reason, however many launches it struck.

    A refusal is a note: the program says itself that the case does not fit this machine. Steps that
    were lost for one reason are one finding: what takes a job takes steps of many programs with it.

    Args:
        outcomes: how every step ended.
        steps: all steps by id.
    """
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.state != "completed":
            case = steps[outcome.step].key if outcome.state != "lost" else ()
            # The reason of a timeout has its seconds in it.
            reason = "" if outcome.state == "timed_out" else outcome.reason
            groups.setdefault((*case, outcome.state, reason), []).append(outcome)
    several = len({step.label for step in steps.values()}) > 1
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


def _word_struck(steps: Sequence[Step], state: str, several: bool) -> str:
    """Which launches ended in a way: of one case, or of several programs."""
    first, launches = steps[0], plural(len(steps), "launch")
    if len({step.key for step in steps}) > 1:  # only what was lost is not told case by case
        programs = plural(len({step.benchmark for step in steps}), "program")
        return f"{launches} of {programs} were lost"
    case = f"{first.case}, {first.label}" if several else first.case
    return f"{first.benchmark} ({case}) {_ENDINGS.get(state, state)} in {launches}"


def find_lost_jobs(jobs: Sequence[JobAccount], resume: str) -> list[Finding]:
    """One finding per job that did not end well.

    Args:
        jobs: all jobs.
        resume: the command that goes on with the run.
    """
    return [_lost_job(job, resume) for job in jobs if job.why]


def _lost_job(job: JobAccount, resume: str) -> Finding:
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
    )


def cost_jobs(
    jobs: Sequence[JobAccount], outcomes: Sequence[Outcome], steps: Sequence[Step]
) -> JobCosts:
    """What jobs and launches cost beside what is measured.

    Args:
        jobs: all jobs.
        outcomes: how every step ended.
        steps: all steps.
    """
    launches = tuple(_cost_launches(outcomes, steps))
    clauses = [*filter(None, (_word_waits(jobs), _word_launches(launches)))]
    return JobCosts(text=f"{'; '.join(clauses)}." if clauses else "", launches=launches)


def _cost_launches(outcomes: Sequence[Outcome], steps: Sequence[Step]) -> Iterator[LaunchCost]:
    """Time of completed launches outside of their programs, layout by layout.

    What runs a program of others counts the launcher as part of it, so these tell nothing; they
    are known by having no places of their ranks.
    """
    by_id = {step.id: step for step in steps}
    together = Counter(step.wave for step in steps)
    found: dict[tuple[str, int, int, int], list[float]] = {}
    for outcome in outcomes:
        ended, end, run = outcome.exit, outcome.end, outcome.run
        told = ended and end and run and run.placement and outcome.state == "completed"
        if not (told and ended and end):
            continue
        step = by_id[outcome.step]
        at_once = together[step.wave] if step.wave else 1
        key = (step.label, at_once, step.nodes, step.ranks)
        found.setdefault(key, []).append(ended.ended - ended.started - end.elapsed_seconds)
    for (toolchain, at_once, nodes, ranks), seconds in sorted(found.items()):
        summary = summarise([np.array([each]) for each in seconds])
        yield LaunchCost(
            toolchain=toolchain,
            nodes=nodes,
            ranks=ranks,
            at_once=at_once,
            n=len(seconds),
            median=summary.median,
            ci_low=summary.ci_low,
            ci_high=summary.ci_high,
        )


def _word_waits(jobs: Sequence[JobAccount]) -> str:
    """How long jobs waited for their nodes, and what it took to submit them."""
    waits = [job.queue_seconds for job in jobs if job.queue_seconds is not None]
    costs = [job.submit_seconds for job in jobs if job.submit_seconds is not None]
    if not waits:
        return ""
    middle = " in the median" * (len(waits) > 1)
    text = f"{plural(len(waits), 'job')} waited {format_duration(median(waits))}{middle}"
    return text + (f" and cost {format_duration(median(costs))} to submit" if costs else "")


def _word_launches(launches: Sequence[LaunchCost]) -> str:
    """What the smallest and the largest launch cost that had their nodes to themselves."""
    alone = [each for each in launches if each.at_once == 1]
    if not alone:
        return ""
    first = min(alone, key=lambda each: (each.ranks, each.nodes))
    last = max(alone, key=lambda each: (each.ranks, each.nodes))
    text = f"a launch costs {format_duration(first.median)} with {plural(first.ranks, 'rank')}"
    text += f" on {first.nodes} nodes" * (first.nodes > 1)
    if (last.ranks, last.nodes) == (first.ranks, first.nodes):
        return text
    on = f" on {plural(last.nodes, 'node')}" * (last.nodes > 1)
    return f"{text} and {format_duration(last.median)} with {last.ranks}{on}"


def plural(number: int, noun: str) -> str:
    """Such as `1 launch` or `3 launches`."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{'' if number == 1 else ending}"
