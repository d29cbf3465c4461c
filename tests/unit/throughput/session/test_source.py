"""Sources of the jobs of a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import HeorotError, UsageError
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session.source import find_source, read_arrivals, read_kinds

JOBS = """
jobs:
  one: {command: [sleep, "1"]}
  two: {command: [sleep, "2"], nodes: 2}
"""
SWF = """; MaxProcs: 8
1 0 0 10 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
2 5 0 20 8 -1 -1 8 60 -1 1 1 1 2 1 1 -1 -1
this line is no job
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    file = tmp_path / "jobs.yaml"
    file.write_text(JOBS)
    return file


def _request(schedule: object, **facts: object) -> ThroughputRequest:
    return ThroughputRequest.model_validate({"schedule": str(schedule), **facts})


def test_a_schedule_with_its_file_of_jobs(tmp_path: Path, jobs: Path) -> None:
    file = tmp_path / "a.schedule"
    file.write_text("0: 2 * one_run\n10: 1 * two_run\n")
    request = _request(file, jobs=jobs, time_scale=0.5)
    source = find_source(request)
    kinds = read_kinds(source, 2)
    arrivals, _, reported = read_arrivals(source, kinds, request, 4, 2)
    assert [(each.label, each.at_seconds) for each in arrivals] == [
        ("one1", 0.0),
        ("one2", 0.0),
        ("two1", 5.0),
    ]
    assert reported == ()
    assert len(source.digest) == 64
    few = request.model_copy(update={"most": 1})
    assert len(read_arrivals(source, kinds, few, 4, 2)[0]) == 1


def test_lines_out_of_order_are_reported(tmp_path: Path, jobs: Path) -> None:
    file = tmp_path / "a.schedule"
    file.write_text("10: 1 * one\n0: 1 * two\n")
    request = _request(file, jobs=jobs)
    source = find_source(request)
    arrivals, _, reported = read_arrivals(source, read_kinds(source, 2), request, 4, 2)
    assert [each.kind for each in arrivals] == ["two", "one"]
    assert reported


def test_the_published_schedule_comes_with_heorot() -> None:
    request = _request("steen2000")
    source = find_source(request)
    arrivals, kinds, _ = read_arrivals(source, read_kinds(source, 2), request, 8, 2)
    assert len(arrivals) == 33
    assert set(kinds.jobs) >= {each.kind for each in arrivals}


def test_a_schedule_needs_a_file_of_jobs(tmp_path: Path) -> None:
    file = tmp_path / "a.schedule"
    file.write_text("0: 2 * one_run\n")
    with pytest.raises(UsageError, match="are not defined"):
        find_source(_request(file))


def test_what_is_no_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(HeorotError):
        find_source(_request(tmp_path / "missing.schedule"))
    with pytest.raises(HeorotError):
        find_source(_request(tmp_path))


def test_a_trace_becomes_jobs_and_its_bad_lines_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "trace.swf"
    file.write_text(SWF)
    request = _request(file, time_scale=0.1)
    source = find_source(request)
    arrivals, kinds, reported = read_arrivals(source, read_kinds(source, 2), request, 4, 2)
    assert [each.ranks for each in arrivals] == [4, 8]
    assert [each.nodes for each in arrivals] == [2, 4]
    assert set(kinds.jobs) == {each.kind for each in arrivals}
    assert reported[-1] == "lines that are no jobs, left out: 1"


@pytest.mark.parametrize(
    ("name", "n_jobs"),
    [("esp", 230), ("lublin:20", 20), ("poisson:7:0.5", 7), ("daily:5:60", 5)],
)
def test_models(name: str, n_jobs: int, jobs: Path) -> None:
    request = _request(name, jobs=jobs, seed=3)
    source = find_source(request)
    arrivals, _, _ = read_arrivals(source, read_kinds(source, 2), request, 16, 2)
    assert len(arrivals) == n_jobs
    again, _, _ = read_arrivals(source, read_kinds(source, 2), request, 16, 2)
    assert again == arrivals


@pytest.mark.parametrize(
    "name", ["esp:3", "lublin", "lublin:0", "lublin:1.5", "poisson:3", "poisson:a:b", "daily:1e8:1"]
)
def test_what_is_no_model_is_reported(name: str, jobs: Path) -> None:
    with pytest.raises(UsageError, match="is no model"):
        find_source(_request(name, jobs=jobs))


def test_arrivals_without_kinds_are_no_jobs() -> None:
    with pytest.raises(UsageError, match="the jobs of poisson are not defined"):
        find_source(_request("poisson:3:1"))
