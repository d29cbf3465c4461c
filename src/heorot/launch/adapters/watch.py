"""Waits for one job of a batch system, asking as little as possible and giving up for a reason."""

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
    """How long is waited for what.

    Attributes:
        poll_seconds: between two looks at the status file [s].
        ask_seconds: between two questions to the batch system, at first [s].
        most_ask_seconds: the same, at last [s].
        silent_seconds: a running job that has written within this is not asked about [s].
        grace_seconds: what a job wrote may be seen so much later, as on NFS [s].
        vanish_seconds: silence after which a job that nobody knows has vanished [s].
        overrun_seconds: how long after its limit a job may still run [s].
        unanswered_seconds: how long the batch system may be silent about a job that waits [s].
        unsubmitted_seconds: the same about one that is being submitted [s].
        settle_seconds: a job cut off while it was submitted may appear so much later [s].
        tidy_seconds: how long a script that was asked to end may take to tidy up [s].
        cancel_seconds: how long a cancelled job may take to be gone [s].
        command_seconds: after this a command of the batch system is killed [s].
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
        self._taken = False  # whether another job has got its id
        self._tail = StatusTail(job.directory, job.steps)
        self._reported = ""
        now = self._clock.monotonic()
        self._heard = now  # of the script
        self._answered = now  # by the batch system
        self._ask_at, self._interval = now, patience.ask_seconds
        self._gone: float | None = None  # since when the batch system holds it for ended
        self._over = False  # nothing more will be asked about it
        self._last: QueueState | None = None  # what was told since the script has ended
        self._until: float | None = None  # so long that may still come
        self._starts: dict[float, float] = {}  # by the monotonic clock

    @property
    def facts(self) -> BatchFacts:
        return self._facts

    def follow(self, on_event: Callable[[StepEvent], None]) -> None:
        """Report every step event until the job has ended or is given up."""
        while not self.look(on_event):
            self._clock.sleep(self._patience.poll_seconds)

    def look(self, on_event: Callable[[StepEvent], None]) -> bool:
        """Report the step events that are new; whether the job has ended or is given up."""
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
        # What the script wrote last before it went is read once more.
        self._over = self._ask()
        return False

    def _note_own(self) -> None:
        """The script's own times win over all others."""
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
        """Ask the batch system if it is time to; whether the job is over or given up."""
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
        """The queue holds the job for ended, or does not know it: wait for its last words."""
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
        never = self._taken and self._tail.began is None  # and never will
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
        """Whether the job should have ended long ago and says nothing, as on a node that died."""
        started = self._tail.began or self._facts.started
        limit = self._facts.limit_seconds or self._facts.asked_seconds
        if self._facts.state != "running" or started is None or limit is None:
            return False
        late = self._seconds_since(started) - limit
        if min(late, quiet) < self._patience.overrun_seconds:
            return False
        self._vanish(
            f"it is {format_duration(late)} over its limit and has written nothing for "
            f"{format_duration(quiet)}, though {self._facts.system} says {self._facts.raw}"
        )
        return True

    def _seconds_since(self, started: float) -> float:
        """Seconds since the job started, by a clock that nobody sets once that is known."""
        if started not in self._starts:
            passed = max(0.0, self._clock.time() - started)
            self._starts = {started: self._clock.monotonic() - passed}
        return self._clock.monotonic() - self._starts[started]

    def _unheard(self, now: float) -> bool:
        """There was no answer: no news of the job, unless that has lasted for very long."""
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
        """The script has ended: ask once for the times, or why if it was interrupted.

        Returns:
            Whether that is known, or will not be.
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
        self._settle(self._last or self._client.state(self._which).state)
        return True

    def _settle(self, state: QueueState | None) -> None:
        """Keep how a job ended whose script came to an end or was interrupted."""
        facts = merged(self._facts, state) if state else self._facts
        own = self._tail.now.own(())
        became = classify_outcome(own, facts.state)
        if own != "interrupted":
            # What the batch system says a moment after the end may be of before it, or not.
            facts = facts.model_copy(update={"state": became, "raw": "", "reason": ""})
        elif became != facts.state:
            somebody = {"state": became, "raw": "", "reason": INTERRUPTED}
            facts = facts.model_copy(update=CANCELLED_BY_US if facts.ending else somebody)
        self._keep(facts)
