"""Submits the jobs of a test to a batch system, and follows all of them at once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.batch_states import Phase
from heorot.jobs.facts import ALIVE, read_facts
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import CachingBatchClient
from heorot.launch.adapters.watch import Watch
from heorot.launch.batch.dialect import Part
from heorot.launch.job import Job, find_job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.machine import Machine
from heorot.session.programs import Programs
from heorot.throughput.session.schedulers.observed_times import is_held, note_intervention
from heorot.throughput.session.schedulers.scheduler import Change
from heorot.throughput.session.work import Work, commands_of


@dataclass
class _Followed:
    """A job that has not ended, with its watch."""

    work: Work
    job: Job
    watch: Watch
    phase: Phase | None = None
    held: bool = False


class BatchScheduler:
    """Submits jobs to a batch system."""

    def __init__(
        self,
        adapter: BatchAdapter,
        target: ExecutionTarget,
        programs: Programs,
        machine: Machine,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._adapter, self._target = adapter, target
        self._programs, self._machine = programs, machine
        self._client = CachingBatchClient(adapter.dialect, adapter.client.commands, clock=clock)
        self._followed: list[_Followed] = []
        self._refused: list[Work] = []

    def submit(self, work: Work) -> None:
        job = self._written(work)
        if read_facts(job.directory) is None:
            try:
                self._adapter.start(job)
            except SetupError:
                facts = read_facts(job.directory)
                if facts is None or facts.state != "rejected":
                    raise
        watch = self._adapter.watch(job, self._client)
        if watch is None:
            self._refused.append(work)
        else:
            self._followed.append(_Followed(work, job, watch))

    def _written(self, work: Work) -> Job:
        if job := find_job(work.place):
            return job
        kind, target, batch = work.kind, self._target, self._target.batch
        allocation = target.allocation(kind.nodes, self._machine, shared=not work.exclusive)
        own: dict[str, Any] = {"queue": kind.queue, "account": kind.account}
        around = target.job_environment(
            kind.nodes,
            kind.time_limit_seconds or (batch.time_limit_seconds if batch else None),
            parts=(Part(nodes=kind.nodes),),
            cores_per_node=target.cores_per_node if work.exclusive else work.cores_per_node,
            exclusive=work.exclusive,
            **{name: word for name, word in own.items() if word},
        )
        return write_job(work.place, commands_of(work, self._programs, allocation), around)

    def poll(self) -> list[Change]:
        changes = [Change(work, "ended") for work in self._refused]
        self._refused.clear()
        self._client.follow(each.watch.facts.id for each in self._followed if each.watch.facts.id)
        for one in list(self._followed):
            over = one.watch.look(lambda _event: None)  # steps are read again later
            self._note_hold(one)
            waits = one.watch.facts.waits
            phase: Phase = "ended" if over else "pending" if waits else "running"
            if over:
                self._followed.remove(one)
            if phase != one.phase:
                one.phase = phase
                changes.append(Change(one.work, phase))
        return changes

    def _note_hold(self, one: _Followed) -> None:
        facts = one.watch.facts
        held = is_held(facts)
        if held != one.held:
            one.held = held
            # A job that began was released, however soon it ended; a held one may be cancelled.
            if held or facts.state in ALIVE or facts.own_start is not None:
                note_intervention(one.work.place, "held" if held else "released")

    def cancel_all(self) -> None:
        waiting_first = sorted(self._followed, key=lambda one: one.phase == "running")
        for one in waiting_first:
            with suppress(SetupError):
                self._adapter.cancel(one.job)
