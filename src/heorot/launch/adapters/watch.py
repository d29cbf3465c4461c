"""Waits for one job of a batch system, with few queries; reports why it gives up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heorot import interruption
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.jobs.clauses import describe_state
from heorot.jobs.events import StepEvent
from heorot.jobs.facts import (
    CANCELLED_BY_US,
    INTERRUPTED,
    UNHEARD,
    WELL,
    BatchFacts,
    QueueState,
    merged,
    write_facts,
)
from heorot.jobs.outcome import classify_outcome
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.batch_client import BatchClient, BatchJob, JobAnswer
from heorot.launch.job import Job
from heorot.units import format_duration

_SLOWER = 1.5


@dataclass(frozen=True)
class Patience:
    """Intervals and time limits of waiting.

    Attributes:
        poll_seconds: between two reads of the status file [s].
        ask_seconds: between two queries of the batch system, at first [s].
        most_ask_seconds: the same, at last [s].
        silent_seconds: a running job that wrote within this time is not queried [s].
        grace_seconds: delay after which writes of a job are visible, as on NFS [s].
        vanish_seconds: silence after which a job unknown to the batch system is lost [s].
        overrun_seconds: how long after its limit a job may still run [s].
        unanswered_seconds: how long the batch system may be silent about a pending job [s].
        unsubmitted_seconds: the same about a job that is being submitted [s].
        settle_seconds: delay after which a job cut off during submission may appear [s].
        tidy_seconds: time for the clean-up of a script that was asked to end [s].
        cancel_seconds: time within which a cancelled job is gone [s].
        command_seconds: time after which a command of the batch system is killed [s].
    """

    poll_seconds: float = 0.1
    ask_seconds: float = 2.0
    most_ask_seconds: float = 30.0
    silent_seconds: float = 10.0
    grace_seconds: float = 30.0
    vanish_seconds: float = 120.0
    overrun_seconds: float = 300.0
    unanswered_seconds: float = 4 * 3600.0
    unsubmitted_seconds: float = 600.0
    settle_seconds: float = 5.0
    tidy_seconds: float = 30.0
    cancel_seconds: float = 90.0
    command_seconds: float = 30.0


class Watch:
    """Follows one job.

    Args:
        since: length of the status file when the job was submitted [B].
        on_state: called with one line whenever the state changes.
    """

    def __init__(
        self,
        job: Job,
        client: BatchClient,
        facts: BatchFacts,
        since: int,
        patience: Patience,
        on_state: Callable[[Job, str], None],
        *,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._clock = clock
        self._job, self._client, self._facts, self._since = job, client, facts, since
        self._patience, self._on_state = patience, on_state
        name = client.dialect.name(job.marker, facts.attempt)
        self._which = BatchJob(facts.id or "", name)
        self._taken = False  # whether another job has its id now
        self._tail = StatusTail(job.directory, job.steps)
        self._reported = ""
        now = self._clock.monotonic()
        self._heard = now  # last event of the script
        self._answered = now  # last answer of the batch system
        self._ask_at, self._interval = now, patience.ask_seconds
        self._gone: float | None = None  # since when the queue reports its end
        self._over = False  # no more queries
        self._last: QueueState | None = None  # answer after the script ended
        self._until: float | None = None  # end of waiting for a further answer
        self._starts: dict[float, float] = {}  # by the monotonic clock [s]

    @property
    def facts(self) -> BatchFacts:
        return self._facts

    def follow(self, on_event: Callable[[StepEvent], None]) -> None:
        """Report every step event until the job has ended or is given up."""
        while not self.look(on_event):
            self._clock.sleep(self._patience.poll_seconds)

    def look(self, on_event: Callable[[StepEvent], None]) -> bool:
        """Report new step events; whether the job has ended or is given up."""
        interruption.raise_if_asked()
        events, fresh = self._tail.read(self._since)
        for event in events:
            on_event(event)
        if fresh:
            self._heard = self._clock.monotonic()
            self._note_own()
        if self._over:
            return True
        if self._tail.ended is not None:
            return self._conclude()
        # Read once more, to get the last events of the script.
        self._over = self._ask()
        return False

    def _note_own(self) -> None:
        """Times recorded by the script take precedence."""
        began, submitted = self._tail.began, self._facts.submitted
        wait = began - submitted if began is not None and submitted is not None else None
        update: dict[str, object] = {
            "own_start": began,
            "own_end": self._tail.ended,
            "wait_seconds": wait,
        }
        if began is not None and self._facts.state in {"submitted", "pending"}:
            update |= {"state": "running", "raw": "", "reason": ""}
        if began is not None:
            self._seconds_since(began)
        self._keep(self._facts.model_copy(update=update))

    def _keep(self, facts: BatchFacts) -> None:
        if facts != self._facts:
            self._facts = facts
            write_facts(self._job.directory, facts)
        line = describe_state(facts)
        if line != self._reported:
            self._reported = line
            self._on_state(self._job, line)

    def _ask(self) -> bool:
        """Query the batch system if it is time; whether the job is over or given up."""
        now = self._clock.monotonic()
        running = self._tail.began is not None
        quiet = now - self._heard
        if now < self._ask_at or (running and quiet < self._patience.silent_seconds):
            return False
        answer = self._client.state(self._which)
        state = answer.state
        self._interval = min(self._interval * _SLOWER, self._patience.most_ask_seconds)
        self._ask_at = self._clock.monotonic() + self._interval
        if not answer.answered:
            return self._unheard(now)
        self._answered = now
        if state is not None and state.phase != "ended":
            self._gone = None
            self._keep(merged(self._facts, state))
            return self._overrun(quiet)
        return self._ended(answer, now)

    def _ended(self, answer: JobAnswer, now: float) -> bool:
        """The queue reports the job as ended or unknown: wait for its last events."""
        self._taken = self._taken or answer.taken
        if self._gone is None:
            self._gone = now
        patience = self._patience
        self._ask_at = self._clock.monotonic() + min(
            patience.ask_seconds, patience.grace_seconds / 3
        )
        if now - self._gone < patience.grace_seconds:
            return False
        state = self._client.account(self._which) or answer.state
        if state is not None:
            facts = merged(self._facts, state)
            if facts.state == "ok":
                reason = "its script did not complete"
                update = {"state": classify_outcome(None, "ok"), "reason": reason}
                facts = facts.model_copy(update=update)
            self._keep(facts)
            return True
        quiet = min(now - self._heard, now - self._gone)
        never = self._taken and self._tail.began is None  # and cannot begin any more
        if quiet < patience.vanish_seconds and not never:
            return False
        if self._facts.ending and not self._taken:
            self._keep(self._facts.model_copy(update=CANCELLED_BY_US))
            return True
        system, silence = self._facts.system, format_duration(now - self._heard)
        lost = f"{system} does not know it"
        if self._taken:
            lost = f"{system} has lost it and given its id to another job"
        self._vanish(f"{lost}, and it has written nothing for {silence}")
        return True

    def _vanish(self, reason: str) -> None:
        self._keep(self._facts.model_copy(update={"state": "vanished", "reason": reason}))

    def _overrun(self, quiet: float) -> bool:
        """Whether the job is overdue and silent, as on a node that died."""
        started = self._tail.began or self._facts.started
        limit = self._facts.limit_seconds or self._facts.asked_seconds
        if self._facts.state != "running" or started is None or limit is None:
            return False
        late = self._seconds_since(started) - limit
        if min(late, quiet) < self._patience.overrun_seconds:
            return False
        self._vanish(
            f"it is {format_duration(late)} over its limit and has written nothing for "
            f"{format_duration(quiet)}, though {self._facts.system} reports {self._facts.raw}"
        )
        return True

    def _seconds_since(self, started: float) -> float:
        """Seconds since the job started, by the monotonic clock if its start was seen."""
        if started not in self._starts:
            passed = max(0.0, self._clock.time() - started)
            self._starts = {started: self._clock.monotonic() - passed}
        return self._clock.monotonic() - self._starts[started]

    def _unheard(self, now: float) -> bool:
        """Without an answer nothing is concluded, unless the silence has lasted too long."""
        silence = now - self._answered
        if self._tail.began is not None and self._overrun(now - self._heard):
            return True
        reason = f"{self._facts.system} does not answer"
        if silence < self._patience.unanswered_seconds:
            self._keep(self._facts.model_copy(update={"raw": UNHEARD, "reason": reason}))
            return False
        reason += f" and has not for {format_duration(silence)}; the job may still run"
        self._keep(self._facts.model_copy(update={"raw": UNHEARD, "reason": reason}))
        return True

    def _conclude(self) -> bool:
        """The script has ended: query once for its times, or for the cause of an interruption.

        Returns:
            Whether that is known, or will not be known.
        """
        complete, now = self._tail.now.ended, self._clock.monotonic()
        if self._until is None:
            self._until = now + self._patience.grace_seconds
            if complete:
                self._keep(self._facts.model_copy(update=WELL))
        elif now < self._ask_at:
            return False
        self._last = self._client.account(self._which, ended=False) or self._last
        over = self._last is not None and self._last.phase == "ended"
        if not (complete or over or now > self._until):
            self._ask_at = self._clock.monotonic() + min(1.0, self._patience.ask_seconds)
            return False
        self._note_final(self._last or self._client.state(self._which).state)
        return True

    def _note_final(self, state: QueueState | None) -> None:
        """Keep the final state of a job whose script has ended or was interrupted."""
        facts = merged(self._facts, state) if state else self._facts
        own = self._tail.now.own(())
        became = classify_outcome(own, facts.state)
        if own != "interrupted":
            # The batch system's answer shortly after the end may still describe the time before it.
            facts = facts.model_copy(update={"state": became, "raw": "", "reason": ""})
        elif became != facts.state:
            somebody = {"state": became, "raw": "", "reason": INTERRUPTED}
            facts = facts.model_copy(update=CANCELLED_BY_US if facts.ending else somebody)
        self._keep(facts)
