"""A terminal that closes amid measuring: the job continues, can be watched, ended and resumed."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.running import COMMAND, command_line, heorot, kill_marked, marked_processes
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.race,
    pytest.mark.timeout(600),
]

_ARGUMENTS = ("evaluate", "--profile", "smoke", "--only", "npb/ep", "--launches", "3")
_SINGLE = ("run", "npb/ep", "--set", "class=S", "--set", "budget=60")


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """Where a run goes; nothing of it is left running."""
    directory = tmp_path / "a run"
    yield directory
    kill_marked(directory)


def _start_on_a_terminal(
    *arguments: str | Path, **variables: str
) -> tuple[subprocess.Popen[bytes], int]:
    """Start a command on a terminal of its own; returns the other end of it, too."""
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        ["setsid", "--ctty", *command_line(*arguments)],
        env=dict(os.environ, **variables),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    return child, ours


def test_the_job_outlives_its_terminal(directory: Path) -> None:
    child, terminal = _start_on_a_terminal(*_ARGUMENTS, "--out", directory)
    wait_until(lambda: bool(list(directory.glob("jobs/*/status.jsonl"))), 120.0)
    os.close(terminal)
    assert child.wait(20) == -signal.SIGHUP
    kill_marked(directory, signal.SIGSTOP)  # so that it does not end while we look

    seen = heorot("status", directory)
    assert seen.code == 0, seen.err
    assert "the heorot that started it is gone" in seen.out
    refused = heorot_alone("evaluate", "--profile", "smoke", "--out", directory.parent / "b")
    assert refused.returncode == 2
    message, hint = refused.stderr.splitlines()
    assert "still runs on this machine" in message
    assert hint.startswith("hint: watch it: heorot status ")
    assert not (directory.parent / "b").exists()

    kill_marked(directory, signal.SIGCONT)
    stopped = heorot("stop", directory)
    assert stopped.code == 0, stopped.err
    assert not marked_processes(directory)
    assert "state    stopped" in heorot("status", directory).out
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert "state    complete" in heorot("status", directory).out


def heorot_alone(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command that shall mind other jobs."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("moment", "ended_by"),
    [
        ("run.json", signal.SIGINT),
        # Both signals request the same; test_killed.py sends each amid measuring.
        pytest.param("run.json", signal.SIGTERM, marks=pytest.mark.nightly),
        pytest.param("run.json", "stop", marks=pytest.mark.nightly),
        pytest.param("plan.json", signal.SIGINT, marks=pytest.mark.nightly),
        ("plan.json", signal.SIGTERM),
        ("plan.json", "stop"),
    ],
)
def test_the_command_to_go_on_with_can_be_pasted(
    directory: Path, moment: str, ended_by: signal.Signals | str
) -> None:
    child = subprocess.Popen(
        command_line(*_ARGUMENTS, "--quiet", "--out", directory),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until((directory / moment).exists, 120.0)
    if isinstance(ended_by, str):
        assert heorot("stop", directory).code == 0
    else:
        child.send_signal(ended_by)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert not marked_processes(directory)
    command = shlex.split(said.splitlines()[-1].removeprefix("heorot: resume with: "))
    assert command == ["heorot", "evaluate", "--resume", str(directory)]
    assert (directory / "run.json").exists()


def test_a_single_program_that_was_interrupted_can_be_gone_on_with(tmp_path: Path) -> None:
    child = subprocess.Popen(
        command_line(*_SINGLE),
        env=dict(os.environ, TMPDIR=str(tmp_path)),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: bool(list(tmp_path.glob("heorot-*/run/jobs/*/status.jsonl"))), 120.0)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "stopping all processes" in said
    (kept,) = tmp_path.glob("heorot-*/run")
    assert said.rstrip().endswith(f"evaluate --resume {kept}")


def test_a_single_program_ends_with_its_terminal(tmp_path: Path) -> None:
    child, terminal = _start_on_a_terminal(*_SINGLE, TMPDIR=str(tmp_path))
    wait_until(lambda: bool(list(tmp_path.glob("heorot-*/run/jobs/*/status.jsonl"))), 120.0)
    (kept,) = tmp_path.glob("heorot-*/run")
    assert marked_processes(kept)
    os.close(terminal)
    assert child.wait(60) > 0
    assert not marked_processes(kept)
