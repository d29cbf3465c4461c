"""What a feature of a batch system is to the check, and how one may fail to be tested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heorot.model.batch.acceptance import FeatureStatus

if TYPE_CHECKING:
    from heorot.acceptance.session.context import FeatureContext

# Alone on an idle system first; side by side; alone with a queue that is full; when all is over.
Act = Literal["quiet", "beside", "contended", "last"]


class UntestedError(Exception):
    """A feature that cannot be tested, with the reason; a verdict is made of it."""


class RefusedError(UntestedError):
    """The batch system refused a job.

    Attributes:
        said: its words.
    """

    def __init__(self, said: str) -> None:
        super().__init__(f"the batch system refused the job: {said}")
        self.said = said


class EndedError(Exception):
    """The check is to end: on request, or because its time is over."""


@dataclass(frozen=True)
class Judged:
    """What a feature came to.

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
        name: by which it is asked for.
        question: that is put to the batch system.
        jobs: how many it submits, at most.
        nodes: that its jobs take at the same time, at most; 0 for all that there are, half a node
            for jobs of one processor.
        seconds: that it may take on an idle system where jobs begin at once [s].
        starts: of its jobs that are waited for one after the other, at most: where jobs begin
            late, it takes so much longer.
        busy_seconds: for which its nodes are taken, at most [s].
        least: nodes without which it cannot be tested.
        admin: whether it needs the rights of an administrator.
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
        """Nodes that it takes at the same time, at most."""
        return min(self.nodes, granted) if self.nodes else granted


def passed(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature is there and does what it is for."""
    return Judged("passed", text, evidence, figures)


def failed(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature is to be there, and does not do what it is for."""
    return Judged("failed", text, evidence, figures)


def absent(text: str, *evidence: str, **figures: float) -> Judged:
    """The feature is not there, and is not said to be."""
    return Judged("absent", text, evidence, figures)
