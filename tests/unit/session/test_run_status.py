"""Runs inspected from another process: real jobs of shell commands in the directory of a run."""

from __future__ import annotations

import fcntl
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heorot.errors import RunError, UsageError
from heorot.jobs.status import read_status
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.adapters.overdue import processes_of
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, read_job, write_job
from heorot.launch.running import running_jobs
from heorot.session import run_status
from heorot.session.exclusive_use import concurrent_runs
from heorot.store.directory import RunDirectory
from heorot.store.lock import LOCK, Holder
from tests.unit.damage import assert_one_line
from tests.unit.session.conftest import kill
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until

pytestmark = pytest.mark.waiting

_QUICK = "exit 0"
_LONG = "sleep 60"


def _write_job(run: RunDirectory, *scripts: str) -> Job:
    """A job of the plan's first steps."""
    place = run.job(1)
    run.write_steps(1, run.plan().steps[: len(scripts)])
    commands = [
        StepCommand(
            step=step.id,
            argv=("bash", "-c", script),
            cwd=place,
            timeout_seconds=60.0,
            record=place / "records" / f"{step.id}.jsonl",
        )
        for step, script in zip(run.plan().steps, scripts, strict=False)
    ]
    return write_job(place, commands)


@pytest.fixture
def job(run: RunDirectory) -> Iterator[Job]:
    """A job whose first step failed and whose second is running."""
    job = _write_job(run, "exit 1", _LONG)
    adapter = LocalAdapter()
    adapter.start(job)

    def second_runs() -> bool:
        step = run_status.status(run.path).running
        return step is not None and step.id == job.steps[1]

    try:
        wait_until(second_runs)
        yield job
    finally:
        kill(job)
        adapter.leave(job)


@pytest.mark.slow
def test_a_run_whose_heorot_is_gone_continues(run: RunDirectory, job: Job) -> None:
    seen = run_status.status(run.path)
    assert seen.state == "alone"
    assert (seen.n_steps, seen.n_done, seen.n_failed) == (3, 1, 1)
    assert seen.running is not None
    assert seen.running.id == job.steps[1]
    assert 0.0 <= seen.running_seconds < 30.0
    # Two of three steps, of 1 s each by the plan; the first took almost no time, unless the
    # machine is busy.
    exit_ = read_status(job.directory).exits[job.steps[0]]
    assert seen.left_seconds == pytest.approx(2.0 * max(exit_.ended - exit_.started, 0.2))
    with run.exclusive():
        assert run_status.status(run.path).state == "measuring"


@pytest.mark.slow
def test_a_stopped_run_keeps_what_has_ended(run: RunDirectory, job: Job) -> None:
    assert run_status.stop(run.path)
    assert not list(processes_of(job))
    seen = run_status.status(run.path)
    assert (seen.state, seen.n_done, seen.running) == ("stopped", 1, None)
    assert not run_status.stop(run.path)


def test_states_of_a_run_without_a_job(run: RunDirectory, tmp_path: Path) -> None:
    assert run_status.status(run.path).state == "stopped"
    run.write_facts(run.facts().model_copy(update={"ended": 2.0}))
    assert run_status.status(run.path).state == "complete"
    adapter, job = LocalAdapter(), _write_job(run, _QUICK, _QUICK, _QUICK)
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    with run.exclusive():
        assert run_status.status(run.path).state == "analysing"
        (run.path / "plan.json").unlink()
        assert run_status.status(run.path).state == "preparing"
    assert run_status.status(run.path).state == "stopped"
    with pytest.raises(RunError):
        run_status.status(tmp_path / "absent")


@pytest.mark.slow
def test_an_abandoned_build_is_ended(run: RunDirectory) -> None:
    place = run.build_job("5d41402a")
    command = StepCommand(
        step="build",
        argv=("bash", "-c", _LONG),
        cwd=run.path,
        timeout_seconds=60.0,
        record=place / "records" / "build",
    )
    job = write_job(place, [command])
    adapter = LocalAdapter()
    adapter.start(job)
    try:
        assert run_status.stop(run.path)
        assert not adapter.alive(job)
    finally:
        adapter.cancel(job)


# A process that works on a run, and reacts to a signal, or not.
_HOLDER = """
import signal, sys, time
from pathlib import Path
from heorot.store.directory import RunDirectory
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with RunDirectory.open(Path(sys.argv[1])).exclusive():
    time.sleep(60)
"""


@pytest.mark.race
@pytest.mark.slow
def test_the_heorot_that_works_on_a_run_is_signalled(run: RunDirectory) -> None:
    with subprocess.Popen([sys.executable, "-c", _HOLDER, run.path]) as child:
        wait_until(lambda: run.holder() is not None)
        assert run_status.stop(run.path)
        assert child.wait(30) == -signal.SIGTERM
    assert run.holder() is None


@pytest.mark.slow
def test_who_does_not_end_is_named(run: RunDirectory) -> None:
    clock = TurnedClock()
    with subprocess.Popen([sys.executable, "-c", _HOLDER, run.path, "deaf"]) as child:
        try:
            wait_until(lambda: run.holder() is not None)
            with pytest.raises(UsageError, match=f"{run.path} does not end") as raised:
                run_status.stop(run.path, clock)
        finally:
            child.kill()
    assert raised.value.hint == f"kill -KILL {child.pid}, and try again"
    assert clock.monotonic() == pytest.approx(120.0, abs=1.0)


def test_a_process_with_a_reused_number_is_not_signalled(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(["sleep", "60"]) as stranger:
        seen = iter([Holder(platform.node(), stranger.pid)])  # and then it has ended
        monkeypatch.setattr(RunDirectory, "holder", lambda _self: next(seen, None))
        assert run_status.end_holder(run)
        stranger.kill()
    assert stranger.returncode == -signal.SIGKILL


def test_a_process_that_does_not_work_on_the_run_is_not_signalled(run: RunDirectory) -> None:
    with run.exclusive():
        us = run.holder()
    assert us is not None
    with subprocess.Popen(["sleep", "60"]) as stranger, (run.path / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            started = Path(f"/proc/{stranger.pid}/stat").read_text().rpartition(")")[2].split()[19]
            lock.write(f"{us.host} {stranger.pid} {started} {us.boot} {us.namespace}")
            lock.flush()
            with pytest.raises(UsageError, match=f"{stranger.pid} has not locked it") as refused:
                run_status.stop(run.path)
        finally:
            stranger.kill()
    assert_one_line(refused.value, run.path)
    assert stranger.returncode == -signal.SIGKILL


@pytest.mark.slow
def test_a_process_of_another_namespace_is_not_signalled(run: RunDirectory) -> None:
    """Its pid is reused here, by an unrelated process as far as visible."""
    inside = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces can be made here: that takes root")
    with subprocess.Popen([*inside, sys.executable, "-c", _HOLDER, run.path]) as child:
        try:
            wait_until(lambda: run.holder() is not None)
            with pytest.raises(UsageError, match="another PID namespace") as refused:
                run_status.stop(run.path)
            assert run.holder() is not None
        finally:
            child.kill()
    assert_one_line(refused.value, run.path)


def test_a_run_on_another_host_is_not_ended(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run.exclusive():
        monkeypatch.setattr("platform.node", lambda: "elsewhere")
        with pytest.raises(UsageError, match=f"runs on {os.uname().nodename}"):
            run_status.stop(run.path)


def _let_only_run(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore jobs of others, which may run on this machine meanwhile."""
    own = [one for one in running_jobs() if one.directory == job.directory]
    assert len(own) == 1
    monkeypatch.setattr("heorot.session.exclusive_use.concurrent_runs.running_jobs", lambda: own)


@pytest.mark.slow
def test_a_job_in_the_way_is_named(
    run: RunDirectory, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    _let_only_run(job, monkeypatch)
    with pytest.raises(UsageError, match=f"a job of {run.path} still runs") as caught:
        concurrent_runs.require_quiet()
    assert f"heorot stop {run.path}" in caught.value.hint
    concurrent_runs.require_quiet(run.path)  # its own job is exempt


@pytest.mark.slow
def test_a_job_whose_directory_is_gone_is_named_by_its_process(
    run: RunDirectory, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    _let_only_run(job, monkeypatch)
    run.facts_file.unlink()
    script = int((read_job(job.directory).directory / "pid").read_text())
    with pytest.raises(UsageError, match=f"process {script} of .*, since ") as caught:
        concurrent_runs.require_quiet()
    assert f"kill {script};" in caught.value.hint
