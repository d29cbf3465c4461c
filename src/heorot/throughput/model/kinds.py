"""Job classes of a throughput test, and each job before its submission."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heorot.model.base import FileName, PositiveInt, Record, Seconds, VariableName
from heorot.model.machine.site import OneLine


class Part(Record):
    """One program of a job.

    Exactly one of `program`, `recipe` and `command` is given.

    Attributes:
        name: in reports; by default the last name of the program.
        program: of Heorot, such as `npb/cg`.
        recipe: third-party program, by the name of its recipe or its file.
        command: words of any other command; exit code 0 is success.
        ranks: number of MPI ranks; None for as many as the job's nodes hold by `per_node`.
        per_node: ranks on each node; None for as many as its cores hold by `threads`.
        launcher: whether the MPI's launcher starts `command`, with that number of ranks.
        output: files that it must write, relative to its folder; a missing one is a failure.
    """

    name: FileName | None = None
    program: str | None = None
    recipe: str | None = None
    command: tuple[OneLine, ...] | None = None
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)
    ranks: PositiveInt | None = None
    per_node: PositiveInt | None = None
    threads: PositiveInt = 1
    launcher: bool = False
    output: tuple[OneLine, ...] = ()
    environment: dict[VariableName, OneLine] = Field(default_factory=dict)


class JobKind(Record):
    """A job class: the jobs that a name of a schedule stands for.

    Attributes:
        parts: its programs in order; several make a composite job.
        time_limit_seconds: None for the limit of the queue [s].
        exclusive: whether its jobs have their nodes to themselves; None for the test's default.
        queue: partition or queue; None for the site's.
        account: charged account; None for the site's.
        after: names of classes: a job starts only after the latest earlier job of each has ended.
        think_seconds: between the end of these and its submission [s].
    """

    parts: tuple[Part, ...] = Field(min_length=1)
    nodes: PositiveInt = 1
    time_limit_seconds: Seconds | None = None
    exclusive: bool | None = None
    queue: OneLine | None = None
    account: OneLine | None = None
    after: tuple[str, ...] = ()
    think_seconds: Seconds = 0.0

    @property
    def is_composite(self) -> bool:
        """Whether it has several programs."""
        return len(self.parts) > 1


class Interactive(Record):
    """Short commands during the load, in sequence with pauses.

    Attributes:
        think_seconds: from the end of one to the start of the next [s].
        where: `here`: on the host of Heorot; `job`: each as an immediate job of the batch system.
        nodes: of each such job.
    """

    name: FileName
    command: tuple[OneLine, ...] = Field(min_length=1)
    think_seconds: Seconds = 5.0
    where: Literal["here", "job"] = "here"
    nodes: PositiveInt = 1


class JobsFile(Record):
    """Content of a file of jobs: `--jobs JOBS.yaml`.

    Attributes:
        jobs: job classes by the names of a schedule.
        exclusive: default of `exclusive` of the job classes.
    """

    jobs: dict[FileName, JobKind] = Field(min_length=1)
    interactive: tuple[Interactive, ...] = ()
    exclusive: bool = False


class Arrival(Record):
    """One job of a test before its submission.

    Attributes:
        serial: from 1, in the order of submission.
        label: class and serial number, such as `adf3`.
        kind: name in the file of jobs.
        at_seconds: time of submission after the begin of the test, by the time scale [s].
        after: serial numbers of the jobs that must end first.
        line: of the schedule, from 1; None if it has no lines.
        nodes: overrides the nodes of its class.
        ranks: overrides the ranks of its parts that give none.
        run_seconds: value of `{seconds}` in the commands of its class [s].
        limit_seconds: overrides the time limit of its class [s].
        think_seconds: overrides the time of its class between the end of its predecessors and its
            submission [s].
    """

    serial: PositiveInt
    label: str
    kind: str
    at_seconds: Seconds
    after: tuple[PositiveInt, ...] = ()
    line: PositiveInt | None = None
    nodes: PositiveInt | None = None
    ranks: PositiveInt | None = None
    run_seconds: Seconds | None = None
    limit_seconds: Seconds | None = None
    think_seconds: Seconds | None = None
