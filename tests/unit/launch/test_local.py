"""The local adapter: jobs outlive their driver, can be followed, joined and cancelled."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

import pytest

from heorot import interruption
from heorot.clock import SystemClock
from heorot.jobs.events import StepEnd, StepEvent
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.adapters.overdue import processes_of
from heorot.launch.job import Job
from heorot.launch.running import running_jobs
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting

# A driver imports once and is then forked for every incarnation, so that the kills hit its work.
_DRIVERS = """
import os, sys
from pathlib import Path
from heorot.launch.job import read_job
from heorot.launch.adapters.local import LocalAdapter
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        job = read_job(Path(line.strip()))
        adapter = LocalAdapter()
        adapter.start(job)
        adapter.follow(job, lambda event: None)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Drivers:
    """Drives jobs from processes that can be killed."""

    def __init__(self) -> None:
        self.source = Popen([sys.executable, "-c", _DRIVERS], stdin=PIPE, stdout=PIPE, text=True)

    def drive(self, job: Job, kill_after_seconds: float | None) -> int:
        """Start or join a job and follow it, to its end or to a kill; the driver's exit code."""
        assert self.source.stdin
        assert self.source.stdout
        self.source.stdin.write(f"{job.directory}\n")
        self.source.stdin.flush()
        pid = int(self.source.stdout.readline())
        if kill_after_seconds is not None:
            time.sleep(kill_after_seconds)
            with suppress(ProcessLookupError):  # it may have ended, and have been reaped
                os.kill(pid, signal.SIGKILL)
        return int(self.source.stdout.readline())


class _Noted(SystemClock):
    """A clock that records the lengths of sleeps [s]."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        super().sleep(seconds)


@pytest.fixture
def drivers() -> Iterator[Drivers]:
    drivers = Drivers()
    with drivers.source:
        yield drivers


def test_it_is_an_adapter(jobs: Jobs) -> None:
    adapter: Adapter = jobs.adapter
    assert not adapter.alive(jobs.make("true"))


@pytest.mark.slow
def test_events_come_in_order_and_again_to_whoever_joins_later(jobs: Jobs) -> None:
    job = jobs.make("true", "exit 2", "sleep 5", timeout_seconds=0.2)
    for _ in range(2):
        seen: list[StepEvent] = []
        jobs.adapter.start(job)
        jobs.adapter.follow(job, seen.append)
        assert [(event.event, event.step, getattr(event, "code", None)) for event in seen] == [
            ("start", "S0001", None),
            ("exit", "S0001", 0),
            ("start", "S0002", None),
            ("exit", "S0002", 2),
            ("start", "S0003", None),
            ("exit", "S0003", 124),
        ]
        assert isinstance(seen[-1], StepEnd)
        assert seen[-1].timed_out


@pytest.mark.slow
def test_the_end_of_a_step_is_seen_at_once(jobs: Jobs) -> None:
    job = jobs.make("true", "sleep 0.4")
    clock = _Noted()
    jobs.adapter.start(job)
    LocalAdapter(clock).follow(job, lambda _: None)
    assert max(clock.slept) <= 0.1


@pytest.mark.race
@pytest.mark.slow
def test_30_kills_of_the_driver_lose_and_repeat_nothing(jobs: Jobs, drivers: Drivers) -> None:
    chance = random.Random(2026)  # noqa: S311 -- when to kill
    n_steps, n_kills = 12, 30
    kills = 0
    while kills < n_kills:
        job = jobs.make(*["sleep 0.05"] * n_steps)
        for _ in range(3):
            killed = drivers.drive(job, chance.uniform(0.0, 0.25)) == -signal.SIGKILL
            kills += killed
        assert drivers.drive(job, None) == 0
        assert [exit_["step"] for exit_ in jobs.exits(job)] == list(job.steps)
        assert [event["event"] for event in jobs.events(job)].count("start") == n_steps
        assert not jobs.left(job)


@pytest.mark.race
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_kills_of_the_script_itself_end_in_one_exit_for_each_step(jobs: Jobs, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- when to kill
    job = jobs.make(*["sleep 0.05"] * 6)
    for _ in range(3):
        jobs.adapter.start(job)
        time.sleep(chance.uniform(0.0, 0.15))
        os.kill(jobs.pid(job), signal.SIGKILL)
        wait_until(lambda: not jobs.adapter.alive(job))
    jobs.run_to_end(job)
    assert [exit_["step"] for exit_ in jobs.exits(job)] == list(job.steps)
    assert not jobs.left(job)


@pytest.mark.slow
def test_cancel_leaves_no_process(jobs: Jobs) -> None:
    job = jobs.make("setsid bash -c 'trap \"\" TERM; sleep 100' & sleep 100", "echo never")
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    assert jobs.adapter.alive(job)
    jobs.adapter.cancel(job)
    assert not jobs.left(job, 0)
    assert not jobs.adapter.alive(job)
    assert [event["event"] for event in jobs.events(job)] == ["job", "start", "interrupted"]


@pytest.mark.parametrize("how", ["cancel", "follow"])
def test_what_a_dead_script_left_is_ended(jobs: Jobs, how: str) -> None:
    job = jobs.make("echo up; exec sleep 100")
    jobs.adapter.start(job)
    wait_until(lambda: text_of(job.directory / "outputs/S0001.txt"))  # it stays now
    os.kill(jobs.pid(job), signal.SIGKILL)
    wait_until(lambda: not jobs.adapter.alive(job))
    assert jobs.left(job, 0)
    if how == "cancel":
        jobs.adapter.cancel(job)
    else:
        jobs.adapter.follow(job, lambda _: None)
    assert not jobs.left(job, 0)


def test_an_interruption_that_was_lost_is_taken_up_by_who_follows(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = jobs.make("sleep 100")
    jobs.adapter.start(job)
    monkeypatch.setattr(interruption, "_came", [signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        jobs.adapter.follow(job, lambda _: None)


def test_a_number_taken_by_another_process_is_not_the_script(jobs: Jobs) -> None:
    job = jobs.make("true")
    (job.directory / "pid").write_text(f"{os.getpid()}\n")
    assert not jobs.adapter.alive(job)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_what_ends_a_job_may_come_to_its_program_first(jobs: Jobs, number: signal.Signals) -> None:
    """As the end of a batch job does: the step was cut off, and runs again."""
    job = jobs.make("echo $$ >pid; [[ -e again ]] || exec sleep 100", "true")
    jobs.adapter.start(job)
    wait_until(lambda: text_of(jobs.base / "pid").endswith("\n"))
    os.kill(int(text_of(jobs.base / "pid")), number)
    time.sleep(0.5)
    os.kill(jobs.pid(job), number)
    jobs.adapter.follow(job, lambda _: None)
    assert jobs.exits(job) == []
    (jobs.base / "again").touch()
    jobs.run_to_end(job)
    assert [(event["step"], event["code"]) for event in jobs.exits(job)] == [
        ("S0001", 0),
        ("S0002", 0),
    ]


@pytest.mark.slow
def test_a_program_that_dies_alone_of_a_signal_has_failed(jobs: Jobs) -> None:
    job = jobs.run("kill -TERM $$", "kill -KILL $$", "true")
    assert [event["code"] for event in jobs.exits(job)] == [143, 137, 0]


def test_the_complaint_is_the_last_line_of_the_script_itself(jobs: Jobs) -> None:
    job = jobs.make("true")
    assert jobs.adapter.complaint(job) == ""
    with (job.directory / "stderr").open("a") as file:
        file.write("bash: noise\nheorot: job J0001 stopped: cannot write\nmore noise\n")
    assert jobs.adapter.complaint(job) == "job J0001 stopped: cannot write"


def test_a_directory_that_vanished_ends_the_job(jobs: Jobs) -> None:
    job = jobs.make("true")
    job.script.unlink()
    jobs.run_to_end(job)
    assert jobs.events(job) == []
    assert Path(job.directory / "stderr").exists()


@pytest.mark.slow
def test_what_a_dead_script_left_is_found_with_its_directory(jobs: Jobs, tmp_path: Path) -> None:
    """It has left the directory, leads a session, and its job's script was killed."""
    sign = tmp_path / "sign"
    daemon = f"setsid bash -c 'cd /; echo >{sign}; exec sleep 100' >/dev/null 2>&1 &"
    script = "$(cut -d' ' -f4 /proc/$PPID/stat)"
    job = jobs.make(f"{daemon} until [ -e {sign} ]; do sleep 0.01; done; kill -KILL {script}")
    jobs.adapter.start(job)
    wait_until(lambda: sign.exists() and len(list(processes_of(job))) == 1)
    assert [one for one in running_jobs() if one.directory == job.directory]
    jobs.adapter.cancel(job)
    assert not jobs.left(job, 0)
    assert not [one for one in running_jobs() if one.directory == job.directory]
