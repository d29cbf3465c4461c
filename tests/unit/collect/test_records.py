"""Records of real programs are read whole; damaged ones give a reason."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from heorot.collect.output import last_output
from heorot.collect.records import read_record
from heorot.model.run.program_record import ProgramRecord
from tests.yardstick import processor_time

RECORDS = Path(__file__).parents[2] / "samples" / "records"
GOLDEN = Path(__file__).parents[2] / "contract" / "golden" / "record.jsonl"


def _lines(sample: str) -> list[bytes]:
    return (RECORDS / f"{sample}.jsonl").read_bytes().splitlines(keepends=True)


def test_a_record_of_stream() -> None:
    record = read_record(RECORDS / "stream.jsonl")
    assert record.problem == ""
    assert record.run is not None
    assert record.run.benchmark == "memory/stream"
    assert [place.cpus for place in record.run.placement] == [(0,), (1,)]
    names = ["caches", "copy", "scale", "add", "triad", "memcpy", "read"]
    assert [region.name for region in record.regions] == names
    assert all(len(region.seconds) >= 3 for region in record.regions)
    assert all(check.passed for check in record.checks)
    assert record.end is not None
    assert record.end.passed


@pytest.mark.parametrize("path", [*sorted(RECORDS.glob("*.jsonl")), GOLDEN])
def test_every_real_record_is_valid(path: Path) -> None:
    record = read_record(path)
    assert record.problem == ""
    assert record.run is not None
    assert record.refused or record.end


def test_a_refusal() -> None:
    record = read_record(RECORDS / "refused.jsonl")
    assert record.refused == "needs at least 2 ranks, has 1"
    assert record.end is None


def test_a_missing_record_is_an_empty_one(tmp_path: Path) -> None:
    assert read_record(tmp_path / "none.jsonl") == ProgramRecord()
    assert "cannot be read" in read_record(tmp_path).problem


@pytest.mark.parametrize("n_bytes", [0, 1, 100, 1500, 3000, -1, -2])
def test_a_record_cut_off_anywhere_has_no_end_and_no_other_problem(
    tmp_path: Path, n_bytes: int
) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes((RECORDS / "stream.jsonl").read_bytes()[:n_bytes])
    record = read_record(path)
    assert record.end is None
    assert record.problem == ""


@pytest.mark.parametrize(
    ("number", "line", "reason"),
    [
        (3, b"hello\n", "line 3 of the record is not valid: "),
        (2, b"\x00\xff\n", "line 2 of the record is not valid: "),
        (1, b'{"type":"note","name":"x","value":1,"more":2}\n', "line 1 of the record is not"),
        (1, b'{"type":"note","name":"x","value":1}\n', "does not begin with its one run line"),
        (18, b'{"type":"note","name":"x","value":1}\n', "continues after its end line"),
        (
            17,
            b'{"type":"check","name":"x","value":1,"tolerance":2,"passed":true}\n',
            "has 8 checks, its end line counts 7",
        ),
    ],
)
def test_a_wrong_line_is_a_reason(tmp_path: Path, number: int, line: bytes, reason: str) -> None:
    lines = _lines("stream")
    n_lines = len(lines)
    place = {17: n_lines - 1, 18: n_lines}.get(number, number - 1)
    path = tmp_path / "record.jsonl"
    path.write_bytes(b"".join([*lines[:place], line, *lines[place:]]))
    record = read_record(path)
    assert reason in record.problem
    assert "\n" not in record.problem


def test_a_wrong_line_is_told_by_its_place_and_without_its_contents(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    line = b'{"type":"check","name":"x","value":1,"tolerance":[7],"passed":true}\n'
    path.write_bytes(_lines("stream")[0] + line)
    problem = read_record(path).problem
    assert problem == (
        "line 2 of the record is not valid: check.tolerance: Input should be a valid number"
    )
    path.write_bytes(_lines("stream")[0] + b"hello\n")
    assert read_record(path).problem.startswith("line 2 of the record is not valid: Invalid JSON")


def test_one_check_lost_and_another_doubled_are_noticed(tmp_path: Path) -> None:
    """The end line counts as many as there are."""
    lines = _lines("stream")
    first, *_, last = [i for i, line in enumerate(lines) if line.startswith(b'{"type":"check"')]
    lines[first] = lines[last]
    path = tmp_path / "record.jsonl"
    path.write_bytes(b"".join(lines))
    assert "is in the record twice" in read_record(path).problem


def test_a_record_of_a_later_schema_is_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    text = (RECORDS / "stream.jsonl").read_text()
    path.write_text(text.replace('"schema":1', '"schema":2'))
    assert read_record(path).problem == "the record has schema 2, this version reads 1"


def test_undefined_values_of_a_check_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    check = b'{"type":"check","name":"x","value":"%s","tolerance":2,"passed":false}\n'
    path.write_bytes(_lines("stream")[0] + check % b"nan" + check % b"inf")
    first, second = read_record(path).checks
    assert math.isnan(first.value)
    assert second.value == math.inf


def test_a_region_without_samples_is_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    region = next(line for line in _lines("stream") if b'"region","name":"copy"' in line)
    start, stop = region.index(b"[") + 1, region.index(b"]")
    path.write_bytes(_lines("stream")[0] + region[:start] + region[stop:])
    assert read_record(path).problem == "region copy of the record has no samples"


def test_the_phases_of_a_real_program_add_up_to_its_time() -> None:
    (region,) = read_record(RECORDS / "sp.jsonl").regions
    assert region.phases
    assert {"rest", "compute_rhs", "x_solve"} <= {phase.name for phase in region.phases}
    body = sum(region.seconds) / len(region.seconds) / region.repetitions
    for rank in (0, 1):
        phases = sum(
            phase.computation_seconds[rank] + phase.communication_seconds[rank]
            for phase in region.phases
        )
        assert phases == pytest.approx(body, rel=0.05)
    assert sum(sum(phase.messages) for phase in region.phases) > 0


def _with_phases(tmp_path: Path, *phases: dict[str, object]) -> Path:
    """The record of stream on two ranks, whose first region has these phases."""
    run, *others = _lines("stream")
    region = json.loads(next(line for line in others if b'"region","name":"copy"' in line))
    path = tmp_path / "record.jsonl"
    path.write_bytes(run + json.dumps(region | {"phases": phases}).encode() + b"\n")
    return path


def _phase(name: str = "rhs", **changes: object) -> dict[str, object]:
    two = [0.5, 0.25]
    fields = dict.fromkeys(
        ("computation_seconds", "communication_seconds", "messages", "bytes", "collectives"), two
    )
    return {"name": name, **fields, **changes}


def test_phases_are_read_rank_by_rank(tmp_path: Path) -> None:
    record = read_record(_with_phases(tmp_path, _phase(), _phase("rest", bytes=[800, 0])))
    assert record.problem == ""
    (region,) = record.regions
    assert region.phases
    rhs, rest = region.phases
    assert (rhs.name, rhs.computation_seconds, rhs.n_ranks) == ("rhs", (0.5, 0.25), 2)
    assert rest.bytes == (800.0, 0.0)


@pytest.mark.parametrize(
    ("phases", "reason"),
    [
        ([_phase(bytes=[1.0])], "phase rhs does not have one value of each kind per rank"),
        ([_phase(messages=[-1, 0])], "greater than or equal to 0"),
        ([_phase(computation_seconds=["nan", 0])], "finite"),
        ([_phase(), _phase()], "region copy of the record has a phase twice"),
        (
            [{name: v if name == "name" else [0.5] for name, v in _phase().items()}],
            "the phases of region copy are not those of 2 ranks",
        ),
    ],
)
def test_wrong_phases_are_a_reason(
    tmp_path: Path, phases: list[dict[str, object]], reason: str
) -> None:
    record = read_record(_with_phases(tmp_path, *phases))
    assert reason in record.problem
    assert "\n" not in record.problem


@pytest.mark.timed
def test_long_records_are_read_quickly(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    region = next(line for line in _lines("stream") if b'"region","name":"copy"' in line)
    start, stop = region.index(b"[") + 1, region.index(b"]")
    many = b",".join(b"%.9e" % (1e-4 + i * 1e-9) for i in range(200_000))
    path.write_bytes(_lines("stream")[0] + region[:start] + many + region[stop:])
    with processor_time(0.5):
        (read,) = read_record(path).regions
    assert len(read.seconds) == 200_000


def test_the_last_output_is_short_and_printable(tmp_path: Path) -> None:
    path = tmp_path / "S0001.txt"
    path.write_bytes(b"early\n" * 1000 + b"\x1b[31mred\x1b[0m\ttab\a\r\n\x00\xff\xfebinary\n\n")
    lines = last_output(path).split("\n")
    assert len(lines) == 20
    assert lines[0] == "early"
    assert lines[-2] == "red    tab"
    assert lines[-1].endswith("binary")
    assert all(line.isprintable() for line in lines)
    path.write_bytes(b"  indented  \n")
    assert last_output(path) == "  indented"
    path.write_bytes(bytes(range(256)) * 100)
    assert len(last_output(path)) <= 2048
    assert last_output(tmp_path / "none.txt") == ""
