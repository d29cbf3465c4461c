"""Contention: run times under load compared with the dedicated baseline of the same program.

Every run is a launch of its own, so runs are compared as launches are. The spread under load is
part of the result: a difference must exceed the noise of the dedicated runs only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from heorot.analyse.statistics.comparison import Comparison, compare
from heorot.analyse.statistics.significance import adjust_p_values, decide, mean_difference
from heorot.throughput.analyse.node_sharing import LEAST_SECONDS, run_times
from heorot.throughput.model.explanation import Interference, JobLifecycle
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest

NOISE = 0.02
"""Smaller relative differences [1] are not significant."""

_RATE = 0.05
_LEAST_RUNS = 3
# A single dedicated run has no spread.
_LEAST_ALONE = 2
_TOGETHER = 0.5


@dataclass(frozen=True)
class _Group:
    name: str
    co_located: str
    loaded: tuple[tuple[float, str], ...]
    alone: tuple[float, ...]


def find_interference(
    test: ThroughputTest, jobs: Sequence[ThroughputJob]
) -> tuple[Interference, ...]:
    """By job class with a baseline, then by part of composite jobs; of jobs that ended well."""
    loaded = run_times(jobs)
    composite = {job.kind for job in jobs if len(job.parts) > 1}
    alone = dict(test.alone)
    alone |= {
        name: times
        for name, times in test.alone_parts.items()
        if name.partition("/")[0] in composite
    }
    return _judge([_group(name, "", loaded.get(name, ()), times) for name, times in alone.items()])


def find_by_co_located(
    test: ThroughputTest, jobs: Sequence[ThroughputJob], lifecycles: Sequence[JobLifecycle]
) -> tuple[Interference, ...]:
    """Contention by class of the other jobs: those that shared nodes for at least half the time.

    At least three such runs are required. A job counts for each class that it shared nodes with,
    so the rows show correlation, not causation.

    Args:
        lifecycles: of the same jobs, in the same order.
    """
    groups = []
    for kind, times in test.alone.items():
        neighbours = {
            job.serial: {each.kind for each in lifecycle.sharing if each.share >= _TOGETHER}
            for job, lifecycle in zip(jobs, lifecycles, strict=True)
            if job.kind == kind
        }
        for other in sorted(set().union(*neighbours.values())):
            together = [job for job in jobs if other in neighbours.get(job.serial, ())]
            loaded = run_times(together).get(kind, ())
            if len(loaded) >= _LEAST_RUNS:
                groups.append(_group(kind, other, loaded, times))
    return _judge(groups)


def _group(
    name: str, co_located: str, loaded: Sequence[tuple[float, str]], alone: Sequence[float]
) -> _Group:
    """The runs with a positive duration."""
    return _Group(
        name,
        co_located,
        tuple(each for each in loaded if each[0] >= LEAST_SECONDS),
        tuple(seconds for seconds in alone if seconds >= LEAST_SECONDS),
    )


def _judge(groups: Sequence[_Group]) -> tuple[Interference, ...]:
    known = [
        (group, compare([[x] for x in group.alone], [[x] for x, _ in group.loaded], better="lower"))
        for group in groups
        if group.loaded and group.alone
    ]
    enough = [
        len(one.log_medians_a) >= _LEAST_ALONE
        and len(one.log_medians_a) + len(one.log_medians_b) >= _LEAST_RUNS
        for _, one in known
    ]
    tested = [one.p_value for (_, one), many in zip(known, enough, strict=True) if many]
    adjusted = iter(adjust_p_values(tested).tolist() if tested else ())
    return tuple(
        _interference(group, one, next(adjusted) if many else None)
        for (group, one), many in zip(known, enough, strict=True)
    )


def _interference(group: _Group, one: Comparison, p_value: float | None) -> Interference:
    loaded, alone = median(x for x, _ in group.loaded), median(group.alone)
    deviation, worst = max((abs(x / alone - 1.0), label) for x, label in group.loaded)
    verdict, lacks = "indistinguishable", ""
    if p_value is not None:
        floor = max(NOISE, mean_difference(one.log_medians_a))
        ends = one.ratio, one.ratio_low, one.ratio_high
        verdict, lacks = decide(*ends, floor, p_value, _RATE)
    return Interference(
        name=group.name,
        co_located=group.co_located,
        n_loaded=len(group.loaded),
        n_alone=len(one.log_medians_a),
        loaded=loaded,
        alone=alone,
        ratio=one.ratio,
        low=None if p_value is None else one.ratio_low,
        high=None if p_value is None else one.ratio_high,
        p_value=p_value,
        significant=verdict != "indistinguishable",
        lacks=lacks,
        maximum_deviation=deviation,
        worst=worst,
    )
