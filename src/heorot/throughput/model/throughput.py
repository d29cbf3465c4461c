"""A throughput test: facts, jobs with their final states, other users on the nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from heorot.model.base import Count, NonNegative, PositiveInt, Record, Seconds, UnixTime
from heorot.model.batch.jobs import JobRecord
from heorot.model.run.request import ProgramsRequest


class PartEnd(Record):
    """The end of one program of a job.

    Attributes:
        started, ended: Unix times, None if it never did [s].
        fate: final state; skipped: the job ended before it.
        seconds: run time, None if it never ended [s].
        why: one line, if it did not end well.
    """

    name: str
    started: UnixTime | None = None
    ended: UnixTime | None = None
    code: int | None = None
    fate: Literal["ok", "failed", "timeout", "lost", "skipped"] = "lost"
    seconds: Seconds | None = None
    why: str = ""


class ThroughputJob(JobRecord):
    """A job of a throughput test; times are Unix times [s] of the clock named with each.

    Attributes:
        cores: number of cores used.
        limit_seconds: requested time limit [s].
        exclusive: whether it had its nodes to itself.
        scheduled: planned time of submission.
        depends: whether it waited for the end of other jobs, so that its time was not planned.
        eligible: earliest time it could have started, by the batch system.
        allocated: when its nodes were allocated, by the batch system, whole seconds.
        own_start: start of its script, by the script's clock.
        application_start: start of its first program, by the same clock.
        application_end: end of its last program, by the same clock.
        own_end: end of its script, by the same clock.
        batch_end: its end, by the batch system, whole seconds.
        code: exit code, by the batch system.
        interventions: manual changes to it: held, released, reordered, resubmitted, cancelled.
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
        """Actual time of submission, else the planned one [s]."""
        return self.scheduled if self.submitted is None else self.submitted

    @property
    def start(self) -> float | None:
        """When its nodes were allocated: by its script, else by the batch system [s]."""
        return self.own_start if self.own_start is not None else self.allocated

    @property
    def end(self) -> float | None:
        """When its nodes were released, by the same precedence [s]."""
        return self.own_end if self.own_end is not None else self.batch_end


class Response(Record):
    """One short command under load, or on the empty system.

    Attributes:
        name: of the interactive command.
        started: Unix time [s].
        seconds: until its end [s].
        loaded: whether jobs of the test were waiting or running.
    """

    name: str
    started: UnixTime
    seconds: Seconds
    code: int
    loaded: bool


class ThroughputFacts(Record):
    """Facts of a throughput test; `day.json` of its directory.

    Attributes:
        schedule: file or model of the arrivals.
        schedule_digest: SHA-256 of that file.
        time_scale: factor applied to the times of the schedule.
        system: batch system or method that allocated nodes, such as `slurm`, `local`.
        n_nodes: nodes available to the test.
        exclusive: default: whether jobs had their nodes to themselves.
        begun: Unix time of the start of the test [s].
        ended: when the last job was classified [s].
        policy: queue definitions and scheduling policy as the batch system shows them, by heading.
        jobs_file: defines the names of the schedule; None if shipped with the schedule.
        scaled: jobs of a shipped schedule that were fitted to the machine, a short text each.
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
    """A throughput test that has ended, or its jobs so far.

    Attributes:
        jobs: in the order of their serial numbers.
        alone: single-user times by job class: run times of dedicated jobs [s].
        alone_parts: the same of the parts of composite jobs, by `class/part` [s].
        occupancy: other users of the nodes; None if the queue was not watched.
    """

    facts: ThroughputFacts
    jobs: tuple[ThroughputJob, ...]
    alone: dict[str, tuple[Seconds, ...]] = Field(default_factory=dict)
    alone_parts: dict[str, tuple[Seconds, ...]] = Field(default_factory=dict)
    responses: tuple[Response, ...] = ()
    occupancy: Occupancy | None = None

    @property
    def zero(self) -> float:
        """Zero of its times: its start, or the first submission if that is unknown."""
        if self.facts.begun is not None:
            return self.facts.begun
        return min((job.came for job in self.jobs), default=0.0)


class ThroughputRequest(ProgramsRequest):
    """A user's request of a throughput test.

    Attributes:
        schedule: a schedule or workload file, or the name of a shipped schedule or of a model.
        jobs: file that defines the names of the schedule; None for the one shipped with it.
        nodes: number of nodes for the test; None for all.
        time_scale: factor on the times of the schedule.
        most: maximum number of jobs from a workload; None for all.
        alone: number of dedicated runs of each job class before the test.
        alone_from: test whose single-user times are used instead.
        exclusive: default: whether jobs have their nodes to themselves; None for the default in
            the file of jobs.
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
    """A time in which a node, or some of its cores, were not available to the test.

    Attributes:
        begin, end: Unix times, of two successive queries of the queue [s].
        share: of its cores [1].
        by: `others`: jobs outside the test; `state`: it was down or drained.
        is_seen: whether the queue listed the jobs; if not, their existence follows from the state
            of the node.
    """

    node: str
    begin: UnixTime
    end: UnixTime
    share: Share = 1.0
    by: Literal["others", "state"] = "others"
    is_seen: bool = True


class Occupancy(Record):
    """Jobs outside the test in the queue while jobs of the test waited and ran.

    Attributes:
        watched: begins and ends of the times with answered queries [s].
        holds: by node and time.
        jobs: ids of jobs outside the test with nodes.
        tests: names of those that belong to another run of Heorot.
        n_silent: unanswered queries.
    """

    watched: tuple[tuple[UnixTime, UnixTime], ...] = ()
    holds: tuple[Hold, ...] = ()
    jobs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    n_silent: Count = 0
