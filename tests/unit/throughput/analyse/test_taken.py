"""Other users on the nodes of a test: excluded from idle time, bound, shares and simulations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.analyse.whole.capacity import find_bound
from heorot.throughput.analyse.whole.taken import taken_nodes
from heorot.throughput.model.measures import Course
from heorot.throughput.model.throughput import Hold, Occupancy, ThroughputTest
from heorot.throughput.simulate.measured import reservations_of
from tests.unit.throughput.analyse.synthetic_tests import BEGUN, make_throughput, ran


def _hold(node: str, begin: float, end: float, **fields: object) -> Hold:
    return Hold.model_validate({"node": node, "begin": BEGUN + begin, "end": BEGUN + end, **fields})


def _throughput(
    *holds: Hold, watched: tuple[float, float] = (0.0, 200.0), **fields: Any
) -> ThroughputTest:
    """Two jobs on n0, one after the other: the second waits 100 s for the first."""
    jobs = (
        ran(1, "solo", 0.0, 0.0, 100.0, hosts=("n0",), exclusive=True),
        ran(2, "solo", 0.0, 100.0, 200.0, hosts=("n0",), exclusive=True),
    )
    span = (BEGUN + watched[0], BEGUN + watched[1])
    return make_throughput(jobs, occupancy=Occupancy(watched=(span,), holds=holds), **fields)


def test_nodes_of_others_are_not_idle_nor_capacity() -> None:
    alone = measure(timeline_of(_throughput())).use
    assert (alone.loss_fitting, alone.bound, alone.efficiency) == (0.25, 100.0, 0.5)
    assert (alone.others, alone.watched) == (0.0, 1.0)
    use = measure(timeline_of(_throughput(_hold("n1", 0.0, 200.0)))).use
    assert (use.others, use.out) == (0.5, 0.0)
    assert (use.loss_any, use.loss_fitting) == (0.0, 0.0)
    assert (use.bound, use.efficiency) == (200.0, 1.0)
    assert (use.utilisation_held, use.esp_efficiency) == (1.0, 1.0)


def test_half_of_the_time_is_half_of_it() -> None:
    use = measure(timeline_of(_throughput(_hold("n1", 0.0, 50.0)))).use
    assert use.others == pytest.approx(0.125)
    assert use.loss_fitting == pytest.approx(50.0 / 350.0)
    # 50 s by one node, then 75 s by two.
    assert use.bound == pytest.approx(125.0)


def test_a_part_of_a_node_is_all_of_it_for_an_exclusive_job() -> None:
    test = _throughput(_hold("n1", 0.0, 200.0, share=0.25))
    assert measure(timeline_of(test)).use.others == 0.5
    shared = test.model_copy(
        update={"jobs": tuple(job.model_copy(update={"exclusive": False}) for job in test.jobs)}
    )
    assert measure(timeline_of(shared)).use.others == 0.125


def test_nodes_that_are_down_are_reported_apart() -> None:
    use = measure(timeline_of(_throughput(_hold("n1", 0.0, 200.0, by="state")))).use
    assert (use.others, use.out, use.loss_fitting) == (0.0, 0.5, 0.0)


def test_our_own_jobs_are_never_taken_for_others() -> None:
    # The states of nodes were queried a moment before, or after, the jobs.
    hidden = _hold("n0", 0.0, 205.0, is_seen=False)
    use = measure(timeline_of(_throughput(hidden))).use
    assert (use.others, use.loss_fitting, use.bound) == (0.0, 0.25, 100.0)
    use = measure(timeline_of(_throughput(_hold("n0", 0.0, 200.0)))).use
    assert (use.others, use.utilisation_held) == (0.0, 0.5)


def test_the_bound_never_exceeds_what_was_done() -> None:
    generator = np.random.default_rng(3)
    for _ in range(20):
        times = np.sort(generator.uniform(0.0, 200.0, 8))
        holds = [
            _hold(str(generator.choice(["n0", "n1"])), float(a), float(b))
            for a, b in zip(times[::2], times[1::2], strict=True)
        ]
        use = measure(timeline_of(_throughput(*holds))).use
        assert use.efficiency is not None
        assert use.efficiency <= 1.0 + 1e-9


def test_the_bound_waits_for_what_is_not_there() -> None:
    taken = Course(np.array([0.0, 10.0]), np.array([2.0, 0.0]))
    submit, run = np.zeros(1), np.array([20.0])
    bound, _ = find_bound(submit, run, np.array([2]), 2, taken)
    assert bound == pytest.approx(30.0)
    assert find_bound(submit, run, np.array([2]), 2) == (20.0, "work")
    assert find_bound(submit, 2.0 * run, np.array([1]), 2, taken) == (40.0, "longest job")


def test_no_order_is_shorter_than_the_bound() -> None:
    alone, beside = (
        analyse_throughput(_throughput()),
        analyse_throughput(_throughput(_hold("n1", 0.0, 200.0))),
    )
    assert alone.explanation.orders[0].makespan == pytest.approx(100.0)
    assert beside.explanation.orders[0].makespan == pytest.approx(200.0)
    assert beside.explanation.orders[0].makespan >= beside.measures.use.bound
    # Both jobs on the rest, each four times as fast: 50 s, half of it on two nodes.
    assert beside.explanation.faster[0].makespan == pytest.approx(50.0)


def test_pauses_in_which_others_had_the_node_are_no_pauses() -> None:
    jobs = (
        ran(1, "solo", 0.0, 0.0, 100.0, hosts=("n0",), exclusive=True),
        ran(2, "solo", 0.0, 150.0, 200.0, hosts=("n0",), exclusive=True),
    )
    seen = Occupancy(watched=((BEGUN, BEGUN + 200.0),), holds=(_hold("n0", 102.0, 148.0),))
    assert measure(timeline_of(make_throughput(jobs))).dead is not None
    assert measure(timeline_of(make_throughput(jobs, occupancy=seen))).dead is None


def test_simulators_have_the_nodes_that_others_left() -> None:
    timeline = timeline_of(_throughput(_hold("n1", 0.0, 200.0)))
    taken = taken_nodes(timeline)
    assert taken is not None
    (kept,) = reservations_of(taken, 2, 0.0)
    assert (kept.begin, kept.end, kept.nodes) == (0.0, 200.0, 1)
    nothing = taken_nodes(timeline_of(_throughput()))
    assert nothing is not None
    assert reservations_of(nothing, 2, 0.0) == ()


def test_it_is_said_first() -> None:
    reported = analyse_throughput(_throughput(_hold("n1", 0.0, 200.0))).explanation
    assert reported.verdict[0].text.startswith(
        "Jobs of other users were allocated 50 % of the node time;"
    )
    assert not any("idled" in each.text for each in reported.findings)
    assert not any("never had a job" in each.text for each in reported.findings)
    assert "others" not in analyse_throughput(_throughput()).explanation.verdict[0].text


def said(test: ThroughputTest) -> str:
    return " ".join(each.text for each in analyse_throughput(test).explanation.verdict)


def test_an_unwatched_queue_is_reported_where_nodes_are_called_idle() -> None:
    unwatched = _throughput().model_copy(update={"occupancy": None})
    reported = analyse_throughput(unwatched).explanation
    words = [each.text for each in reported.verdict] + [each.text for each in reported.findings]
    assert sum("other users were not watched" in text for text in words) == 2
    silent, partly = _throughput(watched=(0.0, 0.0)), _throughput(watched=(0.0, 60.0))
    assert "; other users were not watched." in said(silent)
    assert "; other users were watched in part only." in said(partly)


def test_other_users_during_dedicated_runs_are_named() -> None:
    test = _throughput(_hold("n1", -50.0, 10.0), watched=(-100.0, 200.0), alone={"solo": (9.0,)})
    (found,) = [
        each
        for each in analyse_throughput(test).explanation.findings
        if "dedicated runs" in each.text
    ]
    assert "25 %" in found.text
    assert found.affected == ("n1",)
