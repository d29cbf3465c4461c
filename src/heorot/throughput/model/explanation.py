"""Results of a real test beyond its timeline: contention, missing work, projections."""

from __future__ import annotations

from heorot.model.analysis.result import Finding, Sentence
from heorot.model.base import Count, Record
from heorot.throughput.model.spread import Spread


class NodeSharing(Record):
    """Other jobs of one class on the nodes of a job; its own class is possible.

    Attributes:
        share: of the job's run time with at least one of them on one of its nodes [1].
    """

    kind: str
    share: float


class JobLifecycle(Record):
    """Phases of a job and the jobs that shared its nodes.

    Attributes:
        launch_seconds: from the allocation of its nodes to the start of its program [s].
        application_seconds: from the start of its first program to the end of its last [s].
        relative_turnaround: turnaround / median single-user time [1].
        load_factor: application time / median single-user time [1].
        sharing: other jobs on its nodes, the longest first.
    """

    serial: int
    label: str
    launch_seconds: float | None = None
    application_seconds: float | None = None
    relative_turnaround: float | None = None
    load_factor: float | None = None
    sharing: tuple[NodeSharing, ...] = ()


class Interference(Record):
    """Run times under load compared with the dedicated baseline of the same program.

    Attributes:
        name: job class, or `class/part` of a composite job.
        co_located: class of the other jobs on the same nodes; empty: any load.
        loaded, alone: median run times under load and dedicated [s].
        ratio: loaded / dedicated, of geometric means [1].
        low, high: its 95 % interval; None with fewer than two runs on a side.
        p_value: adjusted for the number of comparisons; None likewise.
        significant: whether the difference exceeds chance and noise.
        lacks: the condition of significance that fails although the interval excludes 1.
        maximum_deviation: largest |run time / median dedicated - 1| [1].
        worst: label of the job with this deviation.
    """

    name: str
    co_located: str = ""
    n_loaded: Count
    n_alone: Count
    loaded: float
    alone: float
    ratio: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    significant: bool = False
    lacks: str = ""
    maximum_deviation: float
    worst: str


class PartAccount(Record):
    """One program of a composite job class over all its jobs.

    Attributes:
        expected: one for each job of the class.
        ends: numbers by final state; `absent`: not named in the job's record.
    """

    kind: str
    part: str
    expected: Count
    ends: dict[str, Count]


class Missing(Record):
    """A job, or a program of a job, without completed work.

    Attributes:
        part: of a composite job; empty: the whole job.
        why: a sentence, as far as known.
        started: whether it started to run.
        core_seconds: missing work, estimated by the median of the same class; None if unknown.
    """

    label: str
    serial: int
    part: str = ""
    state: str
    why: str = ""
    started: bool = False
    core_seconds: float | None = None


class Account(Record):
    """Final states of all submitted jobs.

    Attributes:
        scheduled: jobs of the schedule.
        submitted: jobs submitted to the batch system.
        states: numbers of jobs by final state; their sum is `scheduled`.
        missing: jobs and programs without completed work.
        interventions: label of a job and what a user or administrator did to it.
        done_core_seconds: work of jobs that ended well [core s].
        missing_core_seconds: missing work, as far as known [core s].
        corrected_makespan: lower estimate of the makespan with the missing work, spread over the
            machine as well as the rest [s]; None if nothing is missing.
    """

    scheduled: Count
    submitted: Count
    states: dict[str, Count]
    parts: tuple[PartAccount, ...] = ()
    missing: tuple[Missing, ...] = ()
    interventions: tuple[tuple[str, str], ...] = ()
    done_core_seconds: float = 0.0
    missing_core_seconds: float = 0.0
    corrected_makespan: float | None = None

    @property
    def n_ok(self) -> int:
        """Jobs that ended well."""
        return self.states.get("ok", 0)


class Component(Record):
    """Share of one program in the node time of a test.

    Attributes:
        name: job class, or `class/part` of a composite job.
        node_seconds: allocated to it [node s].
        share: of the node time of all programs [1].
        seconds: median run time [s].
    """

    name: str
    n: Count
    node_seconds: float
    share: float
    seconds: float


class Faster(Record):
    """Projection of a test with one faster program.

    Attributes:
        makespan: projected [s].
        change: makespan / measured - 1 [1].
        by: `schedule`: list scheduling of all jobs; `work`: the sum of the work.
    """

    name: str
    factor: float
    makespan: float
    change: float
    by: str


class Order(Record):
    """List schedule of the same jobs in another order.

    Attributes:
        name: rule of the order.
        makespan: of the resulting schedule [s].
    """

    name: str
    makespan: float


class Delay(Record):
    """Duration of one step of a job in the batch system [s]."""

    name: str
    took: Spread


class Responses(Record):
    """Response times of one interactive command.

    Attributes:
        loaded: under load, or on the empty system.
        n_failed: commands with an exit code other than 0; `times` leaves them out.
        times: durations [s]; None if none ended well.
    """

    name: str
    loaded: bool
    n: Count
    n_failed: Count = 0
    times: Spread | None = None


class ThroughputExplanation(Record):
    """Results that need more than a timeline.

    Attributes:
        interference: by job class, then by part.
        by_co_located: the same by class of the other jobs on the nodes.
        components: shares of the node time, the largest first.
        faster: projections with one faster component.
        orders: other orders of the same jobs, the best first.
        delays: between the steps of jobs in the batch system.
    """

    interference: tuple[Interference, ...] = ()
    by_co_located: tuple[Interference, ...] = ()
    account: Account
    components: tuple[Component, ...] = ()
    faster: tuple[Faster, ...] = ()
    orders: tuple[Order, ...] = ()
    delays: tuple[Delay, ...] = ()
    responses: tuple[Responses, ...] = ()
    verdict: tuple[Sentence, ...] = ()
    findings: tuple[Finding, ...] = ()
