"""Runs a plan in blocks of one launch each, and adjusts it to the measured times.

Each block is a job. Decisions are in the run directory before they take effect: a job has its steps
in `steps.json` and the dropped ones in `dropped.json`, so a resumed run finds every step in a job,
dropped, or still undecided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby

import numpy as np

from heorot.analyse.validity.disturbance import disturbed_steps
from heorot.analyse.validity.placement import binding
from heorot.collect.collect import collect
from heorot.errors import RunError
from heorot.jobs.outcome import has_ended
from heorot.jobs.status import read_jobs
from heorot.launch.job import Job, read_job
from heorot.launch.target import ExecutionTarget
from heorot.model.catalogue.benchmark import Profile
from heorot.model.run.identity import Key, Setup
from heorot.model.run.plan import Plan, Step
from heorot.model.run.series import Series
from heorot.plan.blocks import Known, further_launches, give_up, next_block, repeats
from heorot.session.cluster.describe_nodes import DESCRIBING
from heorot.session.cluster.resolve import limits_of
from heorot.session.external_programs.chosen import recipes_of
from heorot.session.external_programs.launches import reader
from heorot.session.progress import Progress
from heorot.session.step_jobs import begin_job, follow_job
from heorot.store.directory import RunDirectory
from heorot.units import plural

# Perturbed launches are repeated, and further ones added, within this time [s].
_AFTERWARDS_SECONDS: dict[Profile, float] = {
    "smoke": 6.0,
    "quick": 100.0,
    "standard": 600.0,
    "full": 3600.0,
}


def measure(directory: RunDirectory, target: ExecutionTarget, progress: Progress) -> None:
    """Finish the existing jobs, then the plan block by block, then repeats and further launches."""
    plan = directory.plan()
    progress.begin(plan)
    by_id = {step.id: step for step in plan.steps}
    for one in directory.dropped():
        progress.dropped(by_id[one.step])
    run = partial(_run, directory, target, progress)
    run([(number, directory.steps(number)) for number in directory.job_numbers()])
    held = _no_longer_bound(directory)
    while remaining := _undecided(directory, plan):
        if held:
            given_up = tuple(give_up(step, held) for step in remaining)
            directory.write_dropped(directory.next_job(), given_up)
            progress.stage(f"{plural(len(remaining), 'launch')} given up: {held}")
            for step in remaining:
                progress.dropped(step)
            break
        block = next_block(remaining, _known(directory, plan, short_of=remaining), plan)
        number = directory.next_job()
        if block.dropped:
            directory.write_dropped(number, block.dropped)
            dropped = plural(len(block.dropped), "launch")
            progress.stage(f"time budget nearly used: {dropped} skipped")
        for one in block.dropped:
            progress.dropped(by_id[one.step])
        run(list(enumerate(limits_of(target).divide(block.steps), start=number)))
    # The rest is chosen once: perturbed steps are repeated once.
    begun = {step.id for number in directory.job_numbers() for step in directory.steps(number)}
    if begun <= by_id.keys() and not held:
        further = limits_of(target).divide(_afterwards(directory, plan))
        run(list(enumerate(further, start=directory.next_job())))


def _no_longer_bound(directory: RunDirectory) -> str:
    """Why launches of a resumed run cannot be bound like the earlier ones; or empty.

    Earlier versions described no cores, and bound ranks by the caches.
    """
    machine = directory.machine()
    if all(node.cores for node in machine.nodes):
        return ""
    read = reader(recipes_of(directory))
    outcomes = collect(directory.all_steps(), directory.jobs, read).outcomes
    if not any(binding(outcomes, machine).values()):
        return ""
    return (
        "earlier launches were bound to cores, and the machine description, of an earlier version, "
        "has no cores to bind others to"
    )


def submit_all(directory: RunDirectory, target: ExecutionTarget, progress: Progress) -> int:
    """Submit the whole plan to the batch system, each job after the previous one.

    The plan is not adjusted while it runs: all of it runs.

    Returns:
        The number of jobs.
    """
    before: Job | None = None
    for _, launch in groupby(_undecided(directory, directory.plan()), lambda step: step.launch):
        for steps in limits_of(target).divide(list(launch)):
            number = directory.next_job()
            before = begin_job(directory, number, steps, target, progress, before)
    return len(directory.job_numbers()) - (DESCRIBING in directory.job_numbers())


def _run(
    directory: RunDirectory,
    target: ExecutionTarget,
    progress: Progress,
    jobs: Sequence[tuple[int, Sequence[Step]]],
) -> None:
    """Start jobs, each after the previous one, and follow them in turn.

    A batch system gets all of them at once: the next one may wait long.
    """
    begun: list[tuple[Job, Sequence[Step]]] = []
    try:
        for number, steps in jobs:
            if steps:
                before = begun[-1][0] if begun else None
                job = begin_job(directory, number, steps, target, progress, before)
                begun.append((job, steps))
                if target.batch is None:
                    follow_job(directory, job, steps, target, progress)
        for job, steps in begun if target.batch else ():
            follow_job(directory, job, steps, target, progress)
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            progress.close()
            progress.stage("stopping all processes of this run")
        for number, steps in reversed(jobs):  # no waiting job may start meanwhile
            with suppress(RunError):  # its script was never written
                job = read_job(directory.job(number))
                if steps and not has_ended(job.directory, job.steps):
                    target.adapter.cancel(job)
        raise


def _undecided(directory: RunDirectory, plan: Plan) -> list[Step]:
    """Planned steps that are in no job and were not dropped."""
    decided = {step.id for number in directory.job_numbers() for step in directory.steps(number)}
    decided |= {one.step for one in directory.dropped()}
    return [step for step in plan.steps if step.id not in decided]


def _known(directory: RunDirectory, plan: Plan, short_of: Sequence[Step]) -> Known:
    """Results of the launches so far; their agreement is examined only if time is short.

    Args:
        short_of: the steps for which time may not suffice.
    """
    seconds, used = _launch_seconds(directory)
    left = float("inf") if plan.budget_seconds is None else plan.budget_seconds - used
    known = Known(seconds, {}, left)
    if sum(map(known.expect, short_of)) <= left:
        return known
    return Known(seconds, spreads(_series(directory)), left)


def _launch_seconds(directory: RunDirectory) -> tuple[dict[Setup, float], float]:
    """Mean time of a launch by case, and the time of all launches [s]."""
    steps = {step.id: step for step in directory.all_steps()}
    sharing = Counter(step.wave for step in steps.values() if step.wave)
    took: dict[Setup, list[float]] = defaultdict(list)
    used = 0.0
    for job in read_jobs(directory.jobs):
        for exit_ in job.exits.values():
            seconds = max(0.0, exit_.ended - exit_.started)
            if exit_.step in steps:
                step = steps[exit_.step]
                seconds /= sharing[step.wave] if step.wave else 1
                took[step.setup].append(seconds)
            used += seconds
    return {key: float(np.mean(times)) for key, times in took.items()}, used


def _series(directory: RunDirectory) -> tuple[Series, ...]:
    read = reader(recipes_of(directory))
    return collect(directory.all_steps(), directory.jobs, read).series


def spreads(series: Iterable[Series]) -> Mapping[Setup, float]:
    """Spread of the medians of launches around their centre, by case: the median of its regions."""
    medians: dict[Key, list[float]] = defaultdict(list)
    for one in series:
        if one.verified != "failed" and one.body_seconds.size:
            medians[one.key].append(float(np.median(one.body_seconds)))
    found: dict[Setup, list[float]] = defaultdict(list)
    for key, values in medians.items():
        low, high = min(values), max(values)
        if len(values) > 1 and high > 0.0:
            found[key.setup].append((high - low) / (high + low))
    return {key: float(np.median(values)) for key, values in found.items()}


def _afterwards(directory: RunDirectory, plan: Plan) -> tuple[Step, ...]:
    """Repeats of perturbed steps, then launches of the cases with the largest uncertainty."""
    series = _series(directory)
    seconds, used = _launch_seconds(directory)
    left = _AFTERWARDS_SECONDS[plan.profile]
    if plan.budget_seconds is not None:
        left = min(left, plan.budget_seconds - used)
    steps = directory.all_steps()
    disturbed = disturbed_steps(series)
    chosen = repeats([s for s in steps if s.id in disturbed], Known(seconds, {}, left))
    # An explicit number of launches is kept.
    if directory.facts().request.launches is None:
        known = Known(seconds, spreads(series), left)
        left = known.left_seconds - sum(map(known.expect, chosen))
        chosen += further_launches(steps, Known(seconds, known.spreads, left))
    return tuple(
        step.model_copy(update={"id": f"S{number:04d}"})
        for number, step in enumerate(chosen, start=len(plan.steps) + 1)
    )
