"""What a batch system can do, feature by feature, with the evidence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heorot.model.base import Amount, Count, Moment, Record, Several, Span
from heorot.model.batch.states import JobState
from heorot.model.machine.site import BatchName
from heorot.model.run.request import TargetRequest

# How a feature stands: absent is said, and is no failure; untested says why.
FeatureStatus = Literal["passed", "failed", "absent", "untested"]
STATUSES: tuple[FeatureStatus, ...] = ("failed", "passed", "absent", "untested")
WORDS: dict[FeatureStatus, str] = {
    "passed": "passed",
    "failed": "failed",
    "absent": "absent",
    "untested": "not tested",
}


class CheckRequest(TargetRequest):
    """What the user asks `batch check` for.

    Attributes:
        nodes: that it may take at the same time; None for four, or as many as there are.
        minutes: that it may take [60 s].
        only: patterns of the features that are wanted; none for all.
        admin: whether it may drain nodes and declare one dead.
    """

    nodes: Several | None = None
    minutes: Amount = 10.0
    only: tuple[str, ...] = ()
    admin: bool = False


class Verdict(Record):
    """One feature.

    Attributes:
        feature: its name, by which it can be asked for.
        text: one sentence that says so.
        evidence: what was seen: times, states, what was said.
        jobs: ids of the jobs that it took, in the batch system.
        figures: of the feature, in SI units, by names that say the unit.
        seconds: that it took [s].
    """

    feature: str
    question: str
    status: FeatureStatus
    text: str
    evidence: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    figures: dict[str, float] = Field(default_factory=dict)
    seconds: Span = 0.0


class CheckedJob(Record):
    """A job of the check, by its own clock.

    Attributes:
        number: its id in the batch system; None if it was refused.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: how long that took [s].
        own_start: when its script began, by its own clock [s].
        own_end: when its script came to its end [s].
    """

    feature: str
    name: str
    number: str | None = None
    nodes: Several = 1
    submitted: Moment | None = None
    submit_seconds: Span | None = None
    own_start: Moment | None = None
    own_end: Moment | None = None
    state: JobState = "unfinished"
    hosts: tuple[str, ...] = ()


class Acceptance(Record):
    """The acceptance of a batch system; `acceptance.json`.

    Attributes:
        queue: that jobs went to; empty for the default.
        nodes: that jobs took at the same time, at most.
        minutes: that it was to take, at most.
        begun: Unix time [s].
        ended: Unix time [s].
        node_seconds: for which jobs had nodes, by their own clocks [s].
        policy: what the batch system says of its scheduling, by heading.
        cleaned: what an earlier check had left and was cleaned up, in words.
        command: the command line.
    """

    system: BatchName
    heorot_version: str
    hostname: str = ""
    queue: str = ""
    nodes: Several = 1
    minutes: float = 0.0
    begun: Moment
    ended: Moment
    node_seconds: Span = 0.0
    policy: dict[str, str] = Field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    jobs: tuple[CheckedJob, ...] = ()
    cleaned: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    def count(self, status: FeatureStatus) -> Count:
        """How many features stand so."""
        return sum(verdict.status == status for verdict in self.verdicts)

    @property
    def code(self) -> int:
        """The exit code: 1 if a feature failed."""
        return 1 if self.count("failed") else 0
