"""What job scripts wrote is read back field by field, over all the times a script was started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.collect.status import JobStatus, read_jobs, read_status, reconcile
from heorot.model.outcome import Exit

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


def test_every_event_leaves_its_mark(remains: Remains) -> None:
    remains.event("job", host="n1")
    remains.ended("S0001", code=3)
    remains.event("interrupted")
    remains.event("job", host="n2")
    remains.ended("S0002", code=124, timed_out=True)
    remains.event("end")
    assert read_status(remains.directory) == JobStatus(
        directory=remains.directory,
        hosts=("n1", "n2"),
        started={"S0001": 1010.0, "S0002": 1010.0},
        exits={
            step: Exit(step=step, started=1000.0, ended=1010.0, code=code, timed_out=code == 124)
            for step, code in (("S0001", 3), ("S0002", 124))
        },
        ended=True,
    )


@pytest.mark.parametrize(
    ("last", "state"), [("interrupted", (True, False)), ("end", (False, True))]
)
def test_only_the_last_event_says_how_a_job_is_now(
    remains: Remains, last: str, state: tuple[bool, bool]
) -> None:
    for event in ("end", "interrupted", last):
        remains.event(event)
    status = read_status(remains.directory)
    assert (status.interrupted, status.ended) == state


def test_a_job_that_never_ran_has_neither_ended_nor_been_interrupted(tmp_path: Path) -> None:
    assert read_status(tmp_path) == JobStatus(directory=tmp_path)


def test_a_step_that_ended_twice_in_one_job_counts_with_its_last_end(remains: Remains) -> None:
    remains.ended("S0001", code=9)
    remains.ended("S0001", code=0)
    status = read_status(remains.directory)
    assert status.repeated == ("S0001",)
    assert status.exits["S0001"].code == 0


def test_the_last_complaint_of_a_script_counts(remains: Remains) -> None:
    (remains.directory / "stderr").write_text("heorot: first\nother words\nheorot: last\n")
    assert read_status(remains.directory).complaint == "last"


def test_a_script_may_have_nothing_to_complain_about(remains: Remains) -> None:
    (remains.directory / "stderr").write_bytes(b"warning: caf\xe9\n")
    assert read_status(remains.directory).complaint == ""
    (remains.directory / "stderr").write_bytes(b"\xff\nheorot: full\n")
    assert read_status(remains.directory).complaint == "full"


def test_events_behind_a_torn_line_count(remains: Remains) -> None:
    with (remains.directory / "status.jsonl").open("ab") as file:
        file.write(b'{"event":"exit","step":"S00\n')
    remains.ended("S0002")
    assert list(read_status(remains.directory).exits) == ["S0002"]


def test_repeats_of_all_jobs_add_up(remains: Remains, tmp_path: Path) -> None:
    for name, steps in (("J0002", ("S0001", "S0001")), ("J0003", ("S0002",)), ("J0004", ())):
        job = type(remains)(tmp_path / "jobs", name)
        for step in (*steps, "S0003"):
            job.ended(step)
    (tmp_path / "jobs" / "J0005").write_text("no directory")
    jobs = read_jobs(tmp_path / "jobs")
    assert [job.directory.name for job in jobs] == ["J0001", "J0002", "J0003", "J0004"]
    assert reconcile([], [], jobs).repeated == ("S0001", "S0003")
