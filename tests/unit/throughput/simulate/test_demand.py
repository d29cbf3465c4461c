"""Demands of a workload's jobs on a machine: sizes, times, flags, and predecessors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.errors import UsageError
from heorot.throughput.simulate.demand import NATIVE, USES_NETWORK, demand_of
from heorot.throughput.simulate.setting import Estimates, Setting, parse_policy
from tests.unit.throughput.simulate.conftest import Made


def setting(n_nodes: int = 8, cores: int = 1) -> Setting:
    return Setting(parse_policy("fcfs"), n_nodes, cores)


def test_a_record_is_as_long_as_the_core_has_it() -> None:
    assert NATIVE.itemsize == 64


def test_processors_fill_nodes(made: Made) -> None:
    workload = made((0, 10, 5), (1, 10, 8), (2, 10, 1))
    demand = demand_of(workload, setting(cores=4))
    assert demand.jobs["nodes"].tolist() == [2, 2, 1]
    assert demand.jobs["cores"].tolist() == [5, 8, 1]
    assert demand.jobs["flags"].tolist() == [USES_NETWORK, USES_NETWORK, 0]
    known = replace(workload, nodes=np.array([3, 2, 1]))
    assert demand_of(known, setting(cores=4)).jobs["nodes"].tolist() == [3, 2, 1]


def test_what_was_asked_for_counts_before_what_was_had(made: Made) -> None:
    workload = made((0, 10, 5), (1, 10, 5), requested_processors=[8, -1])
    assert demand_of(workload, setting()).jobs["nodes"].tolist() == [8, 5]


def test_jobs_without_time_or_size_are_left_out(made: Made) -> None:
    workload = made((0, 10, 1), (1, -1, 1), (2, 0, 1), (3, 5, -1), (4, 5, 0))
    demand = demand_of(workload, setting())
    assert demand.which.tolist() == [0, 2]
    assert demand.jobs["run"].tolist() == [10_000_000, 0]
    assert demand.jobs["estimate"].tolist() == [10_000_000, 1]
    assert demand.nodes.tolist() == [1, 1, 1, 0, 0]


def test_times_are_whole_microseconds_from_the_begin(made: Made) -> None:
    workload = made((-2.5, 1.0000004, 1), (0.0, 1e-7, 1))
    demand = demand_of(workload, setting())
    assert demand.jobs["submit"].tolist() == [0, 2_500_000]
    assert demand.jobs["run"].tolist() == [1_000_000, 0]


@pytest.mark.parametrize("seconds", [1e10, float("inf"), float("nan")])
def test_times_beyond_all_measure_are_refused(made: Made, seconds: float) -> None:
    with pytest.raises(UsageError, match="has a time of"):
        demand_of(made((seconds, 1, 1)), setting())


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [
        (Estimates(), [10, 10, 10]),
        (Estimates("limit"), [60, 10, 10]),  # unknown; below the run time
        (Estimates("factor", 2.5), [25, 25, 25]),
    ],
)
def test_estimates(made: Made, estimates: Estimates, expected: list[int]) -> None:
    workload = made((0, 10, 1), (0, 10, 1), (0, 10, 1), requested_seconds=[60, -1, 4])
    demand = demand_of(workload, replace(setting(), estimates=estimates))
    assert (demand.jobs["estimate"] // 1_000_000).tolist() == expected
    assert np.isnan(demand.limit).tolist() == [False, True, False]
    assert not demand.killed.any()


def test_drawn_estimates_depend_on_the_seed_only(made: Made) -> None:
    workload = made(*[(i, 100, 1) for i in range(500)])
    drawn = replace(setting(), estimates=Estimates("uniform", 4.0))
    first, again, other = (
        demand_of(workload, replace(drawn, seed=seed)).jobs["estimate"] for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert 100e6 <= first.min() < 130e6
    assert 370e6 < first.max() <= 400e6


def test_jobs_end_at_their_limit_where_that_is_asked_for(made: Made) -> None:
    workload = made((0, 10, 1), (0, 10, 1), (0, 10, 1), requested_seconds=[60, -1, 4])
    demand = demand_of(
        workload, replace(setting(), kill_at_limit=True, estimates=Estimates("limit"))
    )
    assert demand.killed.tolist() == [False, False, True]
    assert (demand.jobs["run"] // 1_000_000).tolist() == [10, 10, 4]
    assert (demand.jobs["estimate"] // 1_000_000).tolist() == [60, 10, 4]


def test_whom_jobs_wait_for(made: Made) -> None:
    # After a job that is left out, after itself, after a later or unknown one.
    workload = made(
        (0, 10, 1),
        (1, -1, 1),
        (2, 10, 1),
        (3, 10, 1),
        (4, 10, 1),
        (5, 10, 1),
        (6, 10, 1),
        preceding=[-1, 1, 1, 2, 5, 7, 99],
        think_seconds=[3, 3, 3, 3, 3, 3, 3],
    )
    demand = demand_of(workload, setting())
    assert demand.jobs["preceding"].tolist() == [-1, 0, -1, -1, -1, -1]
    assert demand.jobs["think"].tolist() == [0, 3_000_000, 0, 0, 0, 0]


def test_users_queues_and_shares(made: Made) -> None:
    workload = made((0, 1, 1), (0, 1, 1), (0, 1, 1), user=[70, -1, 70], queue=[1, 2, 3])
    demand = demand_of(workload, replace(setting(), priorities={2: 5.0}, shares={70: 3.0}))
    assert demand.jobs["user"].tolist() == [1, 0, 1]
    assert demand.jobs["priority"].tolist() == [0.0, 5.0, 0.0]
    assert demand.jobs["share"].tolist() == [3.0, 1.0, 3.0]


def test_a_workload_without_jobs(made: Made) -> None:
    assert demand_of(made(), setting()).jobs.size == 0
