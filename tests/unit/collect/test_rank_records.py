"""Ranks in a region's line: their own times, and the skew of their starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.collect.records import read_record
from heorot.model.run.program_record import ProgramRecord

STREAM = Path(__file__).parents[2] / "samples" / "records" / "stream.jsonl"


def _lines() -> list[bytes]:
    return STREAM.read_bytes().splitlines(keepends=True)


def _of_ranks(medians: list[float], slowest: list[int]) -> dict[str, object]:
    return {"by": "rank", "median_seconds": medians, "slowest": slowest}


def _of_hosts(*hosts: str, **changes: object) -> dict[str, object]:
    names = ("lowest_seconds", "median_seconds", "highest_seconds")
    fields = dict.fromkeys(names, [0.5] * len(hosts)) | {"slowest": [1] * len(hosts)}
    return {"by": "host", "hosts": hosts, **fields, **changes}


def _with_own(tmp_path: Path, own: dict[str, object]) -> ProgramRecord:
    """The record of stream on two ranks, whose first region has these own times."""
    run, *others = _lines()
    region = json.loads(next(line for line in others if b'"region","name":"copy"' in line))
    path = tmp_path / "record.jsonl"
    path.write_bytes(run + json.dumps(region | {"own": own}).encode() + b"\n")
    return read_record(path)


def test_own_times_are_read_by_rank_and_by_host(tmp_path: Path) -> None:
    record = _with_own(tmp_path, _of_ranks([0.5, 0.25], [3, 0]))
    assert record.problem == ""
    (region,) = record.regions
    assert region.own is not None
    assert region.own.model_dump() == {
        "by": "rank",
        "median_seconds": (0.5, 0.25),
        "slowest": (3, 0),
    }
    assert record.run is not None
    (host,) = {place.host for place in record.run.placement}
    assert _with_own(tmp_path, _of_hosts(host)).problem == ""


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        (_of_ranks([0.5, 0.5], [1]), "own times do not have one value of each kind per rank"),
        (_of_ranks([0.5], [1]), "own times of region copy are not those of 2 ranks"),
        (_of_ranks([], []), "should have at least 1 item"),
        (_of_ranks([0.5, 0.5], [1, 1_000_000]), "slowest in more samples than region copy has"),
        (_of_ranks([0.5, 0.5], [1, -1]), "greater than or equal to 0"),
        (_of_hosts("n7"), "own times of region copy are not those of the hosts"),
        (_of_hosts("n7", "n7"), "own times do not have one value of each kind per host"),
        (_of_hosts("n7", slowest=[]), "own times do not have one value of each kind per host"),
        ({"by": "socket"}, "does not match any of the expected tags"),
    ],
)
def test_wrong_own_times_are_a_reason(tmp_path: Path, own: dict[str, object], reason: str) -> None:
    problem = _with_own(tmp_path, own).problem
    assert reason in problem
    assert "\n" not in problem


_STARTS = {
    "bodies": 100,
    "late": 3,
    "window_seconds": 1e-6,
    "clock_error_seconds": 0.0,
    "local_seconds": [1e-4, 2e-4],
}


def _with_starts(tmp_path: Path, **changes: object) -> ProgramRecord:
    """A region of two samples whose bodies began like this."""
    run, *others = _lines()
    region = json.loads(next(line for line in others if b'"region","name":"copy"' in line))
    region |= {"seconds": [1.5e-4, 2.5e-4], "starts": _STARTS | changes, "own": None}
    path = tmp_path / "record.jsonl"
    path.write_bytes(run + json.dumps(region).encode() + b"\n")
    return read_record(path)


def test_starts_of_bodies_are_read(tmp_path: Path) -> None:
    record = _with_starts(tmp_path)
    assert record.problem == ""
    (region,) = record.regions
    assert region.starts is not None
    assert region.starts.local_seconds == (1e-4, 2e-4)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"late": 101}, "more bodies came late than there were"),
        ({"local_seconds": [1e-4]}, "has other samples of single ranks than of all"),
        ({"window_seconds": -1.0}, "greater than or equal to 0"),
    ],
)
def test_wrong_starts_are_a_reason(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    problem = _with_starts(tmp_path, **changes).problem
    assert reason in problem
    assert "\n" not in problem
