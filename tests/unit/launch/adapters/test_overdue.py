"""Time limits are enforced from outside if a program stops their watchdog, or nothing helps."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.clock import SystemClock
from heorot.jobs.status import read_status
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.adapters.overdue import Watchdog
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, read_job, write_job
from tests.unit.turned import TurnedClock

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

_SCRIPT = "$(cut -d' ' -f4 /proc/$PPID/stat)"
_WAYS = {
    "its parent": "kill -STOP $PPID; sleep 100",
    "its group": "kill -STOP 0; sleep 100",
    "the job script": f"kill -STOP {_SCRIPT}; sleep 100",
    "its parent, then ends": "kill -STOP $PPID",
    "both without end": (
        f"script={_SCRIPT}; trap '' TERM; while :; do kill -STOP $script $PPID; done"
    ),
    "both without end and without the mark": (
        f"script={_SCRIPT}; export script parent=$PPID; unset HEOROT_JOB HEOROT_STEP; "
        "setsid bash -c 'while :; do kill -STOP $script $parent; done' & sleep 100"
    ),
}


class _Fast(SystemClock):
    """A clock that runs twenty times as fast."""

    def monotonic(self) -> float:
        return 20.0 * super().monotonic()

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds / 20.0)


class _Deaf:
    """A job that cannot be ended, as one that waits for a disk; it records the attempts."""

    def __init__(self, *, stopped: bool = False) -> None:
        self.stopped = stopped
        self.tried: list[str] = []
        self.sign: Callable[[], object] = lambda: None

    def progress(self, job: Job) -> object:
        del job
        return self.sign()

    def wake(self, job: Job) -> bool:
        del job
        self.tried.append("wake")
        return self.stopped

    def end_step(self, job: Job, step: str) -> None:
        del job
        self.tried.append(f"end {step}")

    def end_steps(self, job: Job) -> None:
        del job
        self.tried.append("end all")


@pytest.mark.waiting
@pytest.mark.slow
@pytest.mark.parametrize("way", _WAYS)
def test_a_program_cannot_stop_what_ends_it(jobs: Jobs, way: str) -> None:
    job = jobs.make(_WAYS[way], "true", timeout_seconds=0.5)
    jobs.adapter.start(job)
    LocalAdapter(_Fast()).follow(job, lambda _: None)
    status = read_status(job.directory)
    assert status.ended
    assert [status.exits[step].timed_out for step in job.steps] == [True, False]
    assert status.overdue == {"S0001": True}
    assert not jobs.left(job, 0)


@pytest.mark.waiting
@pytest.mark.slow
@pytest.mark.parametrize("way", ["its group", "the job script", "both without end"])
def test_an_agent_keeps_limits_there(jobs: Jobs, tmp_path: Path, way: str) -> None:
    agent = tmp_path / "agent"
    agent.write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')
    agent.chmod(0o755)
    job = jobs.make(_WAYS[way], "true", timeout_seconds=0.5)
    adapter = HostsAdapter((str(agent),), "here", _Fast())
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    status = read_status(job.directory)
    assert [status.exits[step].timed_out for step in job.steps] == [True, False]
    assert status.overdue == {"S0001": True}


@pytest.mark.waiting
@pytest.mark.slow
def test_a_script_that_nothing_helps_is_ended_and_the_rest_goes_on(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = jobs.make("sleep 100", "true", timeout_seconds=0.5)
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    os.kill(jobs.pid(job), signal.SIGSTOP)
    means = _Deaf(stopped=True)
    monkeypatch.setattr("heorot.launch.adapters.local.Here", lambda: means)
    LocalAdapter(_Fast()).follow(job, lambda _: None)
    status = read_status(job.directory)
    assert [status.exits[step].timed_out for step in job.steps] == [True, False]
    assert status.ended
    assert means.tried == ["wake", "end S0001", "wake", "end all", "wake", "wake"]


def _begun(tmp_path: Path, seconds: float = 60.0) -> Job:
    """A job whose first step has started."""
    fields = {"argv": ("x",), "cwd": tmp_path, "record": tmp_path / "r"}
    command = StepCommand.model_validate({"step": "S1", "timeout_seconds": seconds, **fields})
    job = write_job(tmp_path / "J0001", [command])
    lines = ({"event": "job", "time": 90.0}, {"event": "start", "step": "S1", "time": 100.0})
    job.status.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return job


def _look_for(watchdog: Watchdog, job: Job, clock: TurnedClock, seconds: float) -> bool:
    tail = StatusTail(job.directory, job.steps)
    for _ in range(int(seconds)):
        tail.read(0)
        if watchdog.look(tail):
            return True
        clock.sleep(1.0)
    return False


def test_what_waits_for_a_disk_is_given_up_step_by_step(tmp_path: Path) -> None:
    job, clock, means = _begun(tmp_path), TurnedClock(), _Deaf()
    watchdog = Watchdog(job, means, clock, 15.0)
    assert not _look_for(watchdog, job, clock, 60.0 + 5.0 + 14.0)
    assert means.tried == []
    assert _look_for(watchdog, job, clock, 100.0)
    assert means.tried == ["wake", "end S1", "wake", "end all", "wake", "wake"]
    assert read_status(job.directory).overdue == {"S1": False}
    tail = StatusTail(job.directory, job.steps)
    tail.read(0)
    watchdog.conclude(tail)
    exit_ = read_status(job.directory).exits["S1"]
    assert (exit_.code, exit_.timed_out, exit_.started) == (137, True, 100.0)
    assert 60.0 < exit_.ended - exit_.started < 200.0


def test_a_script_that_gets_on_is_left_alone_but_not_for_ever(tmp_path: Path) -> None:
    job, clock, means = _begun(tmp_path), TurnedClock(), _Deaf()
    means.sign = clock.monotonic  # always something new
    watchdog = Watchdog(job, means, clock, 15.0)
    assert not _look_for(watchdog, job, clock, 60.0 + 5.0 + 99.0)
    assert means.tried == []
    assert _look_for(watchdog, job, clock, 400.0)


def test_a_step_in_time_is_not_watched_closer(tmp_path: Path) -> None:
    job, clock, means = _begun(tmp_path), TurnedClock(), _Deaf()
    asked: list[float] = []
    means.sign = lambda: asked.append(clock.monotonic())
    watchdog = Watchdog(job, means, clock, 15.0)
    assert not _look_for(watchdog, job, clock, 64.0)
    with job.status.open("a") as file:
        file.write(
            '{"event":"exit","step":"S1","time":1.0,"code":0,"timed_out":false,"started":0}\n'
        )
    assert not _look_for(watchdog, job, clock, 290.0)
    assert asked == []


def test_a_script_that_stands_still_between_steps_is_ended(tmp_path: Path) -> None:
    job, clock, means = _begun(tmp_path), TurnedClock(), _Deaf()
    job.status.write_text('{"event":"job","time":90.0}\n')
    watchdog = Watchdog(job, means, clock, 15.0)
    assert not _look_for(watchdog, job, clock, 310.0)
    assert _look_for(watchdog, job, clock, 200.0)
    assert means.tried == ["wake", "end all", "wake", "end all", "wake", "wake"]
    assert read_status(job.directory).overdue == {}


def test_what_an_earlier_copy_began_is_not_running(tmp_path: Path) -> None:
    job = _begun(tmp_path)
    with job.status.open("a") as file:
        file.write('{"event":"job","time":200.0}\n')
    tail = StatusTail(job.directory, job.steps)
    tail.read(0)
    assert tail.status.running == {}


@pytest.mark.parametrize("seconds", ["1.2.3", "9" * 400, "."])
def test_odd_limits_of_a_script_are_none(tmp_path: Path, seconds: str) -> None:
    job = _begun(tmp_path)
    assert read_job(job.directory).limits == {"S1": 60.0}
    job.script.write_text(job.script.read_text().replace("step S1 60.000 ", f"step S1 {seconds} "))
    assert (read_job(job.directory).steps, read_job(job.directory).limits) == (("S1",), {})
