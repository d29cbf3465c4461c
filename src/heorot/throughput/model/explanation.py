"""Results of a real test beyond its timeline: contention, missing work, projections."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.analysis.result import Finding, Sentence
from heorot.model.base import Count, Record


@dataclass(frozen=True)
class Spread:
    """How a quantity is spread over jobs [its unit].

    Attributes:
        median: of them; with `low` and `high` as its 95 % interval.
        low, high: from order statistics; the extremes if there are fewer than six.
        p95: quantile 0.95, linear between order statistics.
    """

    n: int
    mean: float
    median: float
    low: float
    high: float
    p95: float
    p99: float
    maximum: float


class NodeSharing(Record):
    """Other jobs of one kind on the same nodes; it may be the job's own kind.

    Attributes:
        share: of the job's run time in which at least one of them had one of its nodes [1].
    """

    kind: str
    share: float


class JobLifecycle(Record):
    """What a job lived through.

    Attributes:
        launch_seconds: from its nodes being its own to the start of its program [s].
        application_seconds: from the start of its first program to the end of its last [s].
        stretch: turnaround / median single-user time [1].
        load_factor: application time / median single-user time [1].
        company: others on its nodes, the longest first.
    """

    serial: int
    label: str
    launch_seconds: float | None = None
    application_seconds: float | None = None
    stretch: float | None = None
    load_factor: float | None = None
    company: tuple[NodeSharing, ...] = ()


class Interference(Record):
    """Run times under load against those of the same program alone.

    Attributes:
        name: kind, or `kind/part` of a composite job.
        beside: kind of the other jobs on the same nodes; empty: whatever there was.
        loaded, alone: median run times [s].
        ratio: loaded / alone, of geometric means [1].
        low, high: its 95 % interval; None where two runs are too few for one.
        p_value: adjusted for the number of comparisons; None likewise.
        significant: whether it differs beyond chance and noise.
        lacks: what it lacks if the interval alone would have said so.
        maximum_deviation: largest |run time / median alone - 1| [1].
        worst: label of the job that has it.
    """

    name: str
    beside: str = ""
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
    """One program of a composite kind over all its jobs.

    Attributes:
        expected: one for each job of the kind.
        ends: how many by fate; `absent`: the job's record does not even name it.
    """

    kind: str
    part: str
    expected: Count
    ends: dict[str, Count]


class Missing(Record):
    """A job, or a program of a job, whose work was not done.

    Attributes:
        part: of a composite job; empty: the whole job.
        why: in words, as far as known.
        started: whether it ever began to run.
        core_seconds: of the work that is missing, by the median of its equals; None unknown.
    """

    label: str
    serial: int
    part: str = ""
    fate: str
    why: str = ""
    started: bool = False
    core_seconds: float | None = None


class Account(Record):
    """Whether everything that was submitted came back.

    Attributes:
        scheduled: jobs of the schedule.
        submitted: that the batch system was asked to run.
        fates: jobs by fate; they sum up to `scheduled`.
        missing: jobs and programs whose work was not done.
        interventions: label of a job and what somebody did to it by hand.
        done_core_seconds: work of what ended well [core s].
        missing_core_seconds: work that is missing, as far as known [core s].
        corrected_makespan: what the makespan would be at least with the missing work in it, were
            it spread over the machine as well as the rest [s]; None if nothing is missing.
    """

    scheduled: Count
    submitted: Count
    fates: dict[str, Count]
    parts: tuple[PartAccount, ...] = ()
    missing: tuple[Missing, ...] = ()
    interventions: tuple[tuple[str, str], ...] = ()
    done_core_seconds: float = 0.0
    missing_core_seconds: float = 0.0
    corrected_makespan: float | None = None

    @property
    def n_ok(self) -> int:
        """Jobs that came back well."""
        return self.fates.get("ok", 0)


class Component(Record):
    """What a program takes of the day.

    Attributes:
        name: kind, or `kind/part` of a composite job.
        node_seconds: that it held [node s].
        share: of all [1].
        seconds: median run time [s].
    """

    name: str
    n: Count
    node_seconds: float
    share: float
    seconds: float


class Faster(Record):
    """The day if one program were faster.

    Attributes:
        makespan: projected [s].
        change: makespan / measured - 1 [1].
        by: `schedule`: jobs put together anew by list scheduling; `work`: by the sum of the work.
    """

    name: str
    factor: float
    makespan: float
    change: float
    by: str


class Order(Record):
    """The same jobs put together in another order.

    Attributes:
        name: rule for the order.
        makespan: of the schedule that it gives [s].
    """

    name: str
    makespan: float


class Delay(Record):
    """How long one step of a job's way through the batch system took [s]."""

    name: str
    took: Spread


class Responses(Record):
    """Response times of one interactive work.

    Attributes:
        loaded: beside the load, or on the empty system.
        n_failed: that did not exit with 0; they are not in the times.
        times: how long they took [s]; None if none ended well.
    """

    name: str
    loaded: bool
    n: Count
    n_failed: Count = 0
    times: Spread | None = None


class ThroughputExplanation(Record):
    """What needs more than a timeline.

    Attributes:
        interference: by kind, then by part.
        beside: the same by kind of the other jobs on the nodes.
        components: what takes how much of the day, the largest first.
        faster: the day if one of them were faster.
        orders: other orders of the same jobs, the best first.
        delays: between the steps of a job's way.
    """

    interference: tuple[Interference, ...] = ()
    beside: tuple[Interference, ...] = ()
    account: Account
    components: tuple[Component, ...] = ()
    faster: tuple[Faster, ...] = ()
    orders: tuple[Order, ...] = ()
    delays: tuple[Delay, ...] = ()
    responses: tuple[Responses, ...] = ()
    verdict: tuple[Sentence, ...] = ()
    findings: tuple[Finding, ...] = ()
