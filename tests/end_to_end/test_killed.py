"""A run that is killed at any moment loses no finished step and repeats none."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.end_to_end.running import heorot, marked_processes, start

pytestmark = [pytest.mark.mpi, pytest.mark.slow]

_ARGUMENTS = ("evaluate", "--profile", "smoke", "--only", "npb/ep", "--only", "compute/peak",
              "--launches", "5")  # fmt: skip


def _exits(directory: Path) -> Counter[str]:
    """How often each step has ended."""
    count: Counter[str] = Counter()
    for status in directory.glob("jobs/*/status.jsonl"):
        for line in status.read_text().splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("event") == "exit":
                count[event["step"]] += 1
    return count


def _steps(directory: Path) -> set[str]:
    plan = json.loads((directory / "plan.json").read_text())
    repeats = [
        step
        for file in directory.glob("jobs/*/steps.json")
        for step in json.loads(file.read_text())
    ]
    return {step["id"] for step in [*plan["steps"], *repeats]}


def test_kill_and_resume_until_it_is_complete(tmp_path: Path) -> None:
    directory = tmp_path / "killed run"
    generator = random.Random(20)  # noqa: S311 - moments, not secrets
    for _ in range(30):
        begun = (directory / "run.json").exists()
        again = ("evaluate", "--resume") if begun else (*_ARGUMENTS, "--out")
        child = start(*again, directory)
        try:
            child.wait(generator.uniform(0.3, 2.5))
            break
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
    assert not marked_processes(directory)


def test_killing_the_job_as_well(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    child = start(*_ARGUMENTS, "--out", directory)
    deadline = time.monotonic() + 120
    while sum(_exits(directory).values()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.kill()
    child.wait()
    for pid in marked_processes(directory):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    before = _exits(directory)
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
    assert set(before) <= set(_exits(directory))


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_cleans_up_and_can_be_resumed(
    request_to_end: signal.Signals, tmp_path: Path
) -> None:
    directory = tmp_path / "run"
    child = start(*_ARGUMENTS, "--out", directory)
    deadline = time.monotonic() + 120
    while sum(_exits(directory).values()) < 1:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.send_signal(request_to_end)
    assert child.wait(20) == 130
    assert not marked_processes(directory)
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
