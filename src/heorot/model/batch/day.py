"""A day of batch work: what it consists of, and what became of each job."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from heorot.model.base import Count, FileName, Moment, Record, Several, Span, VariableName
from heorot.model.machine.site import OneLine

DayFate = Literal[
    "ok",
    "failed",
    "timeout",
    "node_fail",
    "rejected",
    "cancelled",
    "vanished",
    "unfinished",
]
"""How a job ended, or unfinished: it still waits or runs. Vanished: nobody knows it any more and
its script is silent."""


class Part(Record):
    """One program of a job.

    Exactly one of `program`, `recipe` and `command` is given.

    Attributes:
        name: how reports call it; the program's last name if left out.
        program: of Heorot, such as `npb/cg`.
        recipe: program of others, by the name of its recipe or its file.
        command: words of any other command; it is well if it exits with 0.
        options: of the program or recipe.
        ranks: MPI ranks in all; None for as many as the job's nodes take by `per_node`.
        per_node: ranks on each node; None for as many as it has cores by `threads`.
        threads: of each rank.
        launcher: whether `command` is started by the MPI's launcher, as so many ranks.
        output: files it has to have written, relative to its folder; missing ones are failures.
        environment: variables for it.
    """

    name: FileName | None = None
    program: str | None = None
    recipe: str | None = None
    command: tuple[OneLine, ...] | None = None
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)
    ranks: Several | None = None
    per_node: Several | None = None
    threads: Several = 1
    launcher: bool = False
    output: tuple[OneLine, ...] = ()
    environment: dict[VariableName, OneLine] = Field(default_factory=dict)


class JobKind(Record):
    """What a name of a schedule stands for.

    Attributes:
        parts: its programs, in the order they run; several make it a composite job.
        nodes: that it takes.
        time_limit_seconds: after which it is ended; None for what the queue allows [s].
        exclusive: whether it has its nodes to itself; None for what the day says.
        queue: partition or queue; None for the site's.
        account: who pays; None for the site's.
        stop_at_failure: whether the parts after one that failed are left out.
        after: names of kinds: a job starts only after the latest earlier job of each has ended.
        think_seconds: between the end of what it waits for and its submission [s].
    """

    parts: tuple[Part, ...] = Field(min_length=1)
    nodes: Several = 1
    time_limit_seconds: Span | None = None
    exclusive: bool | None = None
    queue: OneLine | None = None
    account: OneLine | None = None
    stop_at_failure: bool = False
    after: tuple[str, ...] = ()
    think_seconds: Span = 0.0

    @property
    def is_composite(self) -> bool:
        """Whether it has several programs."""
        return len(self.parts) > 1


class Interactive(Record):
    """Short commands beside the load, one after the other with a pause between.

    Attributes:
        name: how reports call it.
        command: its words.
        think_seconds: from the end of one to the start of the next [s].
        where: `here`: where Heorot runs; `job`: each as a job of the batch system, at once.
        nodes: of such a job.
    """

    name: FileName
    command: tuple[OneLine, ...] = Field(min_length=1)
    think_seconds: Span = 5.0
    where: Literal["here", "job"] = "here"
    nodes: Several = 1


class JobsFile(Record):
    """What a file of jobs says: `--jobs JOBS.yaml`.

    Attributes:
        jobs: what the names of a schedule stand for.
        interactive: short commands beside the load.
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
    """

    serial: Several
    label: str
    kind: str
    at_seconds: Span
    after: tuple[Several, ...] = ()
    line: Several | None = None


class PartEnd(Record):
    """What became of one program of a job.

    Attributes:
        name: of the part.
        started, ended: Unix times, None if it never did [s].
        code: exit code.
        fate: how it ended; skipped: the job never came to it.
        seconds: its run time, None if it never ended [s].
        why: one line about one that did not end well.
    """

    name: str
    started: Moment | None = None
    ended: Moment | None = None
    code: int | None = None
    fate: Literal["ok", "failed", "timeout", "lost", "skipped"] = "lost"
    seconds: Span | None = None
    why: str = ""


class DayJob(Record):
    """What became of a job; all times are Unix times [s] of the clock that is named.

    Attributes:
        serial: as in its arrival.
        label: as in its arrival.
        kind: as in its arrival.
        nodes: that it asked for.
        cores: that it used, in all.
        limit_seconds: for how long it asked [s].
        exclusive: whether it had its nodes to itself.
        scheduled: when it was to be submitted.
        submitted: when the submitting command was called, by our clock.
        submit_seconds: how long that took [s].
        eligible: since when it could have started, as the batch system told.
        allocated: when it got its nodes, as the batch system told, whole seconds.
        own_start: when its script began, by the script's clock.
        application_start: when its first program began, by the same.
        application_end: when its last program ended, by the same.
        own_end: when its script ended, by the same.
        batch_end: when it ended, as the batch system told, whole seconds.
        hosts: those it had, in the order they are filled.
        parts: what became of its programs.
        number: its id in the batch system.
        queue: partition or queue it was in.
        code: exit code, as the batch system told.
        fate: how it ended.
        raw: the batch system's own word for that.
        reason: why, as the batch system says.
        why: a sentence of ours about a job that did not end well.
        interventions: what somebody did to it by hand: held, released, reordered, resubmitted,
            cancelled.
    """

    serial: Several
    label: str
    kind: str
    nodes: Several
    cores: Several
    limit_seconds: Span | None = None
    exclusive: bool = False
    scheduled: Moment
    submitted: Moment | None = None
    submit_seconds: Span | None = None
    eligible: Moment | None = None
    allocated: Moment | None = None
    own_start: Moment | None = None
    application_start: Moment | None = None
    application_end: Moment | None = None
    own_end: Moment | None = None
    batch_end: Moment | None = None
    hosts: tuple[str, ...] = ()
    parts: tuple[PartEnd, ...] = ()
    number: str | None = None
    queue: str = ""
    code: int | None = None
    fate: DayFate = "unfinished"
    raw: str = ""
    reason: str = ""
    why: str = ""
    interventions: tuple[str, ...] = ()

    @property
    def start(self) -> float | None:
        """When it had its nodes: as told, unless its script knows better [s]."""
        return self.own_start if self.own_start is not None else self.allocated

    @property
    def end(self) -> float | None:
        """When it gave its nodes back, in the same way [s]."""
        return self.own_end if self.own_end is not None else self.batch_end


class Response(Record):
    """One short command beside the load, or on the empty system.

    Attributes:
        name: of the interactive work.
        started: Unix time [s].
        seconds: until it had ended [s].
        code: exit code.
        loaded: whether jobs of the day were about.
    """

    name: str
    started: Moment
    seconds: Span
    code: int
    loaded: bool


class DayFacts(Record):
    """A day as a whole; `day.json` of its directory.

    Attributes:
        name: of the run.
        heorot_version: that ran it.
        schedule: file or model that the arrivals came from.
        schedule_digest: SHA-256 of that file.
        time_scale: times of the schedule were multiplied by it.
        seed: of whatever was drawn.
        system: who gave jobs their nodes, such as `slurm`, `local`.
        n_nodes: of the machine, as far as the day used it.
        cores_per_node: of each.
        node_names: of the nodes.
        exclusive: whether jobs had their nodes to themselves unless they said otherwise.
        begun: Unix time of the begin of the day [s].
        ended: when its last job was settled [s].
        policy: queue definitions and scheduling policy as the batch system shows them, by heading.
        command: the command line.
        hostname: where Heorot ran.
    """

    name: str
    heorot_version: str
    schedule: str
    schedule_digest: str = ""
    time_scale: Span = 1.0
    seed: Count = 0
    system: str = "local"
    n_nodes: Several = 1
    cores_per_node: Several = 1
    node_names: tuple[str, ...] = ()
    exclusive: bool = False
    begun: Moment | None = None
    ended: Moment | None = None
    policy: dict[str, str] = Field(default_factory=dict)
    command: tuple[str, ...] = ()
    hostname: str = ""
    jobs_file: Path | None = None


class Day(Record):
    """A day that has ended, or as far as it came.

    Attributes:
        facts: of the whole.
        jobs: what became of each, in the order of their serial numbers.
        alone: single-user times by kind: run times of jobs that had the system to themselves [s].
        alone_parts: the same of the parts of composite jobs, by `kind/part` [s].
        responses: of interactive work.
    """

    facts: DayFacts
    jobs: tuple[DayJob, ...]
    alone: dict[str, tuple[Span, ...]] = Field(default_factory=dict)
    alone_parts: dict[str, tuple[Span, ...]] = Field(default_factory=dict)
    responses: tuple[Response, ...] = ()
