"""Allocates nodes to the jobs of a test without a batch system: first come, first served.

A job that does not fit waits, and all later jobs wait behind it. The queue ends with the process
that conducts the test; running jobs outlive it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.files import read_regular
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.overdue import Watchdog
from heorot.launch.job import Job, read_job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.machine import Machine
from heorot.session.programs import Programs
from heorot.store.atomic import explaining, write_bytes
from heorot.throughput.session.schedulers.scheduler import Change, SchedulerNote
from heorot.throughput.session.work import Work, commands_of

# A script silent for this time is checked [s]: it writes when a step starts or ends.
_SILENT_SECONDS = 5.0
_LOOKS = 2  # a script may not have started yet or have just ended
HICCUP_SECONDS = 60.0
"""Time for which a script on a host behind an agent may be unreachable and still run [s]."""
_NOTE = "scheduler.json"
_FORMER_NOTE = "desk.json"  # the file of earlier versions


class Runner(Adapter, Protocol):
    """An adapter that may have child processes."""

    def leave(self, job: Job) -> None:
        """Release a job that has ended."""

    def watchdog(self, job: Job) -> Watchdog:
        """Enforces the time limits of its steps where its script cannot."""


@dataclass
class _Running:
    """A job with allocated nodes."""

    work: Work
    job: Job
    hosts: tuple[str, ...]
    adapter: Runner
    tail: StatusTail
    watchdog: Watchdog
    asked: float
    missed: int = 0
    missing: float = 0.0


class FcfsScheduler:
    """Allocates nodes to jobs, first come, first served.

    Args:
        hosts: cores of each node, in the order of allocation.
    """

    def __init__(
        self,
        target: ExecutionTarget,
        hosts: Mapping[str, int],
        programs: Programs,
        machine: Machine,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._target, self._clock = target, clock
        self._patience = HICCUP_SECONDS if target.site.hosts else 0.0
        self._cores = dict(hosts)
        self._free = dict(hosts)
        self._programs, self._machine = programs, machine
        self._waiting: deque[Work] = deque()
        self._running: list[_Running] = []
        self._changes: list[Change] = []

    def submit(self, work: Work) -> None:
        """Queue a job, or follow one that already has nodes.

        Raises:
            SetupError: it cannot be written.
        """
        note = read_note(work)
        if note is not None and note.hosts:
            self._begin(work, note.hosts, read_job(work.place))
            return
        if note is None:
            _write_note(work, SchedulerNote(queued=self._clock.time()))
        self._waiting.append(work)
        self._changes.append(Change(work, "pending"))

    def poll(self) -> list[Change]:
        for one in list(self._running):
            if self._is_over(one):
                self._take_back(one)
        while self._waiting and (hosts := self._room_for(self._waiting[0])):
            self._start(self._waiting.popleft(), hosts)
        changes, self._changes = self._changes, []
        return changes

    def _take_back(self, one: _Running) -> None:
        """Release the nodes of a job that has ended."""
        one.adapter.leave(one.job)
        note = read_note(one.work)
        if note is not None and note.ended is None:
            _write_note(one.work, note.model_copy(update={"ended": self._clock.time()}))
        self._running.remove(one)
        self._give(one.hosts, one.work, 1)
        self._changes.append(Change(one.work, "ended"))

    def _room_for(self, work: Work) -> tuple[str, ...]:
        """The nodes for a job, the fullest ones first; empty if it must wait."""
        wanted = work.cores_per_node
        fitting = [
            name
            for name, free in self._free.items()
            if (free == self._cores[name] if work.exclusive else free >= wanted)
        ]
        fitting.sort(key=lambda name: self._free[name])
        return tuple(fitting[: work.kind.nodes]) if len(fitting) >= work.kind.nodes else ()

    def _give(self, hosts: tuple[str, ...], work: Work, sign: int) -> None:
        for name in hosts:
            taken = self._cores[name] if work.exclusive else work.cores_per_node
            self._free[name] += sign * taken

    def _start(self, work: Work, hosts: tuple[str, ...]) -> None:
        target, shared = self._target, not work.exclusive
        allocation = target.allocation(len(hosts), self._machine, hosts, shared=shared)
        commands = commands_of(work, self._programs, allocation)
        job = write_job(work.place, commands, target.environment_on(hosts))
        note = read_note(work) or SchedulerNote(queued=self._clock.time())
        update = {"started": self._clock.time(), "hosts": hosts}
        _write_note(work, note.model_copy(update=update))
        self._begin(work, hosts, job)

    def _begin(self, work: Work, hosts: tuple[str, ...], job: Job) -> None:
        adapter = self._target.adapter_on(hosts[0])
        tail = StatusTail(job.directory, job.steps)
        tail.read(0)
        if tail.began is None:  # a started job is not started again
            try:
                adapter.start(job)
            except SetupError as error:  # it counts as lost, unless its script reports
                note = read_note(work) or SchedulerNote(queued=self._clock.time())
                _write_note(work, note.model_copy(update={"why": str(error)}))
        self._give(hosts, work, -1)
        watchdog, now = adapter.watchdog(job), self._clock.monotonic()
        self._running.append(_Running(work, job, hosts, adapter, tail, watchdog, now))
        self._changes.append(Change(work, "running"))

    def _is_over(self, one: _Running) -> bool:
        """Whether a job has ended, or its script has disappeared."""
        _, fresh = one.tail.read(0)
        now = self._clock.monotonic()
        if fresh:
            one.asked, one.missed = now, 0
        if one.tail.ended is not None:
            return True
        if now - one.asked < _SILENT_SECONDS:
            return False
        one.asked = now
        if one.adapter.alive(one.job):
            one.missed = 0
            if one.watchdog.look(one.tail):
                one.adapter.cancel(one.job)
                one.watchdog.conclude(one.tail)
            return False
        one.missing = one.missing if one.missed else now
        one.missed += 1
        return one.missed >= _LOOKS and now - one.missing >= self._patience

    def cancel_all(self) -> None:
        self._waiting.clear()
        for one in self._running:
            one.adapter.cancel(one.job)


def read_note(work: Work) -> SchedulerNote | None:
    """The scheduler's note on a job; None if it was never submitted."""
    file = work.place / _NOTE
    try:
        file = file if file.exists() else work.place / _FORMER_NOTE
        return SchedulerNote.model_validate_json(read_regular(file))
    except (OSError, ValueError):
        return None


def _write_note(work: Work, note: SchedulerNote) -> None:
    with explaining(work.place):
        work.place.mkdir(parents=True, exist_ok=True)
    write_bytes(work.place / _NOTE, note.model_dump_json().encode() + b"\n")
