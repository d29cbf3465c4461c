"""A throughput test: facts, jobs with their final states, other users on the nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from heorot.model.base import Count, NonNegative, PositiveInt, Record, Seconds, UnixTime
from heorot.model.batch.jobs import JobRecord
from heorot.model.run.request import ProgramsRequest


class PartEnd(Record):
    """What became of one program of a job.

    Attributes:
        started, ended: Unix times, None if it never did [s].
        fate: how it ended; skipped: the job never came to it.
        seconds: its run time, None if it never ended [s].
        why: one line about one that did not end well.
    """

    name: str
    started: UnixTime | None = None
    ended: UnixTime | None = None
    code: int | None = None
    fate: Literal["ok", "failed", "timeout", "lost", "skipped"] = "lost"
    seconds: Seconds | None = None
    why: str = ""


class ThroughputJob(JobRecord):
    """What became of a job of a day; all times are Unix times [s] of the clock that is named.

    Attributes:
        cores: that it used, in all.
        limit_seconds: for how long it asked [s].
        exclusive: whether it had its nodes to itself.
        scheduled: when it was to be submitted.
        depends: whether the end of others came first, so that nobody knew before when it was due.
        eligible: since when it could have started, as the batch system told.
        allocated: when it got its nodes, as the batch system told, whole seconds.
        own_start: when its script began, by the script's clock.
        application_start: when its first program began, by the same.
        application_end: when its last program ended, by the same.
        own_end: when its script ended, by the same.
        batch_end: when it ended, as the batch system told, whole seconds.
        code: exit code, as the batch system told.
        interventions: what somebody did to it by hand: held, released, reordered, resubmitted,
            cancelled.
    """

    serial: PositiveInt
    label: str
    kind: str
    cores: PositiveInt
    limit_seconds: Seconds | None = None
    exclusive: bool = False
    scheduled: UnixTime
    depends: bool = False
    eligible: UnixTime | None = None
    allocated: UnixTime | None = None
    own_start: UnixTime | None = None
    application_start: UnixTime | None = None
    application_end: UnixTime | None = None
    own_end: UnixTime | None = None
    batch_end: UnixTime | None = None
    parts: tuple[PartEnd, ...] = ()
    code: int | None = None
    interventions: tuple[str, ...] = ()

    @property
    def came(self) -> float:
        """When it was submitted, or was to be [s]."""
        return self.scheduled if self.submitted is None else self.submitted

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
        loaded: whether jobs of the day were about.
    """

    name: str
    started: UnixTime
    seconds: Seconds
    code: int
    loaded: bool


class ThroughputFacts(Record):
    """A day as a whole; `day.json` of its directory.

    Attributes:
        schedule: file or model that the arrivals came from.
        schedule_digest: SHA-256 of that file.
        time_scale: times of the schedule were multiplied by it.
        system: who gave jobs their nodes, such as `slurm`, `local`.
        n_nodes: of the machine, as far as the day used it.
        exclusive: whether jobs had their nodes to themselves unless they said otherwise.
        begun: Unix time of the begin of the day [s].
        ended: when its last job was settled [s].
        policy: queue definitions and scheduling policy as the batch system shows them, by heading.
        jobs_file: what said what the names of the schedule stand for; None if it came with that.
        scaled: jobs of a shipped schedule that were fitted to the machine, a few words for each.
    """

    name: str
    heorot_version: str
    schedule: str
    schedule_digest: str = ""
    time_scale: Seconds = 1.0
    seed: Count = 0
    system: str = "local"
    n_nodes: PositiveInt = 1
    cores_per_node: PositiveInt = 1
    node_names: tuple[str, ...] = ()
    exclusive: bool = False
    begun: UnixTime | None = None
    ended: UnixTime | None = None
    policy: dict[str, str] = Field(default_factory=dict)
    command: tuple[str, ...] = ()
    hostname: str = ""
    jobs_file: Path | None = None
    scaled: tuple[str, ...] = ()


class ThroughputTest(Record):
    """A day that has ended, or as far as it came.

    Attributes:
        jobs: what became of each, in the order of their serial numbers.
        alone: single-user times by kind: run times of jobs that had the system to themselves [s].
        alone_parts: the same of the parts of composite jobs, by `kind/part` [s].
        occupancy: who else had the nodes; None if that was not watched.
    """

    facts: ThroughputFacts
    jobs: tuple[ThroughputJob, ...]
    alone: dict[str, tuple[Seconds, ...]] = Field(default_factory=dict)
    alone_parts: dict[str, tuple[Seconds, ...]] = Field(default_factory=dict)
    responses: tuple[Response, ...] = ()
    occupancy: Occupancy | None = None

    @property
    def zero(self) -> float:
        """What its times count from: its begin, or the first submission if that is not known."""
        if self.facts.begun is not None:
            return self.facts.begun
        return min((job.came for job in self.jobs), default=0.0)


class ThroughputRequest(ProgramsRequest):
    """What the user asks `throughput` for.

    Attributes:
        schedule: a schedule or workload file, or the name of a shipped schedule or of a model.
        jobs: the file that says what its names stand for; None for the one shipped with it.
        nodes: of the machine that the day may use; None for all that there are.
        time_scale: times of the schedule are multiplied by it.
        most: so many jobs of a workload are used; None for all.
        alone: so many times each kind of job runs with the system to itself before the day.
        alone_from: a day whose single-user times are taken instead.
        exclusive: whether jobs that do not say so themselves have their nodes to themselves;
            None for what the file of jobs says.
        interval_seconds: between two samples of the nodes; 0 for no monitoring [s].
    """

    schedule: str
    jobs: Path | None = None
    nodes: PositiveInt | None = None
    time_scale: NonNegative = 1.0
    most: PositiveInt | None = None
    seed: Count = 0
    alone: Count = 3
    alone_from: Path | None = None
    exclusive: bool | None = None
    interval_seconds: Seconds = 1.0


Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Hold(Record):
    """A time in which a node, or some of its cores, could not be had.

    Attributes:
        begin, end: Unix times; from one question to the queue to the next [s].
        share: of its cores [1].
        by: `others`: jobs that are none of this day; `state`: it took no jobs, as when it is down
            or drained.
        is_seen: whether the queue showed the jobs; if not, that others had the node follows from
            its state alone.
    """

    node: str
    begin: UnixTime
    end: UnixTime
    share: Share = 1.0
    by: Literal["others", "state"] = "others"
    is_seen: bool = True


class Occupancy(Record):
    """What the queue said of others while the jobs of a day waited and ran.

    Attributes:
        watched: begins and ends of the times in which it was asked and answered [s].
        holds: by node and time.
        jobs: ids of jobs of others that had nodes.
        tests: names of those jobs that are of another run of Heorot.
        n_silent: questions that were not answered.
    """

    watched: tuple[tuple[UnixTime, UnixTime], ...] = ()
    holds: tuple[Hold, ...] = ()
    jobs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    n_silent: Count = 0
