"""Runs steps as a job."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.collect.quick_state import quick_state
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent, StepStart
from heorot.jobs.outcome import has_ended, read_end
from heorot.launch.job import Job, find_job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.machine.nodes.read import COPY_SCRIPT
from heorot.model.run.plan import Step
from heorot.plan.packing import devices_of
from heorot.session.cluster.resolve import limits_of
from heorot.session.external_programs.chosen import recipes_of
from heorot.session.external_programs.inputs import require_inputs
from heorot.session.programs import find_programs
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest


def begin_job(
    directory: RunDirectory,
    number: int,
    steps: Sequence[Step],
    target: ExecutionTarget,
    progress: Progress,
    after: Job | None = None,
) -> Job:
    """Write a job unless it exists, and start it unless it runs or has ended.

    Args:
        steps: of the job; an existing job keeps its own.
        after: the job that must have ended before it starts.

    Raises:
        SetupError: it cannot be written or started.
        RunError: one of its input files is missing or changed.
    """
    job = _find_or_write(directory, number, steps, target, progress)
    if not has_ended(job.directory, job.steps):
        require_inputs(recipes_of(directory), steps)
        target.adapter.start(job, after)
    return job


def follow_job(
    directory: RunDirectory,
    job: Job,
    steps: Sequence[Step],
    target: ExecutionTarget,
    progress: Progress,
) -> None:
    """Follow a job to its end and report every step, including those that ended earlier.

    Raises:
        SetupError: the job's script failed, as on a full disk; or the state of the job is
            unknown.
    """
    by_id = {step.id: step for step in steps}

    def on_event(event: StepEvent) -> None:
        step = by_id.get(event.step)
        if step is None:
            return
        if isinstance(event, StepStart):
            progress.started(step)
        else:
            progress.finished(step, event.exit(), quick_state(event.exit(), job.directory))

    target.adapter.follow(job, on_event)
    complaint = target.adapter.complaint(job)
    if complaint and not has_ended(job.directory, job.steps):
        if read_end(
            job.directory, job.steps
        ).ended_by_system:  # the final states of its steps are in the report
            progress.stage(f"{job.id}: {complaint}")
            return
        go_on = suggest("evaluate", "--resume", directory.path)
        raise SetupError(complaint, f"fix it, then resume: {go_on}")


def _find_or_write(
    directory: RunDirectory,
    number: int,
    steps: Sequence[Step],
    target: ExecutionTarget,
    progress: Progress,
) -> Job:
    place = directory.job(number)
    if job := find_job(place):
        return job
    limits = limits_of(target)
    nodes, seconds = limits.nodes_of(steps), limits.limit_of(steps)
    programs = find_programs(directory, steps, target, progress)
    allocation = target.allocation(nodes, directory.machine())
    records = place / "records"
    commands = [programs.command(one, allocation, records / f"{one.id}.jsonl") for one in steps]
    directory.write_steps(number, tuple(steps))
    job_environment = target.job_environment(nodes, seconds, COPY_SCRIPT, devices=devices_of(steps))
    return write_job(place, commands, job_environment)
