"""Node sharing between jobs, contention, and sentences without contention."""

from __future__ import annotations

import pytest

from heorot.throughput.analyse.interference import find_by_co_located, find_interference
from heorot.throughput.analyse.node_sharing import (
    application_seconds,
    describe_lifecycles,
    find_node_sharing,
)
from heorot.throughput.analyse.templates import ratio_of
from heorot.throughput.model.throughput import PartEnd, ThroughputJob
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput, ran

SHARED = (
    ran(1, "a", 0, 0, 100, hosts=("n0", "n1")),
    ran(2, "b", 0, 20, 50, hosts=("n0",)),
    ran(3, "b", 0, 40, 70, hosts=("n1",)),
    ran(4, "c", 0, 90, 190, hosts=("n1",)),
    ran(5, "d", 0, 100, 120, hosts=("n0",)),
)


def test_time_together_counts_once_though_on_several_nodes() -> None:
    met = find_node_sharing(SHARED)
    # b shared a node with a from 20 to 50 s, and the other from 40 to 70 s: 50 of 100 s.
    assert [(x.kind, x.share) for x in met[1]] == [("b", 0.5), ("c", 0.1)]
    assert [(x.kind, x.share) for x in met[2]] == [("a", 1.0)]
    assert [(x.kind, x.share) for x in met[4]] == [("a", 0.1)]
    assert 5 not in met


def test_a_job_may_begin_at_time_zero() -> None:
    jobs = [
        make_job(i, "a", 0, hosts=("n0",)).model_copy(update={"own_start": 0.0, "own_end": 9.0})
        for i in (1, 2)
    ]
    assert [(x.kind, x.share) for x in find_node_sharing(jobs)[1]] == [("a", 1.0)]


def test_stories_of_jobs() -> None:
    jobs = [
        ran(1, "a", 5, 10, 30, application_start=12, application_end=28),
        ran(2, "a", 5, 10, 30, fate="failed", application_end=None),
        make_job(3, "a", 5),
    ]
    lifecycles = describe_lifecycles(make_throughput(jobs, alone={"a": (8.0,)}), jobs)
    first = lifecycles[0]
    assert (first.launch_seconds, first.application_seconds) == (2.0, 16.0)
    assert (first.relative_turnaround, first.load_factor) == (25 / 8, 2.0)
    assert (lifecycles[1].relative_turnaround, lifecycles[1].application_seconds) == (None, 20.0)
    assert (lifecycles[2].launch_seconds, application_seconds(jobs[2])) == (None, None)


def loaded(n: int, seconds: float, kind: str = "a", first: int = 1) -> list[ThroughputJob]:
    """Runs of a class with these run times, plus or minus a per cent."""
    return [
        ran(first + i, kind, 0, 100 * i, 100 * i + seconds * (1 + 0.01 * (i % 3 - 1)))
        for i in range(n)
    ]


def test_interference_is_reported_from_chance() -> None:
    jobs = loaded(9, 13.0) + loaded(9, 10.0, "b", 10)
    test = make_throughput(
        jobs, alone={"a": (10.0, 10.1, 9.9), "b": (10.0, 10.1, 9.9), "c": (1.0,)}
    )
    slower, same = find_interference(test, jobs)
    assert (slower.name, slower.n_alone, slower.n_loaded) == ("a", 3, 9)
    assert slower.significant
    assert slower.ratio == pytest.approx(1.3, rel=0.01)
    assert slower.low is not None
    assert slower.high is not None
    assert slower.low < 1.3 < slower.high
    assert slower.maximum_deviation == pytest.approx(0.313)
    assert slower.worst in {"a3", "a6", "a9"}
    assert ratio_of(slower).text == f"1.30 [{slower.low:.2f}, {slower.high:.2f}] times"
    assert not same.significant
    assert same.maximum_deviation == pytest.approx(0.01)


def test_two_runs_are_too_few_to_judge() -> None:
    jobs = loaded(1, 20.0)
    (only,) = find_interference(make_throughput(jobs, alone={"a": (10.0,)}), jobs)
    assert (only.low, only.p_value, only.significant) == (None, None, False)
    assert only.ratio == pytest.approx(1.98)
    assert ratio_of(only).text == "1.98 times"
    assert find_interference(make_throughput([], alone={}), []) == ()


def test_failed_runs_say_nothing_about_interference() -> None:
    jobs = [ran(1, "a", 0, 0, 1, fate="failed"), *loaded(3, 10.0, first=2)]
    (only,) = find_interference(make_throughput(jobs, alone={"a": (10.0,)}), jobs)
    assert only.n_loaded == 3


def test_parts_of_composite_jobs_are_compared_too() -> None:
    parts = (PartEnd(name="p", fate="ok", seconds=4.0), PartEnd(name="q", fate="failed"))
    jobs = [ran(i, "a", 0, 0, 10, parts=parts) for i in (1, 2, 3)]
    test = make_throughput(jobs, alone_parts={"a/p": (2.0,), "a/q": (2.0,)})
    (only,) = find_interference(test, jobs)
    assert (only.name, only.n_loaded) == ("a/p", 3)
    assert only.ratio == pytest.approx(2.0)
    # The only part of a job repeats the job.
    single = [job.model_copy(update={"parts": parts[:1]}) for job in jobs]
    assert find_interference(test, single) == ()


def test_runs_co_located_with_one_class_need_three_of_them() -> None:
    jobs: list[ThroughputJob] = []
    for i in range(4):
        start, host = 100.0 * i, (f"n{i}",)
        jobs.append(ran(2 * i + 1, "a", 0, start, start + 12 + 0.1 * i, hosts=host))
        other = "b" if i < 3 else "c"
        jobs.append(ran(2 * i + 2, other, 0, start, start + 50, hosts=host))
    test = make_throughput(jobs, n_nodes=4, alone={"a": (10.0, 10.1, 9.9)})
    (only,) = find_by_co_located(test, jobs, describe_lifecycles(test, jobs))
    assert (only.name, only.co_located, only.n_loaded) == ("a", "b", 3)
    assert only.significant
