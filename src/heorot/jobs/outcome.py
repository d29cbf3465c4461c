"""Classifies the outcome of a job: by its own files first, then accounts, then the queue.

Evaluation, throughput and acceptance all use it. The record of a script takes precedence: batch
systems report a job as failed that ended on request, and their latest report is only as recent as
the process that stored it.
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

# Reports that explain an interrupted script, and reports on a silent one.
_INTERRUPTED: Mapping[BatchState | None, JobState] = {
    "failed": "failed",
    "timeout": "timeout",
    "node_fail": "node_fail",
    "cancelled": "cancelled",
}
_SILENT: Mapping[BatchState | None, JobState] = {
    **_INTERRUPTED,
    "ok": "failed",  # it did not reach its end
    "rejected": "rejected",
    "vanished": "vanished",
}


def classify_outcome(
    own: Own | None, reported: BatchState | None, *, gave_up: bool = False
) -> JobState:
    """The final state of a job.

    Args:
        own: its end as recorded by its script; None without such a record.
        reported: latest state in the accounts, else in the queue; None without a report.
        gave_up: whether the script complained that it stopped, perhaps in an earlier run.
    """
    if own == "interrupted":
        return _INTERRUPTED.get(reported, "cancelled")
    if own is not None:
        return own
    if gave_up and reported in {None, "vanished"}:
        return "failed"
    return _SILENT.get(reported, "unfinished")


def has_ended(directory: Path, steps: Collection[str]) -> bool:
    """Whether a job has no steps left to run, whatever its script complained about."""
    return read_status(directory).own(steps) == "ok"


@dataclass(frozen=True)
class JobEnd:
    """The outcome of a job, by its files.

    Attributes:
        facts: of its batch system; None without one, or if unreadable.
        steps: ids of its steps; empty if unknown.
        scheduled: state by another scheduler; None without one, or if unknown.
    """

    status: JobStatus
    facts: BatchFacts | None
    steps: tuple[str, ...]
    scheduled: BatchState | None = None

    @property
    def name(self) -> str:
        """Such as `J0001`."""
        return self.status.directory.name

    @property
    def state(self) -> JobState:
        """The final state."""
        own = self.status.own(self.steps)
        return classify_outcome(own, self._heard, gave_up=self.status.gave_up)

    @property
    def _news(self) -> BatchFacts | None:
        """Facts of its batch system, unless older than the latest start of the script."""
        known = self.facts.own_start if self.facts else None
        begun = self.status.last_begun
        return None if begun is not None and known is not None and begun > known else self.facts

    @property
    def _heard(self) -> BatchState | None:
        news = self._news
        return news.state if news else "running" if self.facts else self.scheduled

    @property
    def ended_by_system(self) -> bool:
        """Whether its batch system ended it, for reasons outside its script."""
        ended = self.state not in {"ok", "rejected", "unfinished"}
        return self.facts is not None and ended and not self.status.complaint

    @property
    def record(self) -> dict[str, Any]:
        """Common fields of all records of a job, by name."""
        facts = self.facts
        found = {"hosts": self.status.allocated, "fate": self.state, "why": self.why}
        if facts is None:
            return found
        number = one_line(facts.id) if facts.id else None
        words = {name: one_line(getattr(facts, name)) for name in ("queue", "raw", "reason")}
        times = {"submitted": facts.submitted, "submit_seconds": facts.submit_seconds}
        return found | {"number": number} | words | times

    def failure_reason(self, subject: str) -> str:
        """A clause on why the subject did not end well; empty if it did."""
        if self.state == "ok":
            return ""
        return one_line(clause(self.state, self.status, self._news, self._heard, subject))

    @property
    def why(self) -> str:
        """Why it did not end well, its script's complaint first; empty if it did."""
        own = self.status.complaint if self.state != "ok" else ""
        return "; ".join(filter(None, (own, self.failure_reason("it"))))


def read_end(
    directory: Path, steps: Collection[str], scheduled: BatchState | None = None
) -> JobEnd:
    """The outcome of the job of a directory; arguments as in `JobEnd`."""
    return JobEnd(read_status(directory), read_facts(directory), tuple(steps), scheduled)
