"""What users and administrators can do with a batch system beyond running jobs.

A dialect says what every job needs; this is what an acceptance tries. None stands for "not known
how": nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heorot.launch.batch.dialect import Question
from heorot.launch.batch.parsing import complaint_of, one_line
from heorot.process import Finished

# A job that waits: keep it from starting, let it start. A node: give it no new jobs, declare it
# dead with what runs on it, give it jobs again.
Action = Literal["hold", "release", "drain", "fail", "resume"]
Option = Literal[
    "held",  # not started until it is released
    "after ok",  # behind the success of another job
    "after any",  # behind its end
    "array",  # tasks 1 to the last one
    "memory",  # no more on each node [MiB]
    "less urgent",  # behind others of its kind
    "later",  # in an hour
    "requeue",  # again when its node fails
    "nodes",  # on these
    "apart",  # the line between the directives of unlike parts of one job
]


@dataclass(frozen=True)
class Holding:
    """What a job has, or is promised, as the batch system tells.

    Attributes:
        nodes: how many nodes; None if not told.
        cpus: how many processors on all of them; None if not told.
        planned: when a job that waits is to start, Unix time; None for no reservation [s].
        restarts: how often it was put back into the queue; None if not told.
    """

    nodes: int | None = None
    cpus: int | None = None
    planned: float | None = None
    restarts: int | None = None


@dataclass(frozen=True)
class Policy:
    """How a batch system schedules, as it says.

    Attributes:
        lines: settings by name.
        backfills: whether it says that it backfills; None if it says nothing about it.
        fair_share: the same of fair shares.
    """

    lines: Mapping[str, str] = field(default_factory=dict)
    backfills: bool | None = None
    fair_share: bool | None = None


class Controls:
    """What is known of one batch system: of one that is not known here, nothing.

    What is called a directive here may be words of the request for nodes instead, such as
    `mem=64mb`: they have no dash at the front, and those of several nodes have `+` between.

    Args:
        commands: words of each action; `@` is the job or the node.
        directives: by option; `@` is what it is about.

    Attributes:
        index: variable of a task's index in an array; empty if not known.
        granted: what a job's shell expands to the processors it has on each node.
        parts: command by which it says what the unlike parts of its job have; empty if not known.
        mixes: whether the parts of one request may have unlike numbers of processors.
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
        """Do something to a job or a node; reads a complaint, one line or empty."""
        words = self._commands.get(what)
        return Question(tuple(w.replace("@", on) for w in words), complaint) if words else None

    def option(self, what: Option, about: object = "") -> str | None:
        """The directive by which something is asked for."""
        text = self._directives.get(what)
        return text.replace("@", str(about)) if text else None

    def on_nodes(self, names: Sequence[str]) -> str | None:
        """The directive that has a job run on these nodes."""
        return self.option("nodes", ",".join(names))

    def reasons(self) -> Question[tuple[str, ...]] | None:
        """Ask why nodes take no jobs; reads one line for each."""
        return None

    def holding(self, job: str) -> Question[Holding] | None:
        """Ask what a job has."""
        del job
        return None

    def interactive(
        self, name: str, options: Sequence[str], asked: Sequence[str]
    ) -> tuple[str, ...] | None:
        """The words before a command that has a processor given to it and runs while one waits.

        Args:
            options: of the command that runs it, as far as the site wants more.
            asked: what a script would ask for, as options of the submitting command.
        """
        del name, options, asked
        return None

    def policy(self) -> Question[Policy] | None:
        """Ask how jobs are scheduled."""
        return None


def complaint(answer: Finished) -> str:
    """What a command complained about, one line, empty if it did not."""
    return "" if answer.ok else complaint_of(answer)


def read_split_reasons(answer: Finished) -> tuple[str, ...]:
    """Nodes and why they take no jobs, of rows with a bar between."""
    return tuple(one_line(line.replace("|", ": ", 1)) for line in answer.out.splitlines() if line)
