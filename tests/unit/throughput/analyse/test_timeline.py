"""Throughput tests as timelines: order, clocks with whole seconds, unnamed nodes."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.throughput.analyse.measures import measure
from heorot.throughput.analyse.timeline import ordered_jobs, timeline_of
from tests.unit.throughput.analyse.synthetic_tests import make_job, make_throughput, ran


def test_columns_of_a_throughput_test() -> None:
    test = make_throughput(
        [
            ran(1, "b", 20, 25, 45, nodes=2, cores=3, hosts=("n1", "x9"), limit_seconds=60),
            ran(2, "a", 10, 11, 12, fate="failed"),
            make_job(3, "b", 30),
        ]
    )
    timeline = timeline_of(test)
    assert [job.serial for job in ordered_jobs(test)] == [2, 1, 3]
    assert timeline.labels == ("a2", "b1", "b3")
    assert timeline.kind_names == ("a", "b")
    assert timeline.kinds.tolist() == [0, 1, 1]
    assert timeline.submit.tolist() == [10, 20, 30]
    np.testing.assert_array_equal(timeline.end, [12, 45, np.nan])
    assert [timeline.state_names[i] for i in timeline.states] == ["failed", "ok", "unfinished"]
    assert timeline.node_names == ("n0", "n1", "x9")
    assert timeline.n_nodes == 3
    assert timeline.places.tolist() == [1, 2]
    assert timeline.offsets.tolist() == [0, 0, 2, 2]
    np.testing.assert_array_equal(timeline.limit, [np.nan, 60, np.nan])


def test_whole_seconds_of_the_batch_system_make_no_negative_waits() -> None:
    test = make_throughput(
        [
            ran(1, "a", 10.6, 12.2, 13.0, eligible=13.0),
            ran(2, "a", 10.6, 12.2, 13.0, eligible=10.0),
            make_job(3, "a", 11.0, allocated=20.0, batch_end=19.0),
        ]
    )
    timeline = timeline_of(test)
    np.testing.assert_allclose(timeline.eligible, [12.2, 10.6, 11.0])
    np.testing.assert_allclose(timeline.end[2], timeline.start[2])


def test_a_clock_that_is_behind_makes_no_machine_busier_than_it_is() -> None:
    use = measure(timeline_of(make_throughput([ran(1, "a", 10, 9.7, 14.7)], n_nodes=1))).use
    assert use.makespan == pytest.approx(5.0)
    assert use.efficiency == pytest.approx(1.0)
    assert use.utilisation_held == pytest.approx(1.0)


def test_a_job_that_was_never_submitted_has_not_waited() -> None:
    test = make_throughput(
        [ran(1, "a", 0, 0, 100, hosts=("n0",)), make_job(2, "a", 10, submitted=None)]
    )
    timeline = timeline_of(test)
    assert np.isnan(timeline.eligible).tolist() == [False, True]
    measures = measure(timeline)
    assert measures.queue.values.size == 0
    assert (measures.use.loss_any, measures.use.loss_fitting) == (0.0, 0.0)
    assert measures.rates.submitted.sum() == 1
    late = make_throughput([make_job(1, "a", 0, submitted=None), ran(2, "a", 50, 50, 60)])
    assert measure(timeline_of(late)).use.makespan == 10.0
    assert measure(timeline_of(make_throughput([late.jobs[0]]))).use.makespan == 0.0
    # A started job was submitted, though the time was not recorded.
    started = make_throughput([ran(1, "a", 10, 12, 20, submitted=None)])
    assert timeline_of(started).eligible.tolist() == [10.0]


def test_a_throughput_test_without_begin_or_hosts_counts_from_its_first_job() -> None:
    test = make_throughput([ran(1, "a", 10, 11, 12), make_job(2, "a", 14, submitted=None)])
    test = test.model_copy(update={"facts": test.facts.model_copy(update={"begun": None})})
    timeline = timeline_of(test)
    assert timeline.submit.tolist() == [0, 4]
    assert timeline.offsets.size == timeline.places.size == 0
    assert timeline_of(make_throughput([])).submit.size == 0
