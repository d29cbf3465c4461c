"""The quick state of a step agrees with the state from its whole record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.collect.quick_state import quick_state
from heorot.collect.records import read_last_line, read_record
from heorot.jobs.status import read_status
from heorot.model.run.outcome import State
from heorot.model.run.plan import Step
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


@pytest.mark.parametrize(
    ("sample", "code", "timed_out", "state"),
    [
        ("stream", 0, False, "completed"),
        ("stream", 1, False, "failed"),
        ("stream", 124, True, "timed_out"),
        ("corrupted", 0, False, "failed"),
        ("corrupted", 1, False, "failed"),
        ("refused", 3, False, "refused"),
        ("refused", 137, False, "refused"),
        ("", 0, False, "failed"),
        ("", 3, False, "refused"),
        ("", 2, False, "failed"),
    ],
)
def test_it_agrees_with_the_judgement(
    remains: Remains, step: Step, sample: str, code: int, *, timed_out: bool, state: State
) -> None:
    if sample == "refused":
        step = but(step, benchmark="messages/pingpong", ranks=1, per_node=1)
    remains.ended("S0001", code, timed_out=timed_out)
    if sample:
        remains.record("S0001", sample)
    exit_ = read_status(remains.directory).exits["S0001"]
    assert quick_state(exit_, remains.directory) == state
    (outcome,) = remains.collect(step).outcomes
    assert outcome.state == state


@pytest.mark.parametrize("cut", [1, 30, 5000])
def test_a_cut_record_has_no_success(remains: Remains, cut: int) -> None:
    remains.ended("S0001")
    path = remains.record("S0001", "stream")
    path.write_bytes(path.read_bytes()[:-cut])
    exit_ = read_status(remains.directory).exits["S0001"]
    assert quick_state(exit_, remains.directory) == "failed"


def test_the_last_line_of_any_length(remains: Remains) -> None:
    path = remains.record("S0001", "stream")
    wanted = read_record(path).end
    assert wanted is not None
    assert read_last_line(path) == wanted
    *before, last, _ = path.read_bytes().split(b"\n")
    numbers = b",".join([b"1.5"] * 20_000)
    long = last.replace(b'"user_seconds":[', b'"user_seconds":[' + numbers + b",", 1)
    path.write_bytes(b"\n".join([*before, long, b""]))
    assert read_last_line(path) == read_record(path).end != wanted
    path.write_bytes(long + b"\n")
    assert read_last_line(path) is not None


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n", b"{}\n", b"\xff\n", b"no end"])
def test_what_is_no_record_has_no_last_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "record"
    assert read_last_line(path) is None
    path.write_bytes(content)
    assert read_last_line(path) is None
    assert read_last_line(tmp_path) is None
