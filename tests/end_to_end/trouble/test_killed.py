"""A run that is killed at any moment loses no finished step and repeats none."""

from __future__ import annotations

import json
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.running import heorot, kill_marked, marked_processes, started
from tests.waiting import text_of, wait_until

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.slow,
    pytest.mark.waiting,
    pytest.mark.race,
    pytest.mark.timeout(600),
]

_ARGUMENTS = ("evaluate", "--profile", "smoke", "--only", "npb/ep", "--only", "compute/peak",
              "--launches", "5")  # fmt: skip
# A build that is killed again and again would never end.
_KILLS_AMID_BUILDING = 3


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """Where a run goes; nothing of it is left running."""
    directory = tmp_path / "killed run"
    yield directory
    kill_marked(directory)


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
    dropped = {
        one["step"]
        for file in directory.glob("jobs/*/dropped.json")
        for one in json.loads(file.read_text())
    }
    return {step["id"] for step in [*plan["steps"], *repeats]} - dropped


def _left(directory: Path) -> set[str]:
    """The steps that have not ended; none if there is no plan yet."""
    planned = (directory / "plan.json").exists()
    return _steps(directory) - set(_exits(directory)) if planned else set()


def _has_begun(directory: Path, child: subprocess.Popen[bytes], n_exits: int) -> None:
    """Wait until so many steps have ended."""

    def holds() -> bool:
        return child.poll() is not None or sum(_exits(directory).values()) >= n_exits

    wait_until(holds, 120.0, lambda: text_of(_said(directory)))
    assert child.poll() is None, text_of(_said(directory))


def _said(directory: Path) -> Path:
    """What heorot said of a run."""
    return directory.with_name("said")


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill heorot; it must have been alive."""
    child.kill()
    assert child.wait() == -signal.SIGKILL


def _kill_job(directory: Path) -> int:
    """Kill the job with all its processes, those it starts meanwhile too; returns how many."""
    killed: list[int] = []

    def is_gone() -> bool:
        killed.append(kill_marked(directory))
        return not killed[-1]

    wait_until(is_gone, seen=lambda: marked_processes(directory))
    return sum(killed)


def test_kill_and_resume_until_it_is_complete(directory: Path) -> None:
    generator = random.Random(20)  # noqa: S311 - moments, not secrets
    n_kills_amid_steps = 0
    for attempt in range(30):
        begun = (directory / "run.json").exists()
        again = ("evaluate", "--resume") if begun else (*_ARGUMENTS, "--out")
        with started(*again, directory, said=_said(directory)) as child:
            if attempt >= _KILLS_AMID_BUILDING:
                plan = directory / "plan.json"
                wait_until(plan.exists, 120.0, lambda: text_of(_said(directory)))
            try:
                child.wait(generator.uniform(0.3, 2.5))
                break
            except subprocess.TimeoutExpired:
                _kill(child)
        n_kills_amid_steps += bool(_left(directory))
        if attempt % 2:
            _kill_job(directory)
    assert n_kills_amid_steps > 0
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
    assert not marked_processes(directory)


def test_killing_the_job_as_well(directory: Path) -> None:
    with started(*_ARGUMENTS, "--out", directory, said=_said(directory)) as child:
        _has_begun(directory, child, 2)
        _kill(child)
    assert _kill_job(directory) > 0
    before = _exits(directory)
    assert _left(directory)
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
    assert set(before) <= set(_exits(directory))


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_cleans_up_and_can_be_resumed(
    request_to_end: signal.Signals, directory: Path
) -> None:
    with started(*_ARGUMENTS, "--out", directory, said=_said(directory)) as child:
        _has_begun(directory, child, 1)
        child.send_signal(request_to_end)
        assert child.wait(20) == 130, text_of(_said(directory))
    assert not marked_processes(directory)
    assert _left(directory)
    done = heorot("evaluate", "--resume", directory)
    assert done.code == 0, done.err
    assert _exits(directory) == Counter(_steps(directory))
