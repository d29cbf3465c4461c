"""Reasons of jobs that never start, a line each."""

from __future__ import annotations

from pathlib import Path

from heorot.throughput.simulate.run import never_started, simulate
from heorot.throughput.simulate.setting import Setting, parse_policy
from tests.unit.throughput.simulate.conftest import Made

SETTING = Setting(parse_policy("fcfs"), 4)


def test_a_line_for_each_reason(made: Made, core: Path) -> None:
    workload = made(
        (0, 10, 3), (1, -1, 2), (2, -1, 0), (3, 5, 0), (4, 5, 9), (5, 5, 9), (6, 5, 1), (7, 5, 1),
        preceding=[-1, -1, -1, -1, -1, -1, 5, 1],
    )  # fmt: skip
    assert never_started(simulate(workload, SETTING, core)) == (
        "2 jobs never start: no number of processors is known",
        "1 job never starts: no run time is known",
        "2 jobs never start: larger than the machine of 4 nodes x 1",
        "1 job never starts: waits for a job that never starts",
    )


def test_of_jobs_that_all_start_nothing_is_said(made: Made, core: Path) -> None:
    assert never_started(simulate(made((0, 10, 3), (1, 0, 4)), SETTING, core)) == ()
