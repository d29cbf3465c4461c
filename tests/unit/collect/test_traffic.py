"""Traffic of interfaces in records of several nodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.collect.records import read_record
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains

RECORDS = Path(__file__).parents[2] / "samples" / "records"


def _lines(sample: str) -> list[bytes]:
    return (RECORDS / f"{sample}.jsonl").read_bytes().splitlines(keepends=True)


def _write(path: Path, *traffic: dict[str, object]) -> None:
    """Writes the record of stream, with a node for each rank, and traffic of interfaces."""
    run, *others, end = map(json.loads, _lines("stream"))
    for place, host in zip(run["placement"], ("n1", "n2"), strict=True):
        place["host"] = host
    lines = [run, *others, end | {"traffic": traffic}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _with_traffic(tmp_path: Path, *traffic: dict[str, object]) -> ProgramRecord:
    path = tmp_path / "record.jsonl"
    _write(path, *traffic)
    return read_record(path)


def _carried(interface: object = "eth0", **changes: object) -> dict[str, object]:
    fields = {"nodes": 2, "sent_bytes": 10, "received_bytes": 20, "least_bytes": 14}
    return {"interface": interface, **fields, "most_bytes": 16, **changes}


def test_what_interfaces_carried(tmp_path: Path) -> None:
    record = _with_traffic(tmp_path, _carried(), _carried("mlx5_0:1", received_bytes=21))
    assert record.problem == ""
    assert record.end is not None
    assert record.end.traffic is not None
    assert [one.interface for one in record.end.traffic] == ["eth0", "mlx5_0:1"]
    assert [one.received_bytes for one in record.end.traffic] == [20, 21]
    (real,) = json.loads(_lines("two_nodes")[-1])["traffic"]
    assert real["interface"] == "eth0"
    older = read_record(RECORDS / "stream.jsonl").end
    assert older is not None
    assert older.traffic is None


@pytest.mark.parametrize(
    ("traffic", "foreign"),
    [
        ([_carried(), _carried("eth1", received_bytes=30, most_bytes=26)], "eth1"),
        ([_carried(received_bytes=10, least_bytes=10, most_bytes=10)], None),
        ([_carried(sent_bytes=20, received_bytes=10)], None),
        ([], None),
    ],
)
def test_what_none_of_the_nodes_sent_goes_with_the_samples(
    remains: Remains, step: Step, traffic: list[dict[str, object]], foreign: str | None
) -> None:
    remains.ended("S0001")
    _write(remains.record("S0001", "stream"), *traffic)
    series = remains.collect(but(step, nodes=2, per_node=1)).series
    assert series
    assert {one.foreign and one.foreign.interface for one in series} == {foreign}


@pytest.mark.parametrize(
    ("traffic", "reason"),
    [
        ([_carried(), _carried()], "has the traffic of an interface twice"),
        ([_carried(nodes=3, least_bytes=1)], "on more nodes than the 2 that it ran on"),
        ([_carried(least_bytes=16)], "the bytes of eth0 are not those of its nodes"),
        ([_carried(most_bytes=14)], "the bytes of eth0 are not those of its nodes"),
        ([_carried(sent_bytes=-1)], "greater than or equal to 0"),
        ([_carried("two words")], "match pattern"),
        ([_carried("")], "match pattern"),
        ([_carried(more=1)], "not permitted"),
    ],
)
def test_wrong_traffic_is_a_reason(
    tmp_path: Path, traffic: list[dict[str, object]], reason: str
) -> None:
    problem = _with_traffic(tmp_path, *traffic).problem
    assert reason in problem
    assert "\n" not in problem
