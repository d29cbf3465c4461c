"""Runs jobs by a batch system: submits each exactly once and waits for it.

The job's script is the primary source about the job. The batch system is queried seldom, and only
about jobs that are pending or silent; a missing answer is no evidence about a job.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heorot import interruption
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.clauses import complaint_about
from heorot.jobs.events import StepEvent, last_complaint
from heorot.jobs.facts import (
    ALIVE,
    CANCELLED_BY_US,
    WELL,
    BatchFacts,
    note_ending,
    read_facts,
    write_facts,
)
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.batch_client import BatchClient, BatchJob
from heorot.launch.adapters.submission import Attempt, Submitter
from heorot.launch.adapters.termination import end
from heorot.launch.adapters.watch import Patience, Watch
from heorot.launch.batch.dialect import Dialect
from heorot.launch.job import Job
from heorot.suggestion import suggest

_WAIT = "nothing is lost: resume when the batch system answers again"


class BatchAdapter:
    """Runs jobs by a batch system.

    Args:
        on_state: called with one line whenever the state of a job that is followed changes.
    """

    def __init__(
        self,
        dialect: Dialect,
        commands: Path | None = None,
        *,
        patience: Patience | None = None,
        on_state: Callable[[Job, str], None] | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._clock = clock
        self._patience = patience or Patience()
        self._client = BatchClient(dialect, commands, self._patience.command_seconds)
        self._on_state = on_state or (lambda _job, _line: None)

    @property
    def dialect(self) -> Dialect:
        return self._client.dialect

    @property
    def client(self) -> BatchClient:
        return self._client

    def start(self, job: Job, after: Job | None = None) -> None:
        """Submit the job, unless it is submitted already or all its steps have ended.

        Args:
            job: what to run; its id is known when this returns.
            after: the job that must have ended before it starts.

        Raises:
            SetupError: the batch system refuses the job or does not answer, or nothing can be
                written. The job may be started again.
        """
        tail = StatusTail(job.directory, job.steps)
        tail.read(0)
        if tail.done:
            return
        submitter = Submitter(self._client, job, self._clock)
        last = submitter.last()
        if last.number and self._stands(job, submitter, last):
            return
        self._submit(job, submitter, last.number + 1, self._id_of(after) if after else None)

    def _submit(self, job: Job, submitter: Submitter, number: int, after: str | None) -> None:
        """Submit until the job is accepted or refused; an attempt without effect is repeated."""
        deadline = self._clock.monotonic() + self._patience.unsubmitted_seconds
        while True:
            submitter.submit(number, after)
            attempt = self._resolved(job, submitter, submitter.attempt(number))
            came = attempt.came
            if came and came.outcome == "accepted":
                self._note(job, submitter, attempt, came.id)
                return
            if came and came.outcome == "refused":
                facts = self._facts(job, attempt, None)
                facts = facts.model_copy(update={"state": "rejected", "reason": came.message})
                write_facts(job.directory, facts)
                raise SetupError(complaint_about(facts), self._hint())
            if self._clock.monotonic() > deadline:
                message = f": {came.message}" if came and came.message else ""
                raise SetupError(
                    f"{self.dialect.system} does not take jobs now{message}",
                    _WAIT,
                )
            number += 1

    def _hint(self) -> str:
        if self.dialect.system == "slurm":
            return "correct `batch:` in the site file; see `sinfo` and `sacctmgr show user $USER`"
        return f"correct `batch:` in the site file; {suggest('machine')} shows what was found"

    def _stands(self, job: Job, submitter: Submitter, attempt: Attempt) -> bool:
        """Whether an earlier attempt counts: it has ended, is queued, or its state is unknown."""
        attempt = self._resolved(job, submitter, attempt)
        if attempt.came is None or attempt.came.outcome != "accepted":
            return False
        tail = StatusTail(job.directory, job.steps)
        tail.read(attempt.since)
        self._note(job, submitter, attempt, attempt.came.id)
        if tail.done or tail.ended is not None:
            return tail.done
        if not self._client.state(self._which(job, attempt.number, attempt.came.id)).over:
            return True
        tail.read(attempt.since)
        if tail.done:
            return True
        # The job may have ended just now and its last events may not be visible yet: `follow` waits
        # for them. Without this a job that has ended would be submitted again.
        facts = read_facts(job.directory)
        return facts is None or facts.id != attempt.came.id or facts.state in ALIVE

    def _resolved(self, job: Job, submitter: Submitter, attempt: Attempt) -> Attempt:
        """The attempt with its answer, or with the id of the job of its name if that is lost."""
        begun = self._clock.monotonic()
        until = begun + self._patience.unsubmitted_seconds
        while self._clock.monotonic() < until:
            interruption.raise_if_asked()
            attempt = submitter.attempt(attempt.number)
            if attempt.came and attempt.came.outcome != "unclear":
                return attempt
            if not attempt.came and not submitter.cut_off(attempt):
                self._clock.sleep(self._patience.poll_seconds)
                continue
            found, answered = self._client.find(self.dialect.name(job.marker, attempt.number))
            if found:
                return submitter.found(attempt, found)
            # An attempt that was cut off may reach the batch system a little later.
            if answered and self._clock.monotonic() - begun > self._patience.settle_seconds:
                return attempt
            self._clock.sleep(min(1.0, self._patience.settle_seconds / 5))
        raise SetupError(
            f"{self.dialect.system} does not report whether it has accepted {job.id}",
            _WAIT,
        )

    def _note(self, job: Job, submitter: Submitter, attempt: Attempt, number: str) -> None:
        facts = read_facts(job.directory)
        if facts is None or facts.id != number:
            earlier = [submitter.attempt(n).came for n in range(1, attempt.number)]
            ids = tuple(came.id for came in earlier if came and came.id)
            write_facts(job.directory, self._facts(job, attempt, number, ids))

    def _facts(
        self, job: Job, attempt: Attempt, number: str | None, earlier: tuple[str, ...] = ()
    ) -> BatchFacts:
        took = None
        if attempt.answered is not None and attempt.begun is not None:
            took = max(0.0, attempt.answered - attempt.begun)
        return BatchFacts(
            system=self.dialect.system,
            name=self.dialect.name(job.marker, attempt.number),
            attempt=attempt.number,
            id=number,
            submitted=attempt.begun,
            submit_seconds=took,
            asked_seconds=job.limit_seconds,
            earlier=earlier,
        )

    def _which(self, job: Job, attempt: int, number: str) -> BatchJob:
        return BatchJob(number, self.dialect.name(job.marker, attempt))

    def _id_of(self, job: Job) -> str | None:
        """The id of a job that another depends on; None if it has none or the id was reused."""
        facts = read_facts(job.directory)
        if facts is None or facts.id is None:
            return None
        asked = self._client.state(self._which(job, facts.attempt, facts.id))
        return None if asked.taken else facts.id

    def _known(self, job: Job) -> tuple[BatchFacts | None, Attempt]:
        """The known facts of the last attempt, without a query."""
        attempt = Submitter(self._client, job, self._clock).last()
        came = attempt.came
        if came is None or came.outcome != "accepted":
            return (read_facts(job.directory) if attempt.number else None), attempt
        facts = read_facts(job.directory)
        if facts is None or facts.id != came.id:
            facts = self._facts(job, attempt, came.id)
        return facts, attempt

    def alive(self, job: Job) -> bool:
        """Whether the job is pending or running, as far as is known."""
        facts, attempt = self._known(job)
        if facts is None or facts.id is None or facts.state not in ALIVE:
            return False
        tail = StatusTail(job.directory, job.steps)
        tail.read(attempt.since)
        if tail.ended is not None:
            return False
        return not self._client.state(self._which(job, facts.attempt, facts.id)).over

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the job has ended.

        It also returns when the job is unknown to the batch system or that has been silent for
        very long; `complaint` then has the reason.
        """
        watch = self.watch(job)
        if watch is not None:
            watch.follow(on_event)
            return
        for event in StatusTail(job.directory, job.steps).read(0)[0]:
            on_event(event)

    def watch(self, job: Job, client: BatchClient | None = None) -> Watch | None:
        """The watch of a job, for repeated looks; None if the job was never accepted."""
        facts, attempt = self._known(job)
        if facts is None or facts.id is None:
            return None
        asked = client or self._client
        return Watch(
            job, asked, facts, attempt.since, self._patience, self._on_state, clock=self._clock
        )

    def cancel(self, job: Job) -> None:
        """End the job; returns when it is gone, or after a time limit without an answer."""
        submitter = Submitter(self._client, job, self._clock)
        last = submitter.last()
        if not last.number:
            return
        gone = True
        with interruption.finishing():  # usually cancelled after an interruption
            try:
                attempt = self._resolved(job, submitter, last)
            except SetupError:
                return
            if attempt.came and attempt.came.outcome == "accepted":
                self._note(job, submitter, attempt, attempt.came.id)
                note_ending(job.directory)
                which = self._which(job, attempt.number, attempt.came.id)
                gone = end(self._client, which, self._patience, self._clock)
        facts, attempt = self._known(job)
        if gone and facts and facts.id and facts.state in ALIVE:
            tail = StatusTail(job.directory, job.steps)
            tail.read(attempt.since)
            # It may have ended by itself meanwhile.
            became = WELL if tail.now.ended else CANCELLED_BY_US
            write_facts(job.directory, facts.model_copy(update=became))

    def complaint(self, job: Job) -> str:
        """A complaint of the job's script, or the action of the batch system that ended it."""
        facts, _ = self._known(job)
        return last_complaint(job.directory) or (complaint_about(facts) if facts else "")
