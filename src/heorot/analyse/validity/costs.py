"""Overheads of jobs and launches besides the measured times: sentences, and rows of the export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heorot.analyse.results import values_of
from heorot.analyse.statistics.summary import Summary, median, summarise_values
from heorot.model.analysis.processor_time import WHOLE_RUN
from heorot.model.analysis.result import Result
from heorot.model.batch.jobs import JobAccount, JobCosts, LaunchCost
from heorot.model.point import Point
from heorot.model.run.identity import Key, Setup, Stack
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.units import format_duration, plural

JOB = "heorot/job"
"""Stands for the program in the rows of jobs."""


def cost_jobs(
    jobs: Sequence[JobAccount], outcomes: Sequence[Outcome], steps: Sequence[Step]
) -> JobCosts:
    """Overheads of jobs and launches besides the measured times."""
    launches = tuple(_cost_launches(outcomes, steps))
    clauses = [*filter(None, (_word_waits(jobs), _word_launches(launches)))]
    return JobCosts(text=f"{'; '.join(clauses)}." if clauses else "", launches=launches)


def _cost_launches(outcomes: Sequence[Outcome], steps: Sequence[Step]) -> Iterator[LaunchCost]:
    """The overheads by layout."""
    found: dict[tuple[Stack, int, int, int], list[float]] = {}
    for step, at_once, seconds in _outside(outcomes, steps):
        key = (step.stack, at_once, step.nodes, step.ranks)
        found.setdefault(key, []).append(seconds)
    for (stack, at_once, nodes, ranks), times in sorted(found.items()):
        summary = summarise_values(times)
        yield LaunchCost(
            stack=stack,
            nodes=nodes,
            ranks=ranks,
            at_once=at_once,
            n=len(times),
            median=summary.median,
            ci_low=summary.ci_low,
            ci_high=summary.ci_high,
        )


def _outside(
    outcomes: Sequence[Outcome], steps: Sequence[Step]
) -> Iterator[tuple[Step, int, float]]:
    """Each completed launch, the number of concurrent ones, its time outside of its program [s].

    The time of an external program includes its launcher, so it has no such value; external
    programs are those without recorded placement.
    """
    by_id = {step.id: step for step in steps}
    together = Counter(step.wave for step in steps)
    for outcome in outcomes:
        ended, end, run = outcome.exit, outcome.end, outcome.run
        reported = ended and end and run and run.placement and outcome.state == "completed"
        if reported and ended and end:
            step = by_id[outcome.step]
            at_once = together[step.wave] if step.wave else 1
            yield step, at_once, ended.ended - ended.started - end.elapsed_seconds


def cost_rows(
    jobs: Sequence[JobAccount],
    outcomes: Sequence[Outcome],
    steps: Sequence[Step],
    run: str,
    system: str,
) -> list[Result]:
    """The overheads as rows like measured ones: a row per metric of each case and job."""
    launches: dict[tuple[Setup, int], list[float]] = {}
    for step, at_once, seconds in _outside(outcomes, steps):
        launches.setdefault((step.setup, at_once), []).append(seconds)
    rows = []
    for (setup, at_once), members in launches.items():
        key = Key(setup, WHOLE_RUN, Point({"at_once": at_once}))
        rows.append(_row(key, "launch_overhead", summarise_values(members), run, system))
    return [*rows, *(row for job in jobs for row in _job_rows(job, run, system))]


def _job_rows(job: JobAccount, run: str, system: str) -> Iterator[Result]:
    """The known times of a job; its steps have layouts of their own."""
    reported = {"system": job.system, "queue": job.queue, "number": job.number}
    setup = Setup(JOB, job.id, "", nodes=job.nodes, ranks=0, threads=0, per_node=0)
    key = Key(setup, "whole_job", Point({name: word for name, word in reported.items() if word}))
    times = {
        "submit_time": job.submit_seconds,
        "own_jobs_wait": job.behind_seconds,
        "queue_wait": job.queue_seconds,
        "run_time": job.run_seconds,
        "step_time": None if job.run_seconds is None else job.step_seconds,
        "job_overhead": job.overhead_seconds,
    }
    for metric, seconds in times.items():
        if seconds is not None:
            yield _row(key, metric, summarise_values([seconds]), run, system)


def _row(key: Key, metric: str, summary: Summary, run: str, system: str) -> Result:
    return Result(
        run=run,
        system=system,
        key=key,
        metric=metric,
        unit="s",
        better="lower",
        **values_of(summary),
        verified="unchecked",
        plausible=None,
        disturbed=False,
        share_of_ceiling=None,
        derived=True,  # no program took samples of it
    )


def _word_waits(jobs: Sequence[JobAccount]) -> str:
    """Queue waits of jobs, and the time to submit them."""
    waits = [job.queue_seconds for job in jobs if job.queue_seconds is not None]
    costs = [job.submit_seconds for job in jobs if job.submit_seconds is not None]
    if not waits:
        return ""
    middle = " in the median" * (len(waits) > 1)
    text = f"{plural(len(waits), 'job')} waited {format_duration(median(waits))}{middle}"
    return text + (f" and cost {format_duration(median(costs))} to submit" if costs else "")


def _word_launches(launches: Sequence[LaunchCost]) -> str:
    """Overhead of the smallest and the largest launch that had their nodes to themselves."""
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
