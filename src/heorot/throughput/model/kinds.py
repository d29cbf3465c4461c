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
        name: how reports call it; a file of jobs that gives none has the program's last name.
        program: of Heorot, such as `npb/cg`.
        recipe: program of others, by the name of its recipe or its file.
        command: words of any other command; it is well if it exits with 0.
        ranks: MPI ranks in all; None for as many as the job's nodes take by `per_node`.
        per_node: ranks on each node; None for as many as it has cores by `threads`.
        launcher: whether `command` is started by the MPI's launcher, as so many ranks.
        output: files it has to have written, relative to its folder; missing ones are failures.
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
    """What a name of a schedule stands for.

    Attributes:
        parts: its programs, in the order they run; several make it a composite job.
        time_limit_seconds: after which it is ended; None for what the queue allows [s].
        exclusive: whether it has its nodes to itself; None for what the day says.
        queue: partition or queue; None for the site's.
        account: who pays; None for the site's.
        after: names of kinds: a job starts only after the latest earlier job of each has ended.
        think_seconds: between the end of what it waits for and its submission [s].
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
    """Short commands beside the load, one after the other with a pause between.

    Attributes:
        think_seconds: from the end of one to the start of the next [s].
        where: `here`: where Heorot runs; `job`: each as a job of the batch system, at once.
        nodes: of such a job.
    """

    name: FileName
    command: tuple[OneLine, ...] = Field(min_length=1)
    think_seconds: Seconds = 5.0
    where: Literal["here", "job"] = "here"
    nodes: PositiveInt = 1


class JobsFile(Record):
    """What a file of jobs says: `--jobs JOBS.yaml`.

    Attributes:
        jobs: what the names of a schedule stand for.
        exclusive: whether jobs that do not say so themselves have their nodes to themselves.
    """

    jobs: dict[FileName, JobKind] = Field(min_length=1)
    interactive: tuple[Interactive, ...] = ()
    exclusive: bool = False


class Arrival(Record):
    """One job of a day, before it is submitted.

    Attributes:
        serial: from 1, in the order of submission.
        label: kind and serial number, such as `adf3`.
        kind: name in the file of jobs.
        at_seconds: after the begin of the day, as it is to be run: by the time scale [s].
        after: serial numbers of the jobs that have to end first.
        line: of the schedule, from 1; None if it has no lines.
        nodes: of its own, in the place of those of its kind.
        ranks: the same of the ranks of its parts that give none.
        run_seconds: what stands for `{seconds}` in the words of its kind's commands [s].
        limit_seconds: of its own, in the place of that of its kind [s].
        think_seconds: the same of the time between the end of what it waits for and its
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
