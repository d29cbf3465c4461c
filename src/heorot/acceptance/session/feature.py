"""Features of a batch system as the check sees them, and errors of their tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heorot.model.batch.acceptance import FeatureStatus

if TYPE_CHECKING:
    from heorot.acceptance.session.context import FeatureContext

# First, one by one on an idle system; concurrently; one by one with a full queue; at the end.
Act = Literal["quiet", "beside", "contended", "last"]


class UntestedError(Exception):
    """A feature cannot be tested; the reason becomes its verdict."""


class RefusedError(UntestedError):
    """The batch system refused a job.

    Attributes:
        answer: its message.
    """

    def __init__(self, answer: str) -> None:
        super().__init__(f"the batch system refused the job: {answer}")
        self.answer = answer


class EndedError(Exception):
    """The check must end: on request, or at its time limit."""


@dataclass(frozen=True)
class Judged:
    """Result of a feature's test.

    Attributes:
        text: one sentence.
        figures: in SI units.
    """

    status: FeatureStatus
    text: str
    evidence: tuple[str, ...] = ()
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Feature:
    """One feature.

    Attributes:
        name: for selection.
        question: that the test answers.
        jobs: maximum number of jobs.
        nodes: maximum number of nodes at a time; 0 for all, 0.5 for jobs of one processor.
        seconds: maximum duration on an idle system with immediate starts [s].
        starts: maximum number of successive job starts: where jobs start late, the duration grows
            by as many delays.
        busy_seconds: maximum time for which its nodes are in use [s].
        least: minimum number of nodes.
        admin: whether it needs administrator rights.
    """

    name: str
    question: str
    check: Callable[[FeatureContext], Judged]
    act: Act = "beside"
    jobs: int = 1
    nodes: float = 0.5
    seconds: float = 20.0
    starts: int = 1
    busy_seconds: float = 5.0
    least: int = 1
    admin: bool = False

    def takes(self, granted: int) -> float:
        """Maximum number of nodes at a time."""
        return min(self.nodes, granted) if self.nodes else granted


def passed(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature exists and works."""
    return Judged("passed", text, evidence, figures)


def failed(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature should exist, and does not work."""
    return Judged("failed", text, evidence, figures)


def absent(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature does not exist, and is not configured."""
    return Judged("absent", text, evidence, figures)
