"""Metrics of a throughput test, real or simulated: by job, by job class and in total.

Times are in seconds; NaN in a column and None in a record mean unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heorot.throughput.model.spread import Spread
from heorot.throughput.model.timeline import Booleans, Floats, Integers, Timeline

if TYPE_CHECKING:
    from heorot.throughput.model.explanation import JobLifecycle, ThroughputExplanation

Bound = Literal["work", "late arrivals", "longest job"]
"""What bounds the makespan from below: all work on all processors; the work of the jobs submitted
after some time; the job that ends last if each starts when it is submitted."""

Unit = Literal["node", "core"]
"""Unit of work: nodes where jobs had them to themselves, else cores."""


@dataclass(frozen=True)
class ClassMeasures:
    """Metrics of the jobs of one class or size.

    Attributes:
        name: job class, or the size in words.
        wait: from eligible to start, of jobs that started; None if none did.
        run: from start to end, of jobs that ended well.
        slowdown: bounded, of jobs that ended well.
        node_seconds: allocated to those that started and ended [node s].
        core_seconds: the same in cores [core s].
    """

    name: str
    n_jobs: int
    n_ok: int
    wait: Spread | None
    run: Spread | None
    slowdown: Spread | None
    node_seconds: float
    core_seconds: float


@dataclass(frozen=True, eq=False)
class JobMeasures:
    """Metrics of each job, shape (n,).

    Attributes:
        wait: from eligible to start [s].
        run: from start to end [s].
        turnaround: from submission to end [s].
        slowdown: bounded: max(1, (wait + run) / max(run, 10 s)).
        overtook: whether it started before a job that was eligible earlier; of jobs eligible at
            the same time, the one submitted first is the earlier.
    """

    wait: Floats
    run: Floats
    turnaround: Floats
    slowdown: Floats
    overtook: Booleans
    ok: Booleans


@dataclass(frozen=True, eq=False)
class Course:
    """A quantity over time: `values[i]` from `times[i]` to `times[i + 1]`, shape (m,) both."""

    times: Floats
    values: Floats


@dataclass(frozen=True, eq=False)
class Rates:
    """Numbers of jobs submitted, started and ended in intervals of equal width.

    Attributes:
        width: of an interval [s].
        begins: start of each interval [s], shape (m,).
        submitted, started, ended: numbers of jobs, shape (m,).
    """

    width: float
    begins: Floats
    submitted: Integers
    started: Integers
    ended: Integers


@dataclass(frozen=True)
class Use:
    """Use of the machine.

    Attributes:
        begin: first submission [s].
        end: last end of a job that started [s].
        makespan: `end - begin` [s].
        bound: lower bound of the makespan of these jobs [s].
        unit: of work, in the bound.
        efficiency: bound / makespan [1]; None, as all below, without a job that took time.
        esp_efficiency: work / (processors x makespan) [1], by single-user times where known;
            work of all jobs that started and ended.
        utilisation_held: share of node time allocated to jobs [1].
        utilisation_cores: share of core time allocated to jobs [1].
        utilisation_busy: share of core time with a running program [1]; None if unknown.
        loss_any: share of node time idle while any job waited [1].
        loss_fitting: share of node time idle while a job waited that needed no more nodes [1].
        others: share of all node time held by jobs of other users [1]; the bound and all shares
            above refer to the rest. None if the queue was not watched.
        out: share of all node time in which nodes were down or drained, likewise [1].
        watched: share of the makespan in which the queue was watched [1].
    """

    begin: float
    end: float
    makespan: float
    bound: float
    bound_by: Bound
    unit: Unit
    efficiency: float | None = None
    esp_efficiency: float | None = None
    utilisation_held: float | None = None
    utilisation_cores: float | None = None
    utilisation_busy: float | None = None
    loss_any: float | None = None
    loss_fitting: float | None = None
    others: float | None = None
    out: float | None = None
    watched: float = 0.0


@dataclass(frozen=True, eq=False)
class ThroughputMeasures:
    """Metrics of a whole timeline.

    Attributes:
        n_jobs, n_started, n_ok: jobs submitted, started and completed.
        use: of the machine, with the makespan.
        n_overtaking: jobs that started before one that was eligible before them.
        overtaking_share: of all that started [1]; the backfilled share.
        inversion_share: share of all pairs [1].
        wait, slowdown: of all jobs, with the filters of `ClassMeasures`.
        by_kind, by_size: by job class and by size.
        dead: gaps between two jobs on a node while the second was already waiting; None if
            unknown.
        dead_by_node: sum of these gaps by node, shape (n_nodes,); empty if unknown [s].
        held_by_node: time allocated to jobs, likewise [s].
        others_by_node: time held by other users, likewise; empty if not watched [s].
        queue: waiting jobs over time.
        cores: allocated cores over time.
        held: allocated nodes over time.
        active: running jobs over time.
    """

    n_jobs: int
    n_started: int
    n_ok: int
    use: Use
    n_overtaking: int
    overtaking_share: float
    inversion_share: float
    wait: Spread | None
    slowdown: Spread | None
    by_kind: tuple[ClassMeasures, ...]
    by_size: tuple[ClassMeasures, ...]
    dead: Spread | None
    dead_by_node: Floats
    held_by_node: Floats
    others_by_node: Floats
    queue: Course
    cores: Course
    held: Course
    active: Course
    rates: Rates
    jobs: JobMeasures


@dataclass(frozen=True, eq=False)
class ThroughputAnalysis:
    """The analysis of a throughput test.

    Attributes:
        lifecycles: of each job, in the order of the timeline.
        explanation: results that need more than a timeline: interference, account, projections,
            verdict.
        policy_measures: of simulations of the same jobs, by name of the policy.
    """

    timeline: Timeline
    measures: ThroughputMeasures
    lifecycles: tuple[JobLifecycle, ...]
    explanation: ThroughputExplanation
    policy_measures: Mapping[str, ThroughputMeasures] = field(default_factory=dict)
