"""Decides what became of a job: its own files first, then accounts, then the queue.

Evaluation, throughput and acceptance all ask here. What a script has written is never overruled:
batch systems call a job failed that ended when it was asked to, and what they said last is kept in
a file that is as old as whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heorot.jobs.clauses import clause
from heorot.jobs.events import Own
from heorot.jobs.facts import BatchFacts, BatchState, read_facts
from heorot.jobs.status import JobStatus, read_status
from heorot.model.batch.states import JobState
from heorot.printable import one_line

# What others say of a script that was interrupted, which is why; and of one that says nothing.
_INTERRUPTED: Mapping[BatchState | None, JobState] = {
    "failed": "failed",
    "timeout": "timeout",
    "node_fail": "node_fail",
    "cancelled": "cancelled",
}
_SILENT: Mapping[BatchState | None, JobState] = {
    **_INTERRUPTED,
    "ok": "failed",  # it did not come to its end
    "rejected": "rejected",
    "vanished": "vanished",
}


def classify_outcome(
    own: Own | None, reported: BatchState | None, *, gave_up: bool = False
) -> JobState:
    """What became of a job.

    Args:
        own: how its script says that it ended; None if it does not.
        reported: what accounts or else the queue said last; None if nobody said anything.
        gave_up: whether the script complained that it stopped, which may have been an earlier time.
    """
    if own == "interrupted":
        return _INTERRUPTED.get(reported, "cancelled")
    if own is not None:
        return own
    if gave_up and reported in {None, "vanished"}:
        return "failed"
    return _SILENT.get(reported, "unfinished")


def has_ended(directory: Path, steps: Collection[str]) -> bool:
    """Whether nothing of a job is left to run, whatever its script complained about."""
    return read_status(directory).own(steps) == "ok"


@dataclass(frozen=True)
class JobEnd:
    """What became of a job, by its files.

    Attributes:
        facts: what its batch system told; None without one, or if that cannot be read.
        steps: ids of its steps; none if nobody says.
        said: the same of whoever else gave it its nodes; None if nobody did, or does not know.
    """

    status: JobStatus
    facts: BatchFacts | None
    steps: tuple[str, ...]
    said: BatchState | None = None

    @property
    def name(self) -> str:
        """Such as `J0001`."""
        return self.status.directory.name

    @property
    def state(self) -> JobState:
        """What became of it."""
        own = self.status.own(self.steps)
        return classify_outcome(own, self._heard, gave_up=self.status.gave_up)

    @property
    def _news(self) -> BatchFacts | None:
        """What its batch system told, unless that was before the script was started again."""
        known = self.facts.own_start if self.facts else None
        begun = self.status.last_begun
        return None if begun is not None and known is not None and begun > known else self.facts

    @property
    def _heard(self) -> BatchState | None:
        news = self._news
        return news.state if news else "running" if self.facts else self.said

    @property
    def ended_by_system(self) -> bool:
        """Whether its batch system ended it, for reasons that are no fault of its script."""
        ended = self.state not in {"ok", "rejected", "unfinished"}
        return self.facts is not None and ended and not self.status.complaint

    @property
    def record(self) -> dict[str, Any]:
        """What all records of a job say of it, by the names of their fields."""
        facts = self.facts
        found = {"hosts": self.status.allocated, "fate": self.state, "why": self.why}
        if facts is None:
            return found
        number = one_line(facts.id) if facts.id else None
        words = {name: one_line(getattr(facts, name)) for name in ("queue", "raw", "reason")}
        times = {"submitted": facts.submitted, "submit_seconds": facts.submit_seconds}
        return found | {"number": number} | words | times

    def failure_reason(self, subject: str) -> str:
        """A clause about what became of the subject, if it did not end well; empty if it did."""
        if self.state == "ok":
            return ""
        return one_line(clause(self.state, self.status, self._news, self._heard, subject))

    @property
    def why(self) -> str:
        """Why it did not end well, its script's own complaint first; empty if it did."""
        own = self.status.complaint if self.state != "ok" else ""
        return "; ".join(filter(None, (own, self.failure_reason("it"))))


def read_end(directory: Path, steps: Collection[str], said: BatchState | None = None) -> JobEnd:
    """What became of the job of a directory; the others as in `JobEnd`."""
    return JobEnd(read_status(directory), read_facts(directory), tuple(steps), said)
