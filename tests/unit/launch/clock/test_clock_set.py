"""The clock is set while steps run: durations and time limits hold, and the step is reported."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from heorot.jobs.status import read_status
from heorot.launch.job import Job, write_job

if TYPE_CHECKING:
    from pathlib import Path

    from heorot.launch.command import StepCommand
    from tests.unit.launch.conftest import Jobs, Make

pytestmark = pytest.mark.waiting


@pytest.fixture
def set_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with the offset of the job scripts' clock from ours [s]."""
    file, folder = tmp_path / "set by", tmp_path / "bin"
    folder.mkdir()
    date = folder / "date"
    date.write_text(
        f"#!/bin/bash\nt=$EPOCHREALTIME\necho $((${{t%.*}} + $(<'{file}'))).${{t#*.}}\n"
    )
    date.chmod(0o755)
    file.write_text("0")
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return file


def _write(jobs: Jobs, *commands: StepCommand) -> Job:
    job = write_job(jobs.base / "jobs" / "J0001", commands)
    jobs.made.append(job)
    return job


def _asking_date(job: Job) -> Job:
    """The same job, whose script calls `date`, as older shells do."""
    script = job.script.read_text()
    assert "set -u\n" in script
    job.script.write_text(script.replace("set -u\n", "set -u\nunset EPOCHREALTIME\n", 1))
    return job


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [3600, -7200])
def test_a_step_takes_as_long_as_it_takes(jobs: Jobs, set_by: Path, seconds: int) -> None:
    job = _asking_date(jobs.make("true", f"echo {seconds} >'{set_by}'; sleep 0.3", "sleep 0.3"))
    jobs.run_to_end(job)
    status = read_status(job.directory)
    first, second, third = status.exits.values()
    assert [one.clock_set for one in (first, second, third)] == [0, seconds, 0]
    for step in (second, third):
        assert 0.25 < step.ended - step.started < 3.0
    assert abs(second.ended - seconds - time.time()) < 60.0
    assert 0.55 < status.step_seconds <= status.run_seconds < 10.0


@pytest.mark.slow
def test_steps_at_the_same_time_tell_of_it_once(jobs: Jobs, make: Make, set_by: Path) -> None:
    both = set_by.with_name("both")
    first = make(
        "S0001", f"until [ -e '{both}' ]; do sleep 0.01; done; echo 3600 >'{set_by}'", wave=1
    )
    second = make("S0002", f">'{both}'; while [ $(<'{set_by}') = 0 ]; do sleep 0.01; done", wave=1)
    job = _asking_date(_write(jobs, first, second))
    jobs.run_to_end(job)
    status = read_status(job.directory)
    assert [one.clock_set for one in status.exits.values()] == [3600, 3600]
    assert 0.0 < status.step_seconds <= status.run_seconds < 60.0


@pytest.mark.slow
def test_time_is_up_when_it_is(jobs: Jobs, make: Make, set_by: Path) -> None:
    back = make("S0001", f"echo -3600 >'{set_by}'; sleep 60", timeout_seconds=1.0)
    forth = make("S0002", f"echo 3600 >'{set_by}'; exit 124")
    job = _asking_date(_write(jobs, back, forth))
    jobs.run_to_end(job)
    assert [(one["code"], one["timed_out"]) for one in jobs.exits(job)] == [
        (124, True),
        (124, False),
    ]
