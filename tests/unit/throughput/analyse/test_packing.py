"""List scheduling and its projections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.throughput.analyse import projections
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.packing import Work, find_orders, pack
from heorot.throughput.analyse.projections import find_components, project_faster, project_orders
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.analyse.whole.capacity import find_bound
from heorot.throughput.model.measures import Course
from heorot.throughput.model.throughput import PartEnd, ThroughputTest
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput, ran


def work(*jobs: tuple[float, float, int], capacity: int = 2) -> Work:
    submit, run, width = (np.array(column) for column in zip(*jobs, strict=True))
    return Work(submit.astype(float), run.astype(float), width, capacity)


def test_jobs_start_as_soon_as_they_came_and_fit() -> None:
    # 1 of width 1 to 10; the wide one waits until then, the narrow third runs with the first.
    assert pack(work((0, 10, 1), (0, 5, 2), (0, 8, 1)), np.arange(3)) == 15.0
    # No job starts before its submission; the test counts from the first submission.
    assert pack(work((5, 1, 1), (20, 3, 1)), np.arange(2)) == 18.0
    assert pack(work((0, 4, 1), (0, 4, 1), (0, 4, 1)), np.array([2, 0, 1])) == 8.0
    assert pack(work((-9, 4, 1)), np.arange(1)) == 4.0


def test_a_better_order_is_found_where_there_is_one() -> None:
    # Three short and one long: the long one first ends at 6, last at 8.
    jobs = work((0, 2, 1), (0, 2, 1), (0, 2, 1), (0, 6, 1))
    orders = find_orders(jobs)
    assert orders["as submitted"] == 8.0
    assert orders["longest first"] == 6.0
    assert min(orders.values()) == next(iter(orders.values())) == 6.0


def test_others_have_what_they_have_while_a_job_runs() -> None:
    # One of two is taken from 5 to 20: wide jobs of 5 fit before and after, narrow ones meanwhile.
    taken = Course(np.array([5.0, 20.0]), np.array([1.0, 0.0]))
    wide = replace(work((0, 5, 2), (0, 5, 2)), taken=taken)
    assert pack(wide, np.arange(2)) == 25.0
    assert pack(replace(wide, run=np.array([5.0, 6.0])), np.array([1, 0])) == 26.0
    narrow = replace(work((0, 8, 1), (0, 8, 1), (0, 8, 1)), taken=taken)
    assert pack(narrow, np.arange(3)) == 24.0
    assert min(find_orders(wide).values()) >= find_bound(wide.submit, wide.run, wide.width, 2)[0]


def test_exchanges_find_what_no_rule_does() -> None:
    generator = np.random.default_rng(3)
    jobs = work(
        *((0, int(generator.integers(1, 30)), int(w)) for w in generator.integers(1, 6, 14)),
        capacity=8,
    )
    orders = find_orders(jobs)
    assert next(iter(orders)) == "exchanges of pairs"
    assert find_orders(work((0, 1, 1)))["as submitted"] == 1.0


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 4)),
        min_size=1,
        max_size=12,
    )
)
def test_no_order_is_shorter_than_the_bound(drawn: list[tuple[int, int, int]]) -> None:
    jobs = work(*sorted(drawn), capacity=4)
    bound, _ = find_bound(jobs.submit - jobs.submit[0], jobs.run, jobs.width, 4)
    assert min(find_orders(jobs).values()) >= bound - 1e-9


def composite_throughput() -> ThroughputTest:
    parts = tuple(PartEnd(name=name, fate="ok", seconds=s) for name, s in (("p", 30.0), ("q", 8.0)))
    jobs = [
        ran(1, "e", 0, 0, 40, parts=parts),
        ran(2, "a", 0, 0, 10, nodes=1, hosts=("n1",)),
        make_job(3, "a", 0, fate="vanished"),
    ]
    return make_throughput(jobs)


def test_components_share_the_node_time_of_the_test() -> None:
    found = find_components(composite_throughput())
    assert [(each.name, each.node_seconds) for each in found] == [
        ("e/p", 30.0),
        ("a", 10.0),
        ("e/q", 8.0),
        ("e", 2.0),
    ]
    assert sum(each.share for each in found) == pytest.approx(1.0)
    assert find_components(make_throughput([])) == ()


def test_a_faster_program_makes_the_test_shorter() -> None:
    test = composite_throughput()
    timeline = timeline_of(test)
    measures = measure(timeline)
    jobs = sorted(test.jobs, key=lambda job: job.serial)
    first, second, *_ = project_faster(jobs, timeline, measures, find_components(test), 3.0)
    # 30 s of 40 become 10: the test ends with it after 20 s.
    assert (first.name, first.by) == ("e/p", "schedule")
    assert first.makespan == pytest.approx(20.0)
    assert first.change == pytest.approx(-0.5)
    # a runs at the same time: nothing changes.
    assert (second.makespan, second.change) == (40.0, 0.0)


def test_many_jobs_are_projected_by_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projections, "MOST_JOBS", 1)
    test = composite_throughput()
    timeline = timeline_of(test)
    measures = measure(timeline)
    first, *_ = project_faster(test.jobs, timeline, measures, find_components(test), 3.0)
    # Work of 50 node seconds on two nodes; the longest job bounds: 40 s, then 20 s.
    assert first.by == "work"
    assert first.makespan == pytest.approx(20.0)
    assert project_orders(timeline, measures) == ()


def test_the_test_counts_from_its_first_submission_though_that_job_never_ran() -> None:
    test = make_throughput([make_job(1, "b", 0, fate="rejected"), ran(2, "a", 90, 90, 130)])
    timeline = timeline_of(test)
    measures = measure(timeline)
    jobs = sorted(test.jobs, key=lambda job: job.serial)
    assert measures.use.makespan == 130.0
    assert {each.makespan for each in project_orders(timeline, measures)} == {130.0}
    # 40 s become 10: from 130 s to 100, not to a quarter.
    (faster,) = project_faster(jobs, timeline, measures, find_components(test), 4.0)
    assert faster.makespan == pytest.approx(100.0)


def test_many_jobs_are_projected_by_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    # Late work decides: first a job of 2 s, then from 10 s on 40 node seconds on two nodes.
    monkeypatch.setattr(projections, "MOST_JOBS", 1)
    late = [ran(i, "b", 10, 10, 20) for i in range(2, 6)]
    test = make_throughput([ran(1, "a", 0, 0, 2), *late])
    timeline = timeline_of(test)
    measures = measure(timeline)
    assert measures.use.bound == 30.0
    faster = project_faster(test.jobs, timeline, measures, find_components(test), 2.0)
    assert [each.name for each in faster] == ["b", "a"]
    # From 30 s to 20 s; a fast first job saves nothing.
    assert [each.change for each in faster] == pytest.approx([-1 / 3, 0.0])


def test_nothing_that_ran_projects_nothing() -> None:
    test = make_throughput([make_job(1, "a", 0)])
    timeline = timeline_of(test)
    measures = measure(timeline)
    assert project_faster(test.jobs, timeline, measures, (), 2.0) == ()
    assert project_orders(timeline, measures) == ()
