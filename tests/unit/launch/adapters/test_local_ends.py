"""The local adapter ends what it started: late starts, forking processes, ignored signals."""

from __future__ import annotations

import os
import re
import shlex
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.clock import SystemClock
from heorot.errors import SetupError
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.job import RUNS_ALREADY
from tests.unit.launch.runaways import chain_command, is_there, survives
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs


def _slow_bash(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a bash first in PATH that does something else before."""
    folder.mkdir()
    (folder / "bash").write_text(f'#!/bin/bash\n{script}\nexec /bin/bash "$@"\n')
    (folder / "bash").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.mark.waiting
@pytest.mark.slow
def test_a_bash_that_begins_too_late_is_ended_and_reported(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = jobs.make("true")
    _slow_bash(tmp_path / "bin", monkeypatch, f"sleep 60 & echo $! $$ >{tmp_path}/pids; wait")
    clock = TurnedClock()
    adapter = LocalAdapter(clock)
    clock.after(5.0, lambda: wait_until(partial(text_of, tmp_path / "pids")))
    with pytest.raises(
        SetupError, match=r"within 30 s, bash has not begun .*script\.sh$"
    ) as caught:
        adapter.start(job)
    assert "try again" in caught.value.hint
    numbers = map(int, (tmp_path / "pids").read_text().split())
    assert [pid for pid in numbers if is_there(pid)] == []
    assert not adapter.alive(job)
    assert jobs.events(job) == []
    monkeypatch.undo()
    jobs.run_to_end(job)
    assert len(jobs.exits(job)) == 1


def test_a_lock_that_is_not_free_is_reported(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = jobs.make("true")
    _slow_bash(tmp_path / "bin", monkeypatch, f"exit {RUNS_ALREADY}")
    with pytest.raises(SetupError, match=r"J0001 cannot be started: .* something holds .*/lock$"):
        LocalAdapter(TurnedClock()).start(job)


@pytest.mark.waiting
@pytest.mark.slow
def test_cancel_waits_for_a_script_that_tidies_up(jobs: Jobs) -> None:
    job = jobs.make("sleep 100")
    # As when it looks for slow hosts: it takes long, but makes progress.
    text = job.script.read_text()
    slow = "interrupt() {\n    for ((one = 0; one < 25; one++)); do sleep 0.1; done\n"
    assert text.count("interrupt() {") == 1
    job.script.write_text(re.sub(r"interrupt\(\) {.*\n", slow, text))
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    LocalAdapter(_Fast()).cancel(job)
    assert jobs.events(job)[-1]["event"] == "interrupted"
    assert not jobs.left(job, 0)


@pytest.mark.waiting
@pytest.mark.slow
@pytest.mark.parametrize("state", ["deaf", "stopped"])
def test_cancel_ends_a_script_that_does_not_get_on(jobs: Jobs, state: str) -> None:
    job = jobs.make("sleep 100")
    text = job.script.read_text()
    if state == "deaf":
        job.script.write_text(text.replace("trap interrupt TERM INT HUP", "trap '' TERM INT HUP"))
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    if state == "stopped":
        os.kill(jobs.pid(job), signal.SIGSTOP)
    adapter = LocalAdapter(_Fast()) if state == "deaf" else LocalAdapter()
    adapter.cancel(job)
    assert not jobs.left(job, 0)
    last = jobs.events(job)[-1]["event"]
    assert last == ("start" if state == "deaf" else "interrupted")


@pytest.mark.race
@pytest.mark.waiting
@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_a_chain_of_forks_does_not_outlive_its_job(jobs: Jobs, *, apart: bool) -> None:
    for number in range(4):
        chain = shlex.join(chain_command(seconds=0.002 * (number % 2), apart=apart))
        job = jobs.make(f"{chain}; echo >{jobs.base}/on{number}; sleep 100")
        jobs.adapter.start(job)
        wait_until(partial(text_of, jobs.base / f"on{number}"))
        if number > 1:  # only the adapter can end the rest
            os.kill(jobs.pid(job), signal.SIGKILL)
        jobs.adapter.cancel(job)
        assert not survives(f"HEOROT_JOB={job.marker}")
        assert not jobs.adapter.alive(job)


def test_a_script_of_ours_is_followed_to_its_end_whatever_becomes_of_its_files(jobs: Jobs) -> None:
    place = jobs.base / "jobs/J0001"
    job = jobs.make(f"rm {place}/pid; sleep 0.3; touch {jobs.base}/end", directory=place)
    jobs.run_to_end(job)
    assert (jobs.base / "end").exists()
    assert len(jobs.exits(job)) == 1


class _Fast(SystemClock):
    """A clock that runs ten times as fast."""

    def monotonic(self) -> float:
        return 10.0 * super().monotonic()

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds / 10.0)
