"""State of running runs, read by another process; stops them."""

from __future__ import annotations

import os
import platform
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.collect.quick_state import quick_state
from heorot.errors import HeorotError, RunError, UsageError
from heorot.jobs.outcome import has_ended
from heorot.jobs.status import read_jobs
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.job import Job, read_job
from heorot.launch.running import running_jobs
from heorot.model.run.outcome import Exit
from heorot.model.run.plan import Step
from heorot.ownership.trust import require_own_run
from heorot.session.cluster.resolve import resolve_target
from heorot.session.cluster.sites import require_own_site_in, site_of
from heorot.store.directory import RunDirectory
from heorot.store.lock import Holder
from heorot.suggestion import suggest

RunState = Literal["preparing", "measuring", "alone", "stopped", "analysing", "complete"]

# The time that a batch system may take to cancel a job [s].
_STOP_SECONDS = 120.0
_POLL_SECONDS = 0.05
# Limits of the measured pace over the planned one: the first steps do not represent the rest.
_PACES = (0.2, 5.0)


@dataclass(frozen=True)
class RunStatus:
    """State of a run.

    Attributes:
        state: `preparing` without a plan yet; `measuring`; `alone` if its job continues without the
            heorot that started it; `stopped` if nothing runs although steps are left; `analysing`;
            `complete`.
        n_steps: steps of the plan, and repeats so far.
        n_done: steps that have ended.
        n_failed: those of them that failed or timed out.
        running: the running step, if any.
        running_seconds: since it started [s].
        left_seconds: estimate of the rest by the plan and the pace so far [s].
    """

    state: RunState
    n_steps: int = 0
    n_done: int = 0
    n_failed: int = 0
    running: Step | None = None
    running_seconds: float = 0.0
    left_seconds: float = 0.0


def status(path: Path, clock: Clock = SYSTEM_CLOCK, *, trust: bool = False) -> RunStatus:
    """The state of a run.

    Raises:
        RunError: it is no run.
        SiteError: the batch system must be queried by commands of another user.
    """
    directory = RunDirectory.open(path)
    followed = directory.holder() is not None
    if not directory.has_plan:
        return RunStatus("preparing" if followed else "stopped")
    # Queried before reading, so that no end in between is missed.
    goes_on = _goes_on(directory, trust=trust)
    jobs = read_jobs(directory.jobs)
    exits = {step: exit_ for job in jobs for step, exit_ in job.exits.items()}
    ends = {
        step: quick_state(ended, job.directory) for job in jobs for step, ended in job.exits.items()
    }
    started = {step: begin for job in jobs for step, begin in job.started.items()}
    steps = directory.all_steps()
    left = [step for step in steps if step.id not in exits]
    running = next((step for step in left if step.id in started), None) if goes_on else None
    return RunStatus(
        state=_state(directory, followed=followed, goes_on=goes_on, n_left=len(left)),
        n_steps=len(steps),
        n_done=len(steps) - len(left),
        n_failed=sum(state in {"failed", "timed_out"} for state in ends.values()),
        running=running,
        running_seconds=max(0.0, clock.time() - started[running.id]) if running else 0.0,
        left_seconds=sum(step.seconds for step in left) * _pace(steps, exits),
    )


def stop(path: Path, clock: Clock = SYSTEM_CLOCK, *, trust: bool = False) -> bool:
    """End the jobs of a run on this machine; returns whether there were any.

    Results stay, and the run can be resumed.

    Args:
        trust: whether it and its site file, which names the jobs to end, may belong to another
            user.

    Raises:
        RunError: it is no run, or belongs to another user.
        SiteError: its site file belongs to another user.
        UsageError: it runs elsewhere, or does not end.
    """
    directory = RunDirectory.open(path)
    require_own_run(path, trust=trust)
    require_own_site_in(directory, directory.facts().request.site, trust=trust)
    was_followed = end_holder(directory, clock)
    goes_on = _goes_on(directory, trust=trust)
    if goes_on:
        adapter = _adapter(directory)
        for job in reversed([*_jobs(directory)]):  # no waiting job may start meanwhile
            adapter.cancel(job)
    return was_followed or goes_on


def end_holder(directory: RunDirectory, clock: Clock = SYSTEM_CLOCK) -> bool:
    """End the heorot that works on a run, which ends its jobs itself; whether there was one.

    Raises:
        UsageError: it runs elsewhere, or does not end.
    """
    holder, path = directory.holder(), directory.path
    if holder is None:
        return False
    if holder.host != platform.node():
        raise UsageError(f"{path} runs on {holder.host}", f"there: {suggest('stop', path)}")
    _ask_to_end(directory, holder)
    deadline = clock.monotonic() + _STOP_SECONDS
    while directory.holder() == holder:
        if clock.monotonic() > deadline:
            raise UsageError(f"{path} does not end", f"kill -KILL {holder.pid}, and try again")
        clock.sleep(_POLL_SECONDS)
    return True


def _ask_to_end(directory: RunDirectory, holder: Holder) -> None:
    """Send SIGINT: it then prints how to resume.

    Its process id may have been reused, and the lock may be forged: hence the descriptor, which
    stays bound to one process, and the proof that this process works on the run.

    Raises:
        UsageError: there is no such proof.
    """
    try:
        descriptor = os.pidfd_open(holder.pid)
    except ProcessLookupError:
        descriptor = -1
    except OSError as error:
        missing = f"process {holder.pid} cannot be held: {error.strerror}"
        raise _unproven(directory, holder, missing) from error
    try:
        missing = directory.doubt(holder)
        if directory.holder() != holder:
            return  # it has ended meanwhile
        if missing or descriptor < 0:
            raise _unproven(directory, holder, missing or f"there is no process {holder.pid}")
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, signal.SIGTERM)
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _unproven(directory: RunDirectory, holder: Holder, missing: str) -> UsageError:
    """The error for a process that may be unrelated."""
    return UsageError(
        f"it is not certain what works on {directory.path}: {missing}",
        f"press Ctrl-C where it runs; its lock names process {holder.pid} on {holder.host}",
    )


def _goes_on(directory: RunDirectory, *, trust: bool) -> bool:
    """Whether jobs of a run have processes on this machine, or are in a batch system."""
    jobs = directory.jobs.resolve()
    if any(job.directory.parent == jobs for job in running_jobs()):
        return True
    unended = [job for job in _jobs(directory) if not has_ended(job.directory, job.steps)]
    if not unended:
        return False
    require_own_site_in(directory, directory.facts().request.site, trust=trust)
    adapter = _adapter(directory)
    return not isinstance(adapter, LocalAdapter) and any(map(adapter.alive, unended))


def _adapter(directory: RunDirectory) -> Adapter:
    """The adapter that started the jobs of a run; if unknown, that of this machine."""
    request = directory.facts().request
    try:
        site = site_of(directory, request.site)
        return resolve_target(request, site, request.most_nodes).adapter
    except HeorotError:
        return LocalAdapter()


def _jobs(directory: RunDirectory) -> Iterator[Job]:
    """The jobs of a run that have a script."""
    for place in (*map(directory.job, directory.job_numbers()), *directory.build_jobs()):
        with suppress(RunError):  # its script was never written
            yield read_job(place)


def _state(directory: RunDirectory, *, followed: bool, goes_on: bool, n_left: int) -> RunState:
    if goes_on:
        return "measuring" if followed else "alone"
    if followed:
        return "measuring" if n_left else "analysing"
    return "complete" if directory.facts().ended is not None else "stopped"


def _pace(steps: tuple[Step, ...], exits: dict[str, Exit]) -> float:
    """Measured over planned time of the steps that have ended."""
    planned = sum(step.seconds for step in steps if step.id in exits)
    taken = sum(exit_.ended - exit_.started for exit_ in exits.values())
    lowest, highest = _PACES
    return min(max(taken / planned, lowest), highest) if planned else 1.0
