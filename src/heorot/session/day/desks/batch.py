"""Hands the jobs of a day to a batch system, and follows all of them at the same time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.jobs.facts import ALIVE, read_facts
from heorot.jobs.words import Phase
from heorot.launch.adapters.ask import CrowdCaller
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.watch import Watch
from heorot.launch.batch.dialect import Dialect, Part, Wants
from heorot.launch.job import Job, read_job, write_job
from heorot.launch.surroundings import Surroundings
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import SiteBatch
from heorot.session.day.desks.desk import Change
from heorot.session.day.interventions import is_held, note
from heorot.session.day.work import Work, commands_of
from heorot.session.programs import Programs
from heorot.store.atomic import cannot_write


@dataclass
class _Followed:
    """A job that has not ended, and what looks at it."""

    work: Work
    job: Job
    watch: Watch
    phase: Phase | None = None
    held: bool = False


class BatchDesk:
    """Hands jobs to a batch system.

    Args:
        adapter: submits them.
        dialect: of the batch system.
        batch: how the site's jobs are submitted.
        programs: what they start, built.
        machine: whose nodes they get.
        clock: by which one answer about all jobs grows old.
        cores: of a node, for jobs that have theirs to themselves; None leaves it to the batch
            system.
        agent: command that runs another on a host as ssh does; None if none was given.
    """

    def __init__(
        self,
        adapter: BatchAdapter,
        dialect: Dialect,
        batch: SiteBatch,
        programs: Programs,
        machine: Machine,
        clock: Clock = SYSTEM_CLOCK,
        *,
        cores: int | None = None,
        agent: Path | None = None,
    ) -> None:
        self._cores, self._agent = cores, agent
        self._adapter, self._dialect, self._batch = adapter, dialect, batch
        self._programs, self._machine = programs, machine
        self._caller = CrowdCaller(dialect, batch.commands, clock=clock)
        self._followed: list[_Followed] = []
        self._refused: list[Work] = []

    def hand_in(self, work: Work) -> None:
        """Submit a job, unless it was submitted earlier.

        Raises:
            SetupError: it cannot be written, or the batch system does not answer: nothing is lost.
        """
        job = self._written(work)
        if read_facts(job.directory) is None:
            try:
                self._adapter.start(job)
            except SetupError:
                facts = read_facts(job.directory)
                if facts is None or facts.state != "rejected":
                    raise
        watch = self._adapter.watch(job, self._caller)
        if watch is None:
            self._refused.append(work)
        else:
            self._followed.append(_Followed(work, job, watch))

    def _written(self, work: Work) -> Job:
        if (work.place / "script.sh").exists():
            return read_job(work.place)
        allocation = Allocation(
            nodes=work.kind.nodes,
            node=self._machine.node,
            agent=self._agent,
            shared=not work.exclusive,
        )
        try:
            commands = commands_of(work, self._programs, allocation)
        except OSError as error:
            raise cannot_write(work.place, error) from error
        return write_job(work.place, commands, self._surroundings(work))

    def _surroundings(self, work: Work) -> Surroundings:
        kind, batch = work.kind, self._batch
        wants = Wants.of_site(
            batch,
            parts=(Part(nodes=kind.nodes),),
            cores_per_node=self._cores if work.exclusive else work.cores_per_node,
            limit_seconds=kind.time_limit_seconds or batch.time_limit_seconds,
            queue=kind.queue or batch.queue,
            account=kind.account or batch.account,
            exclusive=work.exclusive,
        )
        return self._dialect.surroundings(wants)

    def look(self) -> list[Change]:
        """What has changed since the last look."""
        changes = [Change(work, "ended") for work in self._refused]
        self._refused.clear()
        self._caller.follow(self._ids())
        for one in list(self._followed):
            over = one.watch.look(_nothing)
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
            # One that began was let go, however soon it ended; another may be cancelled while held.
            if held or facts.state in ALIVE or facts.own_start is not None:
                note(one.work.place, "held" if held else "released")

    def _ids(self) -> list[str]:
        return [one.watch.facts.id for one in self._followed if one.watch.facts.id]

    def cancel_all(self) -> None:
        """End whatever was submitted and has not ended, what waits first."""
        waiting_first = sorted(self._followed, key=lambda one: one.phase == "running")
        for one in waiting_first:
            with suppress(SetupError):
                self._adapter.cancel(one.job)


def _nothing(event: StepEvent) -> None:
    """Steps are read again when the day is settled."""
    del event
