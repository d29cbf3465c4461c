"""Actions on a batch system beyond running jobs, for users and administrators.

A dialect has the commands that every job needs; these are for acceptance checks. None means that
the command is not known; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heorot.launch.batch.dialect import Question
from heorot.launch.batch.parsing import complaint_of, one_line
from heorot.process import Finished

# Of a pending job: hold it, release it. Of a node: drain it, declare it down with its jobs,
# return it to service.
Action = Literal["hold", "release", "drain", "fail", "resume"]
Option = Literal[
    "held",  # not started until it is released
    "after ok",  # after the success of another job
    "after any",  # after the end of another job
    "array",  # tasks 1 to the last one
    "memory",  # limit on each node [MiB]
    "less urgent",  # lower priority than equal jobs
    "later",  # eligible in an hour
    "requeue",  # requeued when its node fails
    "nodes",  # on these nodes
    "apart",  # separator of heterogeneous components
]


@dataclass(frozen=True)
class Holding:
    """The allocation or reservation of a job, as reported by the batch system.

    Attributes:
        nodes: how many nodes; None if unknown.
        cpus: how many processors on all of them; None if unknown.
        planned: Unix time at which a pending job is to start; None without a reservation [s].
        restarts: how often it was requeued; None if unknown.
    """

    nodes: int | None = None
    cpus: int | None = None
    planned: float | None = None
    restarts: int | None = None


@dataclass(frozen=True)
class Policy:
    """The reported scheduling policy of a batch system.

    Attributes:
        lines: settings by name.
        backfills: whether it backfills; None if unknown.
        fair_share: whether it uses fair shares; None if unknown.
    """

    lines: Mapping[str, str] = field(default_factory=dict)
    backfills: bool | None = None
    fair_share: bool | None = None


class Controls:
    """The known commands and directives of one batch system; none by default.

    A directive may also be a part of the request for nodes, such as `mem=64mb`: it has no leading
    dash, and parts for several nodes are joined by `+`.

    Args:
        commands: command words of each action; `@` stands for the job or the node.
        directives: by option; `@` stands for its value.

    Attributes:
        index: variable of a task's index in an array; empty if not known.
        granted: shell text that expands to the processors of the job on each node.
        parts: command that prints the allocation of each heterogeneous component; empty if unknown.
        mixes: whether the components of one request may differ in numbers of processors.
    """

    index: str = ""
    granted: str = ""
    parts: str = ""
    mixes: bool = False

    def __init__(
        self,
        commands: Mapping[Action, tuple[str, ...]] | None = None,
        directives: Mapping[Option, str] | None = None,
    ) -> None:
        self._commands, self._directives = commands or {}, directives or {}

    def act(self, what: Action, on: str) -> Question[str] | None:
        """Apply an action to a job or a node; reads a complaint, one line or empty."""
        words = self._commands.get(what)
        return Question(tuple(w.replace("@", on) for w in words), complaint) if words else None

    def option(self, what: Option, about: object = "") -> str | None:
        """The directive of an option."""
        text = self._directives.get(what)
        return text.replace("@", str(about)) if text else None

    def on_nodes(self, names: Sequence[str]) -> str | None:
        """The directive that requests these nodes."""
        return self.option("nodes", ",".join(names))

    def reasons(self) -> Question[tuple[str, ...]] | None:
        """Query why nodes take no jobs; reads one line for each."""
        return None

    def holding(self, job: str) -> Question[Holding] | None:
        """Query the allocation of a job."""
        del job
        return None

    def interactive(
        self, name: str, options: Sequence[str], asked: Sequence[str]
    ) -> tuple[str, ...] | None:
        """The words before a command that runs as an interactive job with one processor.

        Args:
            options: further options of the site for that command.
            asked: requests of a job script, as options of the submitting command.
        """
        del name, options, asked
        return None

    def policy(self) -> Question[Policy] | None:
        """Query the scheduling policy."""
        return None


def complaint(answer: Finished) -> str:
    """The complaint of a command, one line; empty if there is none."""
    return "" if answer.ok else complaint_of(answer)


def read_split_reasons(answer: Finished) -> tuple[str, ...]:
    """Nodes and the reasons why they take no jobs, from rows separated by `|`."""
    return tuple(one_line(line.replace("|", ": ", 1)) for line in answer.out.splitlines() if line)
