"""What Heorot wants of a batch system, and the questions it asks, in words that all of them know.

A dialect runs nothing: it says which command to call and reads the answer. What it reads are the
words of strangers: whatever they say, it is a value and never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, Protocol, Self, TypeVar

from pydantic import Field

from heorot.jobs.facts import States
from heorot.launch.job_environment import JobEnvironment
from heorot.model.base import PositiveInt, Record, Seconds
from heorot.model.machine.site import BatchName, OneLine, SiteBatch
from heorot.process import Finished

T = TypeVar("T")
NodeWord = Literal["idle", "mixed", "allocated", "down", "drained", "unknown"]
# Data bases of accounts keep 255 characters of a name.
_MOST_NAME = 64
_OF_ALL_JOBS = ("queue", "account", "constraint", "exclusive", "directives")


class Part(Record):
    """Nodes of one kind.

    Attributes:
        nodes: how many.
        feature: what the batch system calls their kind; None for any.
        cores: of each of them, where the batch system may be asked for unlike ones in one job;
            None for so many as of all others.
    """

    nodes: PositiveInt
    feature: OneLine | None = None
    cores: PositiveInt | None = None


class Wants(Record):
    """What a job asks for.

    Attributes:
        parts: its nodes; the hosts of the first part come first.
        cores_per_node: cores of each node; None leaves it to the batch system.
        devices: how many of each node, by the words that ask for them.
        limit_seconds: after which the batch system ends the job; None takes the queue's own [s].
        queue: partition or queue.
        account: who pays.
        constraint: features that all nodes must have, in the batch system's words.
        exclusive: whether nobody else may use these nodes meanwhile.
        directives: further options of the submitting command, each as one line.
    """

    parts: tuple[Part, ...] = (Part(nodes=1),)
    cores_per_node: PositiveInt | None = None
    devices: dict[OneLine, PositiveInt] = Field(default_factory=dict)
    limit_seconds: Seconds | None = None
    queue: OneLine | None = None
    account: OneLine | None = None
    constraint: OneLine | None = None
    exclusive: bool = True
    directives: tuple[OneLine, ...] = ()

    @classmethod
    def of_site(cls, batch: SiteBatch, **own: object) -> Self:
        """What a job asks for: what the site says of all jobs, but for what is its own.

        Args:
            own: other fields, or such as stand in the place of the site's.
        """
        of_all = {name: getattr(batch, name) for name in _OF_ALL_JOBS}
        return cls.model_validate(of_all | own)

    @property
    def nodes(self) -> int:
        """Nodes of all parts."""
        return sum(part.nodes for part in self.parts)


@dataclass(frozen=True)
class Question(Generic[T]):
    """A command and how its answer is read.

    Attributes:
        argv: the command's name, without a directory, and its arguments.
        read: makes a value of what it answered, whatever that is.
        stdin: file it reads; None for none.
    """

    argv: tuple[str, ...]
    read: Callable[[Finished], T]
    stdin: Path | None = None


@dataclass(frozen=True)
class Submission:
    """What came of submitting a job.

    Attributes:
        outcome: accepted; refused for good; or unclear, as after a time-out: it may be in the
            queue all the same.
        id: of the accepted job.
        said: what the command said, one line.
    """

    outcome: Literal["accepted", "refused", "unclear"]
    id: str = ""
    said: str = ""


@dataclass(frozen=True)
class Queue:
    """A partition or queue.

    Attributes:
        name: its name.
        is_default: whether jobs go there that name none.
        accepts: whether it takes jobs and starts them.
        state: in the batch system's words.
        max_seconds: longest limit of a job; None for none known [s].
        default_seconds: limit of a job that asks for none [s].
        min_nodes, max_nodes: nodes of one job; None for no bound known.
        n_nodes: nodes that it has; None if not told.
    """

    name: str
    is_default: bool = False
    accepts: bool = True
    state: str = ""
    max_seconds: float | None = None
    default_seconds: float | None = None
    min_nodes: int | None = None
    max_nodes: int | None = None
    n_nodes: int | None = None


NAMELESS = Queue("")


def queue_of(queues: Sequence[Queue], name: str | None) -> Queue:
    """The queue that jobs go to: by its name, the default, or the only one; else one not known."""
    fitting = [each for each in queues if (each.name == name if name else each.is_default)]
    return next(iter(fitting), queues[0] if len(queues) == 1 else Queue(name or ""))


@dataclass(frozen=True)
class NodeState:
    """A node as the batch system sees it.

    Attributes:
        name: its name; empty for a row that is not understood.
        state: what it does; drained: takes no new jobs; unknown for words that we do not know.
        raw: the batch system's own words, or the row.
        cores: cores for jobs, None if not told.
        features: words that jobs ask for it by.
        queues: partitions or queues that it belongs to, as far as told.
    """

    name: str
    state: NodeWord
    raw: str = ""
    cores: int | None = None
    features: tuple[str, ...] = ()
    queues: tuple[str, ...] = field(default=())

    @property
    def takes_jobs(self) -> bool:
        """Whether it has jobs, or may get some."""
        return self.state in {"idle", "mixed", "allocated"}


class Dialect(Protocol):
    """How to talk with one batch system."""

    @property
    def system(self) -> BatchName:
        """Its name."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Commands without which nothing works."""

    @property
    def mark(self) -> str:
        """How a directive line begins, such as `#SBATCH`."""

    @property
    def own_id(self) -> str:
        """What a job's shell expands to the job's id."""

    @property
    def mute(self) -> tuple[str, ...]:
        """Beginnings of names of variables that would change what its commands answer."""

    @property
    def device_words(self) -> Mapping[str, str]:
        """The words by which jobs ask for devices, by kind; sites may have others."""

    @property
    def counts_cores(self) -> bool:
        """Whether a job has one core of each node unless it asks for more, however few use them."""
        return False

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: something that was asked for cannot be said, or holds what would be taken
                for something else.
        """

    def job_environment(self, wants: Wants) -> JobEnvironment:
        """What the job's script needs to know; its header included.

        Raises:
            UsageError: as `header`.
        """

    def notice_seconds(self, limit_seconds: float) -> float:
        """The longest notice that a job may ask for before its time limit [s]."""
        del limit_seconds
        return 0.0

    def name(self, marker: str, attempt: int) -> str:
        """The name of a job in the queue, unique for the marker and the attempt.

        A long one loses its beginning: the end of a marker is drawn at random.
        """
        return (marker if attempt <= 1 else f"{marker}.{attempt}")[-_MOST_NAME:].lstrip("-.")

    def only(self, name: str) -> tuple[str, ...]:
        """Options by which `cancel` and `interrupt` spare jobs of other names; none if unknown."""
        del name
        return ()

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        """Submit a script, to start when another job has ended if one is given by its id.

        What the batch system itself prints goes beside the script, in a file with `.out` for its
        suffix.
        """

    def query(self, ids: Sequence[str]) -> Question[States]:
        """Ask the queue about jobs."""

    def find(self, name: str) -> tuple[Question[States], ...]:
        """Questions about our own jobs with a name, those that have ended lately included."""

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """Questions about jobs that have ended, best first; what is not kept knows none."""

    def interrupt(self, job: str) -> Question[str]:
        """Ask the script of a running job to end; reads as `cancel`.

        Until it has, the job keeps its hosts, and the script reaches them.
        """

    def cancel(self, job: str) -> Question[str]:
        """Cancel a job; reads what the command complained about, one line or empty."""

    def queues(self) -> Question[tuple[Queue, ...]]:
        """Ask for all queues."""

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        """Ask for all nodes."""

    def policy(self) -> tuple[Question[str], ...]:
        """Ask for the definitions of queues and the scheduling policy, as they are shown."""
        return ()

    def inside(self, environment: Mapping[str, str]) -> str | None:
        """The id of the allocation that a process with this environment is in, if it is."""
