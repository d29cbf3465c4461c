"""How steps become jobs, and the requests of these."""

from __future__ import annotations

import pytest

from heorot.model.resource import device, filesystem
from heorot.model.run.plan import Step
from heorot.plan.packing import JobLimits, devices_of
from tests.unit.collect.conftest import make_step


def batched(nodes: int = 4, limit_seconds: float | None = None) -> JobLimits:
    return JobLimits(nodes, batched=True, limit_seconds=limit_seconds, notice_seconds=lambda _: 90)


def on(number: int, nodes: int, seconds: float = 1.0, **changes: object) -> Step:
    return make_step(number, nodes=nodes, ranks=nodes, seconds=seconds, **changes)


def ids(jobs: list[list[Step]]) -> list[list[str]]:
    return [[step.id for step in job] for job in jobs]


def test_a_job_for_each_number_of_nodes() -> None:
    steps = [on(1, 2), on(2, 1), on(3, 4), on(4, 2)]
    assert ids(batched().divide(steps)) == [["S0002"], ["S0001", "S0004"], ["S0003"]]
    assert ids(JobLimits(4).divide(steps)) == [["S0001", "S0002", "S0003", "S0004"]]


def test_a_job_has_the_most_devices_that_a_step_needs_of_a_node() -> None:
    gpu, npu = device("gpu"), device("npu")
    steps = [
        on(1, 1),
        on(2, 4, resources=(gpu.of(6), npu.of(1))),  # 2 on each of 4 nodes
        on(3, 1, resources=(gpu.of(1), filesystem("scratch"))),
    ]
    assert devices_of(steps) == {"gpu": 2, "npu": 1}
    assert devices_of(steps[:1]) == {}


def test_a_time_limit_makes_several_jobs_and_waves_stay_together() -> None:
    wave = [on(n, 1, 100.0, each_node=True, place=(n - 3,), wave=3) for n in (3, 4)]
    limits = batched(2, 600.0)
    jobs = limits.divide([on(1, 1, 100.0), on(2, 1, 100.0), *wave])
    assert ids(jobs) == [["S0001"], ["S0002"], ["S0003", "S0004"]]
    assert all(limits.limit_of(job) == 515.0 for job in jobs[:2])
    assert limits.limit_of(jobs[2]) == 600.0  # no request beyond the limit
    assert limits.longest_seconds == pytest.approx((600.0 - 125.0 - 90.0) / 3.0)


def test_a_job_is_filled_to_its_limit() -> None:
    steps = [on(number, 1, 100.0) for number in (1, 2, 3)]  # 305 s each
    assert ids(batched(2, 210.0 + 2 * 305.0).divide(steps)) == [["S0001", "S0002"], ["S0003"]]
    assert len(batched(2, 209.9 + 2 * 305.0).divide(steps)) == 3


def test_without_a_limit_a_job_asks_for_what_it_needs() -> None:
    assert batched().limit_of([on(1, 1, 1000.0)]) == 3125.0 + 90.0
    assert JobLimits(1).limit_of([on(1, 1, 1000.0)]) == 3125.0
    assert batched().longest_seconds is None


def test_copies_on_each_node_need_all_nodes_even_if_one_is_repeated() -> None:
    again = on(1, 1, each_node=True, place=(0,))
    assert batched(4).nodes_of([again]) == 4
    assert batched(4).nodes_of([on(1, 2, place=(2, 3))]) == 4
    assert batched(4).nodes_of([]) == 1
