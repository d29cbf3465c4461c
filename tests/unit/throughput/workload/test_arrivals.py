"""Jobs of a test: serial numbers, labels, dependencies, and whether they fit the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import WorkloadError
from heorot.throughput.model.kinds import Arrival, JobKind, JobsFile, Part
from heorot.throughput.workload.arrivals import arrivals_at, arrivals_of, check_fits, kind_of
from heorot.throughput.workload.jobs_file import read_jobs
from heorot.throughput.workload.schedule import Schedule, read_schedule, shipped


def a_kind(**keys: object) -> JobKind:
    part = {"name": "p", "command": ("true",)} | {
        key: keys.pop(key) for key in tuple(keys) if key in Part.model_fields
    }
    return JobKind.model_validate({"parts": (Part.model_validate(part),)} | keys)


def a_schedule(folder: Path, text: str) -> Schedule:
    path = folder / "jobs.schedule"
    path.write_text(text)
    return read_schedule(path)


def test_the_published_schedule_has_the_published_labels() -> None:
    path = shipped()["steen2000"]
    jobs = read_jobs(path.with_suffix(".yaml"))
    arrivals = arrivals_of(read_schedule(path), jobs, time_scale=0.1)
    assert [each.serial for each in arrivals] == list(range(1, 34))
    assert [each.label for each in arrivals[:10]] == [
        *("rboltz1", "rboltz2", "rboltz3", "rboltz4", "primmod1", "primmod2", "adf1", "vasp1"),
        *("euroben1", "maya5-1"),
    ]
    assert arrivals[-1].at_seconds == 270.0
    assert (arrivals[9].at_seconds, arrivals[9].line) == (10.0, 8)
    check_fits(jobs, arrivals, 8, 2)


def test_a_name_that_is_not_there_is_reported_with_those_that_are(tmp_path: Path) -> None:
    schedule = a_schedule(tmp_path, "0: 1 * adf\n0: 1 * eurobem\n")
    jobs = JobsFile(jobs={"adf": a_kind(), "euroben": a_kind()})
    with pytest.raises(WorkloadError, match=r"jobs.schedule:2: the job `eurobem` is not") as caught:
        arrivals_of(schedule, jobs)
    assert caught.value.hint == "did you mean euroben? it has adf, euroben"
    with pytest.raises(WorkloadError) as caught:
        arrivals_of(schedule, JobsFile(jobs={"adf": a_kind()}))
    assert caught.value.hint == "it has adf"


def test_many_names_are_not_all_listed(tmp_path: Path) -> None:
    jobs = JobsFile(jobs={f"k{number}": a_kind() for number in range(20)})
    with pytest.raises(WorkloadError) as caught:
        arrivals_of(a_schedule(tmp_path, "0: 1 * zzz\n"), jobs)
    assert caught.value.hint.endswith(" ...")


def test_jobs_wait_for_the_latest_earlier_one_of_each_kind() -> None:
    jobs = JobsFile(
        jobs={
            "a": a_kind(),
            "b": a_kind(after=("a",)),
            "c": a_kind(after=("a", "b"), think_seconds=5.0),
            "d": a_kind(after=("d",)),
        }
    )
    arrivals = arrivals_at([0.0] * 8, ["b", "a", "a", "b", "c", "d", "d", "d"], jobs)
    assert [each.after for each in arrivals] == [(), (), (), (3,), (3, 4), (), (6,), (7,)]


def arrival(**own: object) -> Arrival:
    return Arrival.model_validate(
        {"serial": 1, "label": "k1", "kind": "k", "at_seconds": 0.0} | own
    )


def test_what_a_job_has_of_its_own() -> None:
    words = ("sh", "-c", "sleep {seconds}; echo {ranks} {else} $X", "{x", "{{}}")
    kind = a_kind(command=words, launcher=True, nodes=2, time_limit_seconds=9.0, think_seconds=1.0)
    jobs = JobsFile(jobs={"k": kind})
    assert kind_of(arrival(), jobs) == kind
    own = kind_of(
        arrival(nodes=3, ranks=6, run_seconds=1.5, limit_seconds=60.0, think_seconds=2.0), jobs
    )
    assert (own.nodes, own.time_limit_seconds, own.think_seconds) == (3, 60.0, 2.0)
    assert own.parts[0].ranks == 6
    assert own.parts[0].command == words
    simple = JobsFile(jobs={"k": a_kind(command=("sleep", "{seconds}"))})
    (part,) = kind_of(arrival(ranks=6, run_seconds=1.5), simple).parts
    assert part.command == ("sleep", "1.500")
    assert part.ranks is None
    program = JobsFile(jobs={"k": a_kind(command=None, program="x", ranks=4)})
    assert kind_of(arrival(ranks=6), program).parts[0].ranks == 4


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"nodes": 5}, "takes 5 nodes, but the machine has 4"),
        ({"nodes": 2, "ranks": 6}, "has 3 ranks on a node, but nodes have 2 cores"),
        ({"nodes": 2, "ranks": 4, "threads": 2}, "has 2 ranks x 2 threads on a node"),
        ({"nodes": 2, "ranks": 5, "per_node": 2}, "has 5 ranks, but 2 nodes x 2 are 4"),
        ({"threads": 3}, "has 1 rank x 3 threads on a node"),
    ],
)
def test_a_job_larger_than_the_machine_is_refused(
    tmp_path: Path, keys: dict[str, object], problem: str
) -> None:
    jobs = JobsFile(jobs={"j": a_kind(), "k": a_kind(**keys)})
    days = [arrival(kind="j"), arrival(line=7), arrival(line=8)]
    with pytest.raises(WorkloadError) as caught:
        check_fits(jobs, days, 4, 2)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("the file of jobs: `k1` ")
    assert str(caught.value).endswith(", asked for in line 7 of the schedule")
    path = tmp_path / "jobs.yaml"
    path.write_text("jobs:\n  j: {program: x}\n  k: {program: x}\n")
    with pytest.raises(WorkloadError, match=r"jobs.yaml:3: `k1`"):
        check_fits(jobs, [arrival(), arrival()], 4, 2, jobs_file=path)


def test_a_job_of_the_size_of_the_machine_fits() -> None:
    jobs = JobsFile(jobs={"k": a_kind(nodes=4, ranks=8)})
    check_fits(jobs, [arrival(), arrival(nodes=4)], 4, 2)
    with pytest.raises(WorkloadError, match="takes 5 nodes"):
        check_fits(jobs, [arrival(), arrival(nodes=5)], 4, 2)
