"""Interface to a batch system: requests and queries in terms common to all of them.

A dialect runs nothing: it returns a command and reads the answer. Answers are foreign text: any
text becomes a value, never an exception.
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
# Accounting databases keep 255 characters of a name.
_MOST_NAME = 64
_OF_ALL_JOBS = ("queue", "account", "constraint", "exclusive", "directives")


class Part(Record):
    """Nodes of one type.

    Attributes:
        nodes: how many.
        feature: the batch system's name for their type; None for any.
        cores: cores requested on each, where the batch system allows different numbers in one job;
            None for the same number as on all others.
    """

    nodes: PositiveInt
    feature: OneLine | None = None
    cores: PositiveInt | None = None


class Wants(Record):
    """The resources that a job requests.

    Attributes:
        parts: its nodes; the hosts of the first part come first.
        cores_per_node: cores of each node; None leaves it to the batch system.
        devices: how many of each node, by the batch system's name for them.
        limit_seconds: after which the batch system ends the job; None takes the queue's own [s].
        queue: partition or queue.
        account: account that is charged.
        constraint: features that all nodes must have, in the batch system's words.
        exclusive: whether no other job may use these nodes meanwhile.
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
        """The request of a job: the site's settings, with some replaced.

        Args:
            own: fields that are added or replace the site's.
        """
        of_all = {name: getattr(batch, name) for name in _OF_ALL_JOBS}
        return cls.model_validate(of_all | own)

    @property
    def nodes(self) -> int:
        """Nodes of all parts."""
        return sum(part.nodes for part in self.parts)


@dataclass(frozen=True)
class Question(Generic[T]):
    """A command and the reader of its answer.

    Attributes:
        argv: the command's name, without a directory, and its arguments.
        read: makes a value of its answer, of any text.
        stdin: file it reads; None for none.
    """

    argv: tuple[str, ...]
    read: Callable[[Finished], T]
    stdin: Path | None = None


@dataclass(frozen=True)
class Submission:
    """The result of submitting a job.

    Attributes:
        outcome: accepted; refused for good; or unclear, as after a timeout: the job may be in the
            queue.
        id: of the accepted job.
        message: complaint of the command, one line.
    """

    outcome: Literal["accepted", "refused", "unclear"]
    id: str = ""
    message: str = ""


@dataclass(frozen=True)
class Queue:
    """A partition or queue.

    Attributes:
        name: its name.
        is_default: whether jobs that name no queue go there.
        accepts: whether it takes jobs and starts them.
        state: in the batch system's words.
        max_seconds: longest limit of a job; None for none known [s].
        default_seconds: limit of a job that asks for none [s].
        min_nodes, max_nodes: nodes of one job; None for no bound known.
        n_nodes: its nodes; None if unknown.
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
    """The queue of jobs: named, the default, or the only one; else one without properties."""
    fitting = [each for each in queues if (each.name == name if name else each.is_default)]
    return next(iter(fitting), queues[0] if len(queues) == 1 else Queue(name or ""))


@dataclass(frozen=True)
class NodeState:
    """A node as the batch system sees it.

    Attributes:
        name: its name; empty for a row that is not understood.
        state: its state; drained: takes no new jobs; unknown for words that are not understood.
        raw: the batch system's own words, or the row.
        cores: cores for jobs, None if unknown.
        features: features by which jobs request it.
        queues: its partitions or queues, as far as known.
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
    """Commands and answers of one batch system."""

    @property
    def system(self) -> BatchName:
        """Its name."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The required commands."""

    @property
    def mark(self) -> str:
        """The prefix of a directive line, such as `#SBATCH`."""

    @property
    def own_id(self) -> str:
        """Shell text that expands to the job's id within a job."""

    @property
    def mute(self) -> tuple[str, ...]:
        """Prefixes of environment variables that would change the answers of its commands."""

    @property
    def device_words(self) -> Mapping[str, str]:
        """The resource names for devices, by kind; sites may use others."""

    @property
    def counts_cores(self) -> bool:
        """Whether a job has one core per node unless it requests more."""
        return False

    def header(self, wants: Wants) -> tuple[str, ...]:
        """Directive lines.

        Raises:
            UsageError: a request that its options cannot express, or characters with a special
                meaning.
        """

    def job_environment(self, wants: Wants) -> JobEnvironment:
        """Environment of the job's script, its header included.

        Raises:
            UsageError: as `header`.
        """

    def notice_seconds(self, limit_seconds: float) -> float:
        """The longest warning time before its time limit that a job may request [s]."""
        del limit_seconds
        return 0.0

    def name(self, marker: str, attempt: int) -> str:
        """The name of a job in the queue, unique for the marker and the attempt.

        A long name loses its beginning: the end of a marker is random.
        """
        return (marker if attempt <= 1 else f"{marker}.{attempt}")[-_MOST_NAME:].lstrip("-.")

    def only(self, name: str) -> tuple[str, ...]:
        """Options by which `cancel` and `interrupt` spare jobs of other names, if supported."""
        del name
        return ()

    def submit(self, script: Path, name: str, after: str | None = None) -> Question[Submission]:
        """Submit a script; with `after`, it starts when the job of that id has ended.

        The batch system's own output goes to a file next to the script, with the suffix `.out`.
        """

    def query(self, ids: Sequence[str]) -> Question[States]:
        """Query the queue about jobs."""

    def find(self, name: str) -> tuple[Question[States], ...]:
        """Queries for our own jobs with a name, including jobs that ended recently."""

    def account(self, ids: Sequence[str]) -> tuple[Question[States], ...]:
        """Queries about jobs that have ended, best first; empty without job history."""

    def interrupt(self, job: str) -> Question[str]:
        """Signal the script of a running job to end; reads as `cancel`.

        The job keeps its hosts until then, so that the script reaches them.
        """

    def cancel(self, job: str) -> Question[str]:
        """Cancel a job; reads the complaint of the command, one line or empty."""

    def queues(self) -> Question[tuple[Queue, ...]]:
        """Query all queues."""

    def nodes(self) -> Question[tuple[NodeState, ...]]:
        """Query all nodes."""

    def policy(self) -> tuple[Question[str], ...]:
        """Query the definitions of queues and the scheduling policy, as plain text."""
        return ()

    def inside(self, environment: Mapping[str, str]) -> str | None:
        """The id of the allocation of a process with this environment; None outside of one."""
