"""What sharing costs: run times under load against those of the same program alone.

Every run is a launch of its own, so runs are compared as launches are. The spread under load is
part of what is looked for: the noise that a difference has to exceed is that of the runs alone.
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
"""Smaller relative differences [1] are named by nobody."""

_RATE = 0.05
_LEAST_RUNS = 3
# A single run alone does not say how much runs alone differ.
_LEAST_ALONE = 2
_TOGETHER = 0.5


@dataclass(frozen=True)
class _Group:
    name: str
    beside: str
    loaded: tuple[tuple[float, str], ...]
    alone: tuple[float, ...]


def find_interference(
    test: ThroughputTest, jobs: Sequence[ThroughputJob]
) -> tuple[Interference, ...]:
    """Each kind that is known alone, then each part of composite ones; of what ended well."""
    loaded = run_times(jobs)
    composite = {job.kind for job in jobs if len(job.parts) > 1}
    alone = dict(test.alone)
    alone |= {
        name: times
        for name, times in test.alone_parts.items()
        if name.partition("/")[0] in composite
    }
    return _judge([_group(name, "", loaded.get(name, ()), times) for name, times in alone.items()])


def find_beside(
    test: ThroughputTest, jobs: Sequence[ThroughputJob], stories: Sequence[JobLifecycle]
) -> tuple[Interference, ...]:
    """The same by the kind of the other jobs: those that shared at least half the time with it.

    Only where there are three such runs. A job that had company of several kinds counts for each;
    so the rows say where to look, not who is guilty.

    Args:
        stories: of the same jobs, in the same order.
    """
    groups = []
    for kind, times in test.alone.items():
        company = {
            job.serial: {each.kind for each in story.company if each.share >= _TOGETHER}
            for job, story in zip(jobs, stories, strict=True)
            if job.kind == kind
        }
        for other in sorted(set().union(*company.values())):
            together = [job for job in jobs if other in company.get(job.serial, ())]
            loaded = run_times(together).get(kind, ())
            if len(loaded) >= _LEAST_RUNS:
                groups.append(_group(kind, other, loaded, times))
    return _judge(groups)


def _group(
    name: str, beside: str, loaded: Sequence[tuple[float, str]], alone: Sequence[float]
) -> _Group:
    """Those of the runs that took any time."""
    return _Group(
        name,
        beside,
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
        beside=group.beside,
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
