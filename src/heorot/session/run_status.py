"""Looks at runs from outside while they run: how far they are, and how to end them."""

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

# As long as a batch system may take to cancel a job.
_STOP_SECONDS = 120.0
_POLL_SECONDS = 0.05
# A pace far from the plan's says more about the first steps than about the rest.
_PACES = (0.2, 5.0)


@dataclass(frozen=True)
class RunStatus:
    """How far a run is.

    Attributes:
        state: `preparing` before there is a plan; `measuring`; `alone` if its job goes on without
            the heorot that started it; `stopped` if nothing runs although steps are left;
            `analysing` what was measured; `complete`.
        n_steps: steps of the plan, and repeats so far.
        n_done: steps that have ended.
        n_failed: those of them that failed or ran out of time.
        running: the step at work, if any.
        running_seconds: since it started [s].
        left_seconds: what is left by the plan's estimates and the pace so far [s].
    """

    state: RunState
    n_steps: int = 0
    n_done: int = 0
    n_failed: int = 0
    running: Step | None = None
    running_seconds: float = 0.0
    left_seconds: float = 0.0


def status(path: Path, clock: Clock = SYSTEM_CLOCK, *, trust: bool = False) -> RunStatus:
    """How far a run is.

    Raises:
        RunError: it is no run.
        SiteError: a batch system has to be asked, by commands of another.
    """
    directory = RunDirectory.open(path)
    followed = directory.holder() is not None
    if not directory.has_plan:
        return RunStatus("preparing" if followed else "stopped")
    # Asked before reading: an end in between is not missed.
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
    """End what a run has running on this machine; returns whether there was anything.

    What has ended stays, and the run can be gone on with.

    Args:
        trust: whether it, and its site file, may be another's, who names what is ended.

    Raises:
        RunError: it is no run, or another's.
        SiteError: its site file is another's.
        UsageError: it runs elsewhere, or does not end.
    """
    directory = RunDirectory.open(path)
    require_own_run(path, trust=trust)
    require_own_site_in(directory, directory.facts().request.site, trust=trust)
    was_followed = end_holder(directory, clock)
    goes_on = _goes_on(directory, trust=trust)
    if goes_on:
        adapter = _adapter(directory)
        for job in reversed([*_jobs(directory)]):  # none of those that wait is to start meanwhile
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
    """Signal as Ctrl-C does: it says how to go on.

    Its number may belong to a stranger by now, and the lock may say what it likes: hence the
    descriptor, which keeps meaning one process, and the proof that this one works on the run.

    Raises:
        UsageError: that cannot be proven.
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
    """The error to raise of a process that may be a stranger."""
    return UsageError(
        f"it is not certain what works on {directory.path}: {missing}",
        f"press Ctrl-C where it runs; its lock says: process {holder.pid} on {holder.host}",
    )


def _goes_on(directory: RunDirectory, *, trust: bool) -> bool:
    """Whether jobs of a run have processes on this machine, or a batch system has them."""
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
    """What the jobs of a run were started by; if that cannot be told any more, by this machine."""
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
    """Time taken over time planned, of the steps that have ended."""
    planned = sum(step.seconds for step in steps if step.id in exits)
    taken = sum(exit_.ended - exit_.started for exit_ in exits.values())
    lowest, highest = _PACES
    return min(max(taken / planned, lowest), highest) if planned else 1.0
