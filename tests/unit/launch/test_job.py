"""The job script: every step ends exactly once, whatever happens to the script."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.errors import RunError, SetupError
from heorot.launch.command import StepCommand
from heorot.launch.job import RUNS_ALREADY, UNWRITABLE, read_job, write_job
from heorot.launch.script import KILL_AFTER_SECONDS
from heorot.process import run
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting


def test_steps_run_in_order_and_their_ends_are_written(jobs: Jobs) -> None:
    job = jobs.run("echo one", "echo two >&2; exit 7", "read -r line || echo no input")
    kinds = [event["event"] for event in jobs.events(job)]
    assert kinds == ["job", "start", "exit", "start", "exit", "start", "exit", "end"]
    assert [event["code"] for event in jobs.exits(job)] == [0, 7, 0]
    assert jobs.output(job, "S0001") == "one\n"
    assert jobs.output(job, "S0002") == "two\n"
    assert jobs.output(job, "S0003") == "no input\n"
    first, opening = jobs.exits(job)[0], jobs.events(job)[0]
    assert opening["time"] <= first["started"] <= first["time"] <= time.time()
    assert opening["id"] == job.marker
    assert opening["host"] == os.uname().nodename
    assert not jobs.left(job)


def test_environment_and_folder_reach_the_program(tmp_path: Path, jobs: Jobs) -> None:
    folder = tmp_path / "a folder 'with' \"quotes\" $HOME"
    folder.mkdir()
    command = StepCommand(
        step="S0001",
        argv=(
            "bash",
            "-c",
            'printf "%s|" "$PWD" "$ONE" "$TWO" "$HEOROT_STEP" "$@"',
            "x",
            "a b",
            "'",
        ),
        environment={"ONE": "1 = 1", "TWO": "it's"},
        cwd=folder,
        timeout_seconds=5,
        record=folder / "record",
    )
    job = write_job(folder / "jobs" / "J0001", [command])
    jobs.made.append(job)
    jobs.run_to_end(job)
    said = jobs.output(job).split("|")
    assert said == [str(folder), "1 = 1", "it's", f"{job.marker}/S0001", "a b", "'", ""]


def test_a_launcher_below_a_path_with_an_equals_sign_is_found(tmp_path: Path, jobs: Jobs) -> None:
    program = tmp_path / "a=b" / "program"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    command = StepCommand(
        step="S0001", argv=(str(program),), cwd=tmp_path, timeout_seconds=5, record=tmp_path / "r"
    )
    job = write_job(tmp_path / "jobs" / "J0001", [command])
    jobs.run_to_end(job)
    assert jobs.output(job) == "ran\n"


@pytest.mark.parametrize("name", ["J 1'$(touch oh)", 'J"`touch oh`"\n$(touch oh)', "J&|\\;#"])
def test_no_name_of_a_job_is_understood_by_the_shell(jobs: Jobs, name: str) -> None:
    job = jobs.make('echo "$HEOROT_STEP"', directory=jobs.base / name / name)
    jobs.run_to_end(job)
    assert jobs.output(job) == f"{job.marker}/S0001\n"
    assert read_job(job.directory) == job
    assert not list(jobs.base.rglob("oh"))


def test_running_again_runs_only_what_has_not_ended(jobs: Jobs) -> None:
    job = jobs.make("echo ran >>first", "echo ran >>second", "echo ran >>third")
    done = '{"event":"exit","step":"S0001","time":2,"code":0,"timed_out":false,"started":1}\n'
    torn = '{"event":"exit","step":"S0002","time":3,"co'
    job.status.write_text(done + '{"event":"start","step":"S0002","time":2}\n' + torn)
    jobs.run_to_end(job)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001", "S0002", "S0003"]
    assert not (jobs.base / "first").exists()
    assert (jobs.base / "second").read_text() == "ran\n"
    jobs.run_to_end(job)
    assert len(jobs.exits(job)) == 3


def test_a_tail_of_zero_bytes_after_a_crash_is_survived(jobs: Jobs) -> None:
    job = jobs.make("true")
    job.status.write_bytes(b'{"event":"start","step":"S0001","time":2}\n' + b"\0" * 100)
    jobs.run_to_end(job)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001"]


@pytest.mark.slow
def test_a_second_copy_ends_at_once(jobs: Jobs) -> None:
    job = jobs.make("sleep 0.5")
    jobs.adapter.start(job)
    assert run(["bash", job.script]).code == RUNS_ALREADY
    jobs.adapter.follow(job, lambda _: None)
    assert len(jobs.exits(job)) == 1


def test_a_person_may_run_it_by_hand_from_anywhere(jobs: Jobs) -> None:
    job = jobs.make("true", "true")
    assert run(["bash", "script.sh"], cwd=job.directory).ok
    assert run(["bash", "J0001/script.sh"], cwd=job.directory.parent).ok
    assert run([job.script], cwd=Path("/")).ok
    assert len(jobs.exits(job)) == 2


@pytest.mark.slow
def test_without_flock_a_directory_is_the_lock(jobs: Jobs, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("bash", "cat", "dd", "env", "grep", "mkdir", "mv", "rm", "sleep", "timeout"):
        (tools / name).symlink_to(shutil.which(name) or "")
    environment = {"PATH": str(tools)}
    job = jobs.make("sleep 0.5")
    stale = job.directory / "lock.d"
    stale.mkdir()
    (stale / "pid").write_text("999999999\n")
    script = ["bash", str(job.script)]
    with subprocess.Popen(script, env=environment) as first:
        jobs.wait_for(job, "start", "S0001")
        assert run(script, environment=environment).code == RUNS_ALREADY
        assert first.wait() == 0
    assert len(jobs.exits(job)) == 1
    assert not stale.exists()
    assert run(script, environment=environment).code == 0


@pytest.mark.slow
def test_killing_the_script_in_mid_step_runs_that_step_again(jobs: Jobs) -> None:
    again = "[ -e again ] && echo ran >>again && exit; setsid sleep 60 & echo ran >again; wait"
    job = jobs.make("true", again)
    jobs.adapter.start(job)
    wait_until(lambda: text_of(jobs.base / "again"))
    os.kill(jobs.pid(job), signal.SIGKILL)
    wait_until(lambda: not jobs.adapter.alive(job))
    assert [event["step"] for event in jobs.exits(job)] == ["S0001"]
    assert jobs.left(job, 0)
    jobs.run_to_end(job)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001", "S0002"]
    assert (jobs.base / "again").read_text() == "ran\nran\n"
    assert not jobs.left(job)


@pytest.mark.slow
def test_a_hanging_tree_is_gone_after_the_timeout(jobs: Jobs) -> None:
    stubborn = "setsid bash -c 'trap \"\" TERM; for i in {1..100}; do sleep 1; done' & sleep 100"
    job = jobs.run(stubborn, "true", timeout_seconds=0.3)
    first, second = jobs.exits(job)
    assert first["timed_out"]
    assert first["code"] == 124
    assert second["code"] == 0
    assert not jobs.left(job)


@pytest.mark.slow
def test_a_program_that_ignores_the_polite_signal_is_killed(jobs: Jobs) -> None:
    job = jobs.make("trap '' TERM; for i in {1..1000}; do sleep 0.1; done", timeout_seconds=0.2)
    script = job.script.read_text()
    assert f"timeout -k {KILL_AFTER_SECONDS} " in script
    job.script.write_text(script.replace(f"timeout -k {KILL_AFTER_SECONDS} ", "timeout -k 0.3 "))
    jobs.run_to_end(job)
    (only,) = jobs.exits(job)
    assert only["timed_out"]
    assert only["code"] == 137
    assert not jobs.left(job)


def test_exit_code_124_of_the_program_itself_is_no_timeout(jobs: Jobs) -> None:
    job = jobs.run("exit 124", timeout_seconds=5)
    assert jobs.exits(job)[0]["code"] == 124
    assert not jobs.exits(job)[0]["timed_out"]


def test_a_crash_is_told_by_the_exit_code_and_leaves_nothing(jobs: Jobs) -> None:
    job = jobs.run("sleep 60 & kill -SEGV $$")
    assert jobs.exits(job)[0]["code"] == 128 + signal.SIGSEGV
    assert not jobs.left(job)


def test_a_program_that_cannot_be_started_is_told_by_the_exit_code(tmp_path: Path) -> None:
    command = StepCommand(
        step="S0001",
        argv=(str(tmp_path / "missing"),),
        cwd=tmp_path,
        timeout_seconds=5,
        record=tmp_path / "record",
    )
    job = write_job(tmp_path / "jobs" / "J0001", [command])
    assert run(["bash", job.script]).ok
    assert '"code":127' in job.status.read_text()


@pytest.mark.slow
def test_output_in_many_small_pieces_is_kept(jobs: Jobs) -> None:
    lines = "for ((i = 0; i < 300; i++)); do echo line $i; sleep 0.001; done"
    job = jobs.run(lines)
    assert jobs.output(job).splitlines() == [f"line {i}" for i in range(300)]


@pytest.mark.slow
def test_endless_output_does_not_fill_the_disk(jobs: Jobs) -> None:
    job = jobs.run("exec cat /dev/urandom", timeout_seconds=0.5)
    assert jobs.exits(job)[0]["timed_out"]
    assert (job.directory / "outputs" / "S0001.txt").stat().st_size == 1 << 20


def test_much_output_does_not_harm_a_program_that_ends_well(jobs: Jobs) -> None:
    job = jobs.run("head -c 5000000 /dev/zero && echo done >end")
    assert jobs.exits(job)[0]["code"] == 0
    assert (jobs.base / "end").exists()


@pytest.mark.slow
def test_a_daemon_left_behind_by_a_good_step_holds_nothing_up(jobs: Jobs) -> None:
    job = jobs.run("setsid sleep 100 & echo started")
    assert (jobs.left(job, 0), jobs.output(job)) == ([], "started\n")
    assert jobs.exits(job)[0]["time"] - jobs.exits(job)[0]["started"] < 50, "it is not waited for"
    assert [event["event"] for event in jobs.events(job)][-1] == "end"
    assert run(["bash", job.script]).ok, "the daemon must not hold the lock"


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Path:
    """A file system of 64 KiB that ends with the test's own mount namespace."""
    if not run(["unshare", "--mount", "--map-root-user", "true"]).ok:
        pytest.skip("mounting is not allowed here, so a full disk cannot be made")
    disk = tmp_path / "disk"
    disk.mkdir()
    return disk


@pytest.mark.slow
def test_a_full_disk_stops_the_job_with_a_clear_line(tiny_disk: Path) -> None:
    job, record = write_job(tiny_disk / "J0001", []), tiny_disk / "r"
    commands = [
        StepCommand(
            step=f"S{n:04d}", argv=("true",), cwd=tiny_disk, timeout_seconds=5, record=record
        )
        for n in range(400)
    ]
    script = write_job(tiny_disk / "J0002", commands).script.read_text()
    shutil.move(job.directory, tiny_disk.parent / "J0001")
    (tiny_disk.parent / "script.sh").write_text(script)
    # Mounted within a namespace of its own: nothing to clean up, whatever happens.
    scene = (
        f"cd '{tiny_disk.parent}' && mount -t tmpfs -o size=64k none disk &&"
        " mkdir -p disk/J0002/outputs && echo reserved >disk/J0002/stderr &&"
        " bash script.sh 2>>disk/J0002/stderr; echo $? >code;"
        " cp disk/J0002/stderr stderr; cp disk/J0002/status.jsonl status.jsonl"
    )
    ended = run(["unshare", "--mount", "--map-root-user", "bash", "-c", scene], timeout_seconds=30)
    assert ended.ok, ended.err
    assert (tiny_disk.parent / "code").read_text() == f"{UNWRITABLE}\n"
    said = (tiny_disk.parent / "stderr").read_text()
    assert "heorot: job J0002 stopped: cannot write" in said
    assert "no space left" in said


def test_writing_a_job_to_a_full_disk_is_one_line_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SetupError, match="No space left on device") as caught:
        write_job(tmp_path / "J0001", [])
    assert "--out" in caught.value.hint
    assert not (tmp_path / "J0001" / "script.sh").exists()


def test_a_job_is_found_again(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.make("true", "false")
    assert read_job(job.directory) == job
    with pytest.raises(RunError):
        read_job(tmp_path / "nothing")
    job.script.write_text("echo hello\n")
    with pytest.raises(RunError, match="not a job script"):
        read_job(job.directory)
