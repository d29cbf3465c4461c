"""Results of the acceptance check of a batch system: features with evidence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heorot.model.base import Count, NonNegative, PositiveInt, Record, Seconds, UnixTime
from heorot.model.batch.states import JobState
from heorot.model.machine.site import BatchName
from heorot.model.run.request import TargetRequest

# States of a feature: an absent one is reported and is not a failure; an untested one has a reason.
FeatureStatus = Literal["passed", "failed", "absent", "untested"]
STATUSES: tuple[FeatureStatus, ...] = ("failed", "passed", "absent", "untested")
WORDS: dict[FeatureStatus, str] = {
    "passed": "passed",
    "failed": "failed",
    "absent": "absent",
    "untested": "not tested",
}


class CheckRequest(TargetRequest):
    """Request of `batch check`.

    Attributes:
        nodes: largest number of nodes in use; None for four, or all if there are fewer.
        minutes: time limit of the check [60 s].
        only: patterns of the features to check; empty for all.
        admin: whether it may drain nodes and declare one dead.
    """

    nodes: PositiveInt | None = None
    minutes: NonNegative = 10.0
    only: tuple[str, ...] = ()
    admin: bool = False


class Verdict(Record):
    """The verdict on one feature.

    Attributes:
        feature: its name on the command line.
        text: the verdict in one sentence.
        evidence: observed times, states and messages.
        jobs: ids of its jobs in the batch system.
        figures: measured values in SI units, by names that include the unit.
        seconds: duration of the check of the feature [s].
    """

    feature: str
    question: str
    status: FeatureStatus
    text: str
    evidence: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    figures: dict[str, float] = Field(default_factory=dict)
    seconds: Seconds = 0.0


class CheckedJob(Record):
    """A job of the check.

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
    nodes: PositiveInt = 1
    submitted: UnixTime | None = None
    submit_seconds: Seconds | None = None
    own_start: UnixTime | None = None
    own_end: UnixTime | None = None
    state: JobState = "unfinished"
    hosts: tuple[str, ...] = ()


class Acceptance(Record):
    """The acceptance of a batch system; `acceptance.json`.

    Attributes:
        queue: the queue of its jobs; empty for the default.
        nodes: largest number of nodes in use at the same time.
        minutes: time limit of the check [60 s].
        begun: Unix time [s].
        ended: Unix time [s].
        node_seconds: node time of its jobs, by their own clocks [s].
        policy: scheduling policy as the batch system reports it, by heading.
        cleaned: remains of an earlier check that were cleaned up, in words.
        command: the command line.
    """

    system: BatchName
    heorot_version: str
    hostname: str = ""
    queue: str = ""
    nodes: PositiveInt = 1
    minutes: float = 0.0
    begun: UnixTime
    ended: UnixTime
    node_seconds: Seconds = 0.0
    policy: dict[str, str] = Field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    jobs: tuple[CheckedJob, ...] = ()
    cleaned: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    def count(self, status: FeatureStatus) -> Count:
        """Number of features in a state."""
        return sum(verdict.status == status for verdict in self.verdicts)

    @property
    def code(self) -> int:
        """The exit code: 1 if a feature failed."""
        return 1 if self.count("failed") else 0
