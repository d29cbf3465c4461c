"""Metrics of a throughput test, real or simulated: of each job, of job classes, of the whole.

Times are in seconds; NaN in a column and None in a record mean that there is no such number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from heorot.throughput.model.explanation import JobLifecycle, Spread, ThroughputExplanation
from heorot.throughput.model.timeline import Booleans, Floats, Integers, Timeline

Bound = Literal["work", "late arrivals", "longest job"]
"""Why no schedule can be shorter: all work on all processors; the same of the jobs that come after
some moment; the job that ends last though it starts when it is submitted."""

Unit = Literal["node", "core"]
"""What jobs are counted in: nodes where they had them to themselves, else cores."""


@dataclass(frozen=True)
class ClassMeasures:
    """Jobs of one kind, or of one size.

    Attributes:
        name: the kind, or the size in words.
        wait: from being eligible to the start, of jobs that started; None if none did.
        run: from start to end, of jobs that ended well.
        slowdown: bounded, of jobs that ended well.
        node_seconds: held by all of them that started and ended [node s].
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
    """One number for each job, shape (n,).

    Attributes:
        wait: from being eligible to the start [s].
        run: from start to end [s].
        turnaround: from submission to end [s].
        slowdown: bounded: max(1, (wait + run) / max(run, 10 s)).
        overtook: whether it started before a job that was eligible before it; of those that were
            eligible at once, the one submitted first counts as the earlier.
    """

    wait: Floats
    run: Floats
    turnaround: Floats
    slowdown: Floats
    overtook: Booleans
    ok: Booleans


@dataclass(frozen=True, eq=False)
class Course:
    """A number over time: `values[i]` from `times[i]` to `times[i + 1]`, shape (m,) both."""

    times: Floats
    values: Floats


@dataclass(frozen=True, eq=False)
class Rates:
    """How many jobs were submitted, started and ended in each of equal intervals.

    Attributes:
        width: of an interval [s].
        begins: of each [s], shape (m,).
        submitted, started, ended: how many, shape (m,).
    """

    width: float
    begins: Floats
    submitted: Integers
    started: Integers
    ended: Integers


@dataclass(frozen=True)
class Use:
    """How much of the machine was used.

    Attributes:
        begin: first submission [s].
        end: last end of a job that started [s].
        makespan: from one to the other [s].
        bound: no schedule of these jobs can be shorter [s].
        unit: what the bound counts.
        efficiency: bound / makespan [1]; None, as all below, without a job that took time.
        esp_efficiency: work / (processors x makespan) [1], with single-user times of jobs that
            ended well, where known.
        utilisation_held: share of node time in which a job held the node [1].
        utilisation_cores: share of core time that jobs had [1].
        utilisation_busy: share of core time in which a program ran [1]; None if not known.
        loss_any: share of node time that was idle while any job waited [1].
        loss_fitting: share of node time idle while a job waited that needed no more nodes [1].
        others: share of all node time that jobs of others held [1]; the bound and all shares above
            are of what was left. None if nobody watched.
        out: share of all node time in which nodes were down or took no jobs, likewise [1].
        watched: share of the makespan in which anybody looked for that [1].
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
    """What is said about a whole timeline.

    Attributes:
        n_jobs, n_started, n_ok: how far how many came.
        use: of the machine, and how long the day took.
        n_overtaking: jobs that started before one that was eligible before them.
        overtaking_share: of all that started [1]; the backfilled share.
        inversion_share: of all pairs [1].
        wait, slowdown: of all jobs, with the filters of `ClassMeasures`.
        by_kind, by_size: the same of classes.
        dead: pauses between two jobs on a node while the second already waited; None unknown.
        dead_by_node: the sum of these for each node, shape (n_nodes,); empty if not known.
        held_by_node: for how long each had jobs, likewise [s].
        others_by_node: for how long others had each, likewise; empty if nobody watched [s].
        queue: how many jobs waited over time.
        cores: how many cores jobs had over time.
        held: how many nodes had a job over time.
        active: how many jobs ran over time.
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
    """Everything that is said about a day.

    Attributes:
        stories: of each job, in the order of the timeline.
        explanation: all that needs more than a timeline: interference, account, projections,
            verdict.
        policy_measures: of simulations of the same jobs, by the name of their policy.
    """

    timeline: Timeline
    measures: ThroughputMeasures
    stories: tuple[JobLifecycle, ...]
    explanation: ThroughputExplanation
    policy_measures: Mapping[str, ThroughputMeasures] = field(default_factory=dict)
