"""Additions to the output of a script, and their reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.jobs.events import StepEnd, complain, last_complaint, note, parse_event
from heorot.jobs.status import read_status
from heorot.jobs.tail import StatusTail
from heorot.model.run.outcome import Exit


def test_what_others_note_is_a_line_of_the_same_file(tmp_path: Path) -> None:
    note(tmp_path / "gone", event="overdue", step="S1", time=1.0, stopped=True)
    assert not (tmp_path / "gone").exists()
    for stopped in (False, True):
        note(tmp_path, event="overdue", step="S1", time=1.0, stopped=stopped)
    text = (tmp_path / "status.jsonl").read_text()
    assert text.splitlines()[0] == '{"event":"overdue","step":"S1","time":1.0,"stopped":false}'
    assert read_status(tmp_path).overdue == {"S1": True}


def test_complaints_are_those_of_the_script_and_of_who_follows_it(tmp_path: Path) -> None:
    job = tmp_path / "J0001"
    complain(job, "it is not read")
    job.mkdir()
    (job / "stderr").write_text("# opening\nheorot: first\n")
    since = len("# opening\nheorot: first\n")
    assert last_complaint(job) == "first"
    assert last_complaint(job, since) == ""
    complain(job, "caf\u00e9")
    assert last_complaint(job, since) == last_complaint(job) == "job J0001: caf\u00e9"
    (job / "stderr").write_bytes(b"heorot: a\xff\n")
    assert last_complaint(job) == "a\ufffd"


@pytest.mark.parametrize(("timed_out", "late"), [(False, False), (True, False), (False, True)])
def test_a_step_that_was_overdue_had_its_time(timed_out: bool, late: bool) -> None:
    line = {"event": "exit", "step": "S1", "time": 9.0, "code": 3, "started": 2.0, "clock_set": 4}
    end = parse_event(json.dumps(line | {"timed_out": timed_out}).encode())
    assert isinstance(end, StepEnd)
    over = timed_out or late
    reported = Exit(step="S1", started=2.0, ended=9.0, code=3, timed_out=over, clock_set=4)
    assert end.exit(late=late) == reported
    assert end.exit().timed_out == timed_out


def test_who_follows_a_file_hears_of_steps_and_whether_anything_was_new(tmp_path: Path) -> None:
    tail = StatusTail(tmp_path, ["S1"])
    assert tail.status.directory == tail.now.directory == tmp_path
    assert tail.read(0) == ([], False)
    note(tmp_path, event="job", time=1.0)
    assert tail.read(0) == ([], True)
    note(tmp_path, event="start", step="S1", time=2.0)
    ((started,), fresh) = tail.read(0)
    assert (started.event, started.step, fresh) == ("start", "S1", True)
    assert tail.read(0) == ([], False)


@pytest.mark.parametrize("clock_set", [0, 100, -100])
def test_a_step_took_what_it_took_though_the_clock_was_set(tmp_path: Path, clock_set: int) -> None:
    note(tmp_path, event="job", time=1000.0)
    note(tmp_path, event="start", step="S1", time=1000.0)
    end = {"code": 0, "timed_out": False, "started": 1000.0 + clock_set, "clock_set": clock_set}
    note(tmp_path, event="exit", step="S1", time=1005.0 + clock_set, **end)
    note(tmp_path, event="end", time=1006.0 + clock_set)
    status = read_status(tmp_path)
    assert (status.run_seconds, status.step_seconds) == (6.0, 5.0)


def test_of_steps_at_the_same_time_the_first_to_end_accounts_for_the_clock(tmp_path: Path) -> None:
    note(tmp_path, event="job", time=1000.0)
    for step in ("S1", "S2"):
        note(tmp_path, event="start", step=step, time=1000.0)
    for step, time in (("S1", 905.0), ("S2", 906.0)):
        end = {"code": 0, "timed_out": False, "started": 900.0, "clock_set": -100}
        note(tmp_path, event="exit", step=step, time=time, **end)
    assert read_status(tmp_path).step_seconds == 6.0
