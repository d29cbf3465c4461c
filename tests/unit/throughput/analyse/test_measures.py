"""Metrics of timelines: a test with values computed by hand, and invariants of sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.throughput.analyse.measures import count_inversions, find_overtaking, measure
from heorot.throughput.analyse.whole.capacity import find_bound
from heorot.throughput.analyse.whole.courses import integrate, value_at
from tests.unit.throughput.analyse.synthetic_tests import FOUR, make_timeline


def test_four_jobs_on_two_nodes_by_hand() -> None:
    measures = measure(make_timeline(FOUR))
    use = measures.use
    assert (use.makespan, use.unit) == (170.0, "node")
    # Work: 100 + 2 x 50 + 40 + 20 = 260 node seconds, on 2 nodes 130 s; no other bound is longer:
    # job 1 by itself takes 100 s, jobs submitted from 10 s on take 10 + 160 / 2 = 90 s.
    assert (use.bound, use.bound_by) == (130.0, "work")
    assert use.efficiency == pytest.approx(130 / 170)
    assert use.esp_efficiency == pytest.approx(130 / 170)
    assert use.utilisation_held == pytest.approx(260 / 340)
    assert use.utilisation_cores == pytest.approx(260 / 340)
    assert use.utilisation_busy is None
    # Node 1 is idle from 10 to 20 while job 2 waits, and from 60 to 100 while 2 and 4 do. Job 4
    # needs one node only, so the 40 s were not needed.
    assert use.loss_any == pytest.approx(50 / 340)
    assert use.loss_fitting == pytest.approx(40 / 340)


def test_waits_and_order_of_the_four_jobs() -> None:
    measures = measure(make_timeline(FOUR))
    np.testing.assert_array_equal(measures.jobs.wait, [0, 90, 0, 120])
    np.testing.assert_array_equal(measures.jobs.turnaround, [100, 140, 40, 140])
    np.testing.assert_allclose(measures.jobs.slowdown, [1, 140 / 50, 1, 140 / 20])
    np.testing.assert_array_equal(measures.jobs.overtook, [False, False, True, False])
    assert (measures.n_overtaking, measures.overtaking_share) == (1, 0.25)
    # Of six pairs, only jobs 2 and 3 started in the other order.
    assert measures.inversion_share == 1 / 6
    assert measures.wait is not None
    assert (measures.wait.n, measures.wait.mean, measures.wait.median) == (4, 52.5, 45.0)
    assert (measures.wait.low, measures.wait.high, measures.wait.maximum) == (0.0, 120.0, 120.0)
    assert measures.wait.p95 == pytest.approx(90 + 0.85 * 30)


def test_courses_of_the_four_jobs() -> None:
    measures = measure(make_timeline(FOUR))
    times = np.array([-1.0, 0, 15, 35, 70, 120, 160, 170])
    np.testing.assert_array_equal(value_at(measures.queue, times), [0, 0, 1, 2, 2, 1, 0, 0])
    np.testing.assert_array_equal(value_at(measures.cores, times), [0, 1, 1, 2, 1, 2, 1, 0])
    assert integrate(measures.queue) == 90 + 120
    # Job 2 was waiting when job 1 left node 0, job 4 when job 2 did, at once; on node 1 job 2 was
    # already waiting when job 3 ended, 40 s before it began.
    assert measures.dead is not None
    assert (measures.dead.n, measures.dead.maximum) == (3, 40.0)
    np.testing.assert_array_equal(measures.dead_by_node, [0, 40])
    np.testing.assert_array_equal(measures.held_by_node, [170, 90])
    assert measures.rates.width == 5.0
    assert measures.rates.submitted[[0, 2, 4, 6]].tolist() == [1, 1, 1, 1]
    assert [x.sum() for x in (measures.rates.started, measures.rates.ended)] == [4, 4]


def test_there_are_at_most_sixty_intervals() -> None:
    rates = measure(make_timeline([(0.0, 0.0, 300.0, 1, (0,))])).rates
    assert (rates.width, rates.begins.size) == (5.0, 60)
    assert (rates.ended[-1], rates.ended.sum()) == (1, 1)


def test_classes_of_sizes_and_kinds() -> None:
    kinds = np.array([0, 1, 0, 0])
    measures = measure(make_timeline(FOUR, kinds=kinds, kind_names=("a", "b")))
    assert [(c.name, c.n_jobs) for c in measures.by_size] == [("1 node", 3), ("2 nodes", 1)]
    assert [(c.name, c.node_seconds) for c in measures.by_kind] == [("a", 160), ("b", 100)]
    many = measure(make_timeline([(0, 0, 1, 3, (0,)), (0, 0, 1, 4, (0,))], n_nodes=4))
    assert [c.name for c in many.by_size] == ["3 to 4 nodes"]
    cores = measure(make_timeline(FOUR[:1], n_nodes=1, cores_per_node=16))
    assert [c.name for c in cores.by_size] == ["9 to 16 cores"]


def test_more_than_forty_kinds_are_put_together() -> None:
    rows = [(0.0, 0.0, float(50 - i), 1, (0,)) for i in range(45)]
    names = tuple(f"k{i}" for i in range(45))
    measures = measure(make_timeline(rows, kinds=np.arange(45), kind_names=names))
    assert len(measures.by_kind) == 40
    assert measures.by_kind[0].name == "k0"
    assert (measures.by_kind[-1].name, measures.by_kind[-1].n_jobs) == ("others", 6)


def test_jobs_that_did_not_run_count_where_they_should() -> None:
    nan = np.nan
    rows = [*FOUR, (40.0, nan, nan, 1, ()), (50.0, nan, nan, 1, ()), (60.0, 65.0, nan, 1, (1,))]
    states = np.array([1, 0, 0, 0, 2, 3, 2])
    measures = measure(make_timeline(rows, states=states))
    counted = (measures.n_jobs, measures.n_started, measures.n_ok)
    assert counted == (7, 5, 3)
    assert measures.wait is not None
    assert measures.wait.n == 5
    assert measures.slowdown is not None
    assert measures.slowdown.n == 3
    # The unfinished job waits until the last known event; the rejected one never does.
    assert value_at(measures.queue, np.array([165.0])).tolist() == [1]
    assert measures.use.utilisation_held == pytest.approx(260 / 340)


def test_nothing_that_ran_is_no_division_by_zero() -> None:
    measures = measure(make_timeline([(5.0, np.nan, np.nan, 1, ())], states=np.array([2])))
    assert (measures.use.makespan, measures.use.bound, measures.use.efficiency) == (0, 0, None)
    assert (measures.wait, measures.by_kind[0].wait, measures.dead) == (None, None, None)
    empty = measure(make_timeline([]))
    assert (empty.n_jobs, empty.use.utilisation_held, empty.queue.times.size) == (0, None, 0)


def test_shared_nodes_are_counted_by_cores() -> None:
    # Two jobs of one core each on the same node of two cores.
    rows = [(0.0, 0.0, 10.0, 1, (0,)), (0.0, 0.0, 10.0, 1, (0,))]
    cores = np.array([1, 1])
    for placed in (True, False):
        measures = measure(
            make_timeline(rows, n_nodes=1, cores_per_node=2, cores=cores, placed=placed)
        )
        use = measures.use
        assert (use.unit, use.bound, use.utilisation_held) == ("core", 10.0, 1.0)


def test_single_user_times_and_busy_times_where_known() -> None:
    measures = measure(
        make_timeline(FOUR),
        alone=np.array([50, np.nan, np.nan, np.nan]),
        busy=np.array([90, 40, np.nan, 10]),
    )
    # Work with job 1 at 50 s: 210 node seconds. Busy: 90 + 2 x 40 + 10 core seconds.
    assert measures.use.esp_efficiency == pytest.approx(210 / 340)
    assert measures.use.utilisation_busy == pytest.approx(180 / 340)


def test_each_bound_has_its_case() -> None:
    def bound(*jobs: tuple[float, float, int]) -> Any:
        submit, run, width = (np.array(x) for x in zip(*jobs, strict=True))
        return find_bound(submit, run, width, 2)

    assert bound((0, 10, 2), (0, 10, 1)) == (15.0, "work")
    assert bound((0, 1, 1), (100, 10, 2), (101, 4, 2)) == (114.0, "late arrivals")
    assert bound((0, 1, 1), (5, 30, 1)) == (35.0, "longest job")
    # By the clocks, jobs may have been submitted in another order than listed.
    assert bound((101, 4, 2), (0, 1, 1), (100, 10, 2)) == (114.0, "late arrivals")


def test_widths_are_rounded_up_where_there_are_many() -> None:
    # One job holds all but ten nodes for 100 s; 99 others, 1 to 99 nodes wide, wait for it.
    rows = [(0.0, 0.0, 100.0, 90, tuple(range(90)))]
    rows += [(0.0, 100.0, 100.0, width, ()) for width in range(1, 100)]
    use = measure(make_timeline(rows, n_nodes=100)).use
    assert use.loss_any == use.loss_fitting == pytest.approx(10 / 100)


@given(st.lists(st.integers(0, 30), max_size=70))
def test_inversions_as_counted_pair_by_pair(values: list[int]) -> None:
    pairs = [a > b for i, a in enumerate(values) for b in values[i + 1 :]]
    assert count_inversions(np.array(values, dtype=float)) == sum(pairs)
    overtaking = find_overtaking(np.array(values, dtype=float))
    assert overtaking.tolist() == [any(a > b for a in values[:i]) for i, b in enumerate(values)]


JOBS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 30), st.integers(0, 40), st.integers(1, 4)),
    min_size=1,
    max_size=25,
)


@pytest.mark.slow
@given(JOBS, st.booleans())
def test_what_holds_for_every_schedule(
    drawn: list[tuple[int, int, int, int]], placed: bool
) -> None:
    """Each job goes to the nodes that are free first, after its submission and a delay."""
    free = np.zeros(4)
    rows = []
    for submit, delay, run, nodes in sorted(drawn):
        places = np.argsort(free, kind="stable")[:nodes]
        start = max(float(submit + delay), float(free[places].max()))
        free[places] = start + run
        rows.append((float(submit), start, start + run, nodes, tuple(map(int, places))))
    measures = measure(make_timeline(rows, n_nodes=4, placed=placed))
    use = measures.use
    assert use.unit == "node"
    assert use.bound <= use.makespan + 1e-9
    assert integrate(measures.held) == pytest.approx(sum((r[2] - r[1]) * r[3] for r in rows))
    assert integrate(measures.queue) == pytest.approx(float(measures.jobs.wait.sum()))
    assert sum(c.n_jobs for c in measures.by_size) == len(rows)
    assert all(measures.jobs.slowdown >= 1.0)
    if use.makespan > 0:
        assert use.loss_any is not None
        assert use.loss_fitting is not None
        assert use.utilisation_held is not None
        assert 0.0 <= use.loss_fitting <= use.loss_any <= 1.0 - use.utilisation_held + 1e-9
        assert use.utilisation_held <= 1.0 + 1e-9
