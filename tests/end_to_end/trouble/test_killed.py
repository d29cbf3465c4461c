"""A run that is killed at any moment loses no finished step and repeats none."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.end_to_end.running import (
    N_KILLS_AT_NIGHT,
    heorot,
    kill_marked,
    marked_processes,
    started,
)
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
_NIGHT_SECONDS = 6 * 3600
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
    """Wait until a number of steps have ended."""

    def holds() -> bool:
        return child.poll() is not None or sum(_exits(directory).values()) >= n_exits

    wait_until(holds, 120.0, lambda: text_of(_said(directory)))
    assert child.poll() is None, text_of(_said(directory))


def _said(directory: Path) -> Path:
    """The file with heorot's output about a run."""
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


def _kill_and_resume(
    directory: Path, first: Sequence[str | Path], moment: Callable[[], float]
) -> Iterator[bool]:
    """Kill the process that conducts a run, every second time its job, too, until it is complete.

    Args:
        directory: of the run.
        first: the command that begins it.
        moment: for how long each has worked [s].

    Yields:
        after each of at most 30 kills, whether steps were left.
    """
    for attempt in range(30):
        begun = (directory / "run.json").exists()
        again = (first[0], "--resume") if begun else (*first, "--out")
        with started(*again, directory, said=_said(directory)) as child:
            if attempt >= _KILLS_AMID_BUILDING:
                plan = directory / ("plan.json" if first[0] == "evaluate" else "day.json")
                wait_until(plan.exists, 600.0, lambda: text_of(_said(directory)))
            with suppress(subprocess.TimeoutExpired):
                child.wait(moment())
                assert child.returncode == 0, text_of(_said(directory))
                break
            _kill(child)
        yield bool(_left(directory))
        if attempt % 2:
            _kill_job(directory)
    done = heorot(first[0], "--resume", directory)
    assert done.code == 0, done.err
    assert not marked_processes(directory)


def test_kill_and_resume_until_it_is_complete(directory: Path) -> None:
    generator = random.Random(20)  # noqa: S311 - moments, not secrets
    kills = _kill_and_resume(directory, _ARGUMENTS, lambda: generator.uniform(0.3, 2.5))
    assert any(list(kills))
    assert _exits(directory) == Counter(_steps(directory))


@pytest.fixture
def moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], float]]:
    """Draws moments of kills, early ones as often as late ones; temporary files are seen."""
    seed = random.SystemRandom().getrandbits(32)
    generator = random.Random(seed)  # noqa: S311 - moments, not secrets
    temporary = tmp_path / f"temporary, seed {seed}"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    yield lambda: 0.05 * 60.0 ** generator.random()
    assert list(temporary.iterdir()) == []


@pytest.mark.nightly
@pytest.mark.timeout(_NIGHT_SECONDS)
def test_hundreds_of_kills(
    tmp_path: Path, moments: Callable[[], float], record_property: Callable[[str, object], None]
) -> None:
    n_kills, number = 0, 0
    while n_kills < 400 * N_KILLS_AT_NIGHT // 1000:
        number += 1
        directory = tmp_path / f"run {number}"
        n_kills += len(list(_kill_and_resume(directory, _ARGUMENTS, moments)))
        assert _exits(directory) == Counter(_steps(directory))
        shutil.rmtree(directory)
    record_property("kills and runs", (n_kills, number))


_JOBS = """
jobs:
  short: {command: [bash, -c, "echo x >>ran"]}
  long: {command: [bash, -c, "sleep 1; echo x >>ran"], output: [ran]}
  last: {command: ["true"], after: [long]}
interactive:
  - {name: look, command: ["true"], think_time: 0.1}
"""
_SCHEDULE = "0: 3 * short\n0: 2 * long\n2: 1 * last\n3: 2 * short\n"


@pytest.mark.nightly
@pytest.mark.timeout(_NIGHT_SECONDS)
def test_hundreds_of_kills_of_days(
    tmp_path: Path, moments: Callable[[], float], record_property: Callable[[str, object], None]
) -> None:
    jobs, schedule = tmp_path / "jobs.yaml", tmp_path / "day.schedule"
    jobs.write_text(_JOBS)
    schedule.write_text(_SCHEDULE)
    labels = [*(f"short{number}" for number in range(1, 6)), "long1", "long2", "last1"]
    n_kills, number = 0, 0
    while n_kills < 300 * N_KILLS_AT_NIGHT // 1000:
        number += 1
        directory = tmp_path / f"test {number}"
        first = ("throughput", schedule, "--jobs", jobs, "--alone", "1")
        n_kills += len(list(_kill_and_resume(directory, first, moments)))
        test = json.loads((directory / "settled.json").read_text())
        assert {job["label"]: job["fate"] for job in test["jobs"]} == dict.fromkeys(labels, "ok")
        for status in directory.glob("*/*/status.jsonl"):
            ends = [line for line in status.read_text().splitlines() if '"event":"exit"' in line]
            assert len(ends) == 1, status
        shutil.rmtree(directory)
    record_property("kills and tests", (n_kills, number))


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
