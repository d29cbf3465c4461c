"""Traces made jobs that run: sizes, times, kinds, dependencies, and what is left out."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping

import numpy as np
import pytest

from heorot.errors import UsageError
from heorot.throughput.model.kinds import JobKind, JobsFile, Part
from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload
from heorot.throughput.workload.arrivals import check_fits, kind_of
from heorot.throughput.workload.esp import esp_mix
from heorot.throughput.workload.replay import arrivals_from_workload


def a_workload(*jobs: Mapping[str, float], **header: str) -> Workload:
    table = np.full(len(jobs), UNKNOWN).astype(JOB)
    for number, (row, job) in enumerate(zip(table, jobs, strict=True), start=1):
        row["number"] = number
        for name, value in ({"submit": 0, "run": 10, "processors": 1} | dict(job)).items():
            row[name] = value
    return Workload(Jobs.of(table), header, source="a trace")


def test_sizes_and_times_are_scaled() -> None:
    work = a_workload(
        {"submit": 100, "processors": 64, "requested_seconds": 100},
        {"submit": 200, "processors": -1, "requested_processors": 24, "run": 0.001},
        {"submit": 300, "processors": 1},
        MaxProcs="128 (of all)",
    )
    replay = arrivals_from_workload(work, None, n_nodes=8, cores_per_node=2, time_scale=0.1)
    assert [each.ranks for each in replay.arrivals] == [8, 3, 1]
    assert [each.nodes for each in replay.arrivals] == [4, 2, 1]
    assert [each.at_seconds for each in replay.arrivals] == pytest.approx([0.0, 10.0, 20.0])
    assert [each.run_seconds for each in replay.arrivals] == pytest.approx([1.0, 0.001, 1.0])
    assert [each.limit_seconds for each in replay.arrivals] == [70.0, None, None]
    assert replay.notes == (
        "128 processors there, 16 here: sizes are multiplied by 0.125",
        "times are multiplied by 0.1; limits get a minute more",
    )
    check_fits(replay.jobs, replay.arrivals, 8, 2)


@pytest.mark.parametrize(
    ("header", "ranks"),
    [({"MaxNodes": "32"}, 2), ({"MaxProcs": "4"}, 4), ({"MaxProcs": "x"}, 4), ({}, 4)],
)
def test_a_machine_of_unknown_size_is_as_large_as_its_largest_job(
    header: dict[str, str], ranks: int
) -> None:
    work = a_workload({"processors": 16}, **header)
    (job,) = arrivals_from_workload(work, None, n_nodes=1, cores_per_node=4).arrivals
    assert job.ranks == ranks


def test_what_cannot_be_run_is_left_out_and_reported() -> None:
    jobs: list[dict[str, float]] = [{"run": -1}, {}, {"run": 0}, {"processors": -1}, {}, {}]
    replay = arrivals_from_workload(a_workload(*jobs), None, n_nodes=1, cores_per_node=1, most=2)
    assert [each.label for each in replay.arrivals] == ["job1", "job2"]
    assert replay.notes[2:] == (
        "3 jobs without run time or processors are left out",
        "1 job after the first 2 is left out",
    )
    with pytest.raises(UsageError, match="no job of a trace can be run"):
        arrivals_from_workload(a_workload({"run": -1}), None, n_nodes=1, cores_per_node=1)


def test_kinds_by_name_and_number() -> None:
    own = JobKind(parts=(Part(name="p", program="x", ranks=2),), nodes=1)
    jobs = JobsFile(jobs={"adf": own, "e3": own}, exclusive=True)
    work = a_workload(*({"executable": number} for number in (1, 2, 3, 4, -1, 1)))
    work.names["executable"] = {1: "adf", 2: "my code"}
    replay = arrivals_from_workload(work, jobs, n_nodes=2, cores_per_node=2)
    labels = [each.label for each in replay.arrivals]
    assert labels == ["adf1", "my_code1", "e3-1", "e4-1", "job1", "adf2"]
    assert replay.jobs.exclusive
    assert [each.nodes for each in replay.arrivals] == [None, 2, None, 2, 2, None]
    busy = kind_of(replay.arrivals[1], replay.jobs)
    assert "timeout 10.000 bash" in str(busy.parts[0].command)
    assert kind_of(replay.arrivals[0], replay.jobs) == own


def test_of_many_programs_only_those_that_come_often_are_kinds() -> None:
    often = [{"executable": number} for number in range(15) for _ in range(2)]
    seldom = [{"executable": number} for number in range(100, 200)]
    work = a_workload(*seldom, *often)
    replay = arrivals_from_workload(work, None, n_nodes=1, cores_per_node=1)
    kinds = {each.kind for each in replay.arrivals}
    assert {f"e{number}" for number in range(15)} <= kinds
    assert "job" in kinds
    assert len(kinds) == 17
    assert kinds == set(replay.jobs.jobs)


def test_jobs_that_wait_for_others_and_think() -> None:
    work = a_workload(
        {"submit": 0},
        {"submit": 5, "preceding": 1, "think_seconds": 30},
        {"submit": 6, "preceding": 2},
        {"submit": 7, "preceding": 9, "think_seconds": 1},
    )
    replay = arrivals_from_workload(work, None, n_nodes=1, cores_per_node=1, time_scale=0.5)
    assert [each.after for each in replay.arrivals] == [(), (1,), (2,), ()]
    assert [each.think_seconds for each in replay.arrivals] == [None, 15.0, None, None]


def test_the_mix_of_esp_fits_the_machine_exactly() -> None:
    replay = arrivals_from_workload(
        esp_mix(8, seed=1), None, n_nodes=8, cores_per_node=2, time_scale=0.01
    )
    check_fits(replay.jobs, replay.arrivals, 8, 2)
    whole = [each for each in replay.arrivals if each.kind == "Z"]
    assert [(each.nodes, each.ranks, each.run_seconds) for each in whole] == [(8, 16, 1.0)] * 2
    assert len(replay.jobs.jobs) == 14


def test_a_busy_job_computes_for_so_long_and_ends_well() -> None:
    work = a_workload({"run": 0.2})
    replay = arrivals_from_workload(work, None, n_nodes=1, cores_per_node=1)
    (part,) = kind_of(replay.arrivals[0], replay.jobs).parts
    assert part.launcher
    assert part.command
    assert subprocess.run(part.command, check=False, timeout=60).returncode == 0
    shorter = [word.replace("0.200", "60").replace(":;", "exit 0;") for word in part.command]
    assert subprocess.run(shorter, check=False, timeout=60).returncode != 0
