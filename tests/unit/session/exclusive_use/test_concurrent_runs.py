"""Other measurements on this machine: owner, inspection, and the order of waiting runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from heorot import process
from heorot.errors import UsageError
from heorot.launch.running import Running, running_jobs
from heorot.session.exclusive_use import concurrent_runs
from heorot.session.progress import Progress
from tests.unit.turned import TurnedClock
from tests.waiting import wait_until

needs_namespaces = pytest.mark.skipif(
    not process.run(["unshare", "-m", "true"]).ok, reason="no namespaces to be had"
)
STRANGER = 4_000_001


def make_run(place: Path) -> Path:
    """The directory of a run with a job; returns that of the job."""
    (place / "jobs/J0001").mkdir(parents=True)
    (place / "run.json").touch()
    return place / "jobs/J0001"


@pytest.fixture
def running(tmp_path: Path) -> Running:
    job = make_run(tmp_path / "run")
    return Running(pid=4711, directory=job, ways=(job,), user=os.geteuid(), began=1.8e9)


def refusal(monkeypatch: pytest.MonkeyPatch, *jobs: Running) -> tuple[str, str]:
    """The refusal where these jobs run."""
    monkeypatch.setattr(concurrent_runs, "running_jobs", lambda: jobs)
    with pytest.raises(UsageError) as refused:
        concurrent_runs.require_quiet()
    return str(refused.value), refused.value.hint


def test_ones_own_job_is_named_and_can_be_ended(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, hint = refusal(monkeypatch, running)
    assert re.match(f"a job of {running.run} still runs on this machine, process 4711 of ", said)
    assert re.search(r", since 2027-01-1\d \d\d:\d\d:\d\d: ", said)
    assert f"heorot stop {running.run}" in hint
    assert refusal(monkeypatch, replace(running, is_apart=True), running) == (said, hint)
    monkeypatch.setattr(concurrent_runs, "running_jobs", lambda: [running])
    concurrent_runs.require_quiet(running.run)  # its own job is exempt


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("change", [{"user": STRANGER}, {"is_apart": True}])
def test_no_user_is_advised_to_end_a_run_of_another(
    running: Running, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], gone: bool
) -> None:
    job = replace(running, **change)
    if gone:
        (job.run / "run.json").unlink()
    said, hint = refusal(monkeypatch, job)
    assert "process 4711 of " in said
    assert ("which is gone" in said) == gone
    assert ("in a container" in said) == job.is_apart
    assert f"user {STRANGER}" in said or job.user != STRANGER
    assert not re.search("kill|stop", hint)
    assert "--anyway" in hint
    assert ("ps -o user,lstart,args -p 4711" if gone else f"status {job.run}") in hint


def test_what_may_not_be_looked_at_is_not_gone(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_: Path) -> os.stat_result:
        raise PermissionError

    monkeypatch.setattr(Path, "stat", forbidden)
    said, hint = refusal(monkeypatch, running)
    assert "gone" not in said
    assert "kill" not in hint


def test_only_ones_own_process_is_to_be_killed(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    (running.run / "run.json").unlink()
    said, hint = refusal(monkeypatch, running)
    assert said.startswith("a job whose directory is gone still runs here, process 4711 of ")
    assert "; end it: kill 4711; " in hint


@contextmanager
def marked(job: Path, marker: str, *words: str) -> Iterator[Running]:
    """A process with the mark of a job, like a script, but another command."""
    environment = os.environ | {"HEOROT_JOB": marker}
    script = f"cd {job} && exec sleep 60"
    child = subprocess.Popen([*words, "sh", "-c", script], env=environment, start_new_session=True)
    try:
        wait_until(lambda: Path(f"/proc/{child.pid}/comm").read_text() == "sleep\n")
        (found,) = (one for one in running_jobs() if one.pid == child.pid)
        yield found
    finally:
        child.kill()
        child.wait()


@pytest.mark.slow
@pytest.mark.waiting
def test_a_job_in_this_namespace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with marked(make_run(tmp_path / "run"), "J-here") as found:
        assert found.is_ours
        said, _ = refusal(monkeypatch, found)
        assert said.startswith(f"a job of {tmp_path}/run still runs")
        (tmp_path / "run/run.json").unlink()
        (tmp_path / "run").rename(tmp_path / "elsewhere")
        assert "kill" in refusal(monkeypatch, found)[1]
        (moved,) = (one for one in running_jobs() if one.pid == found.pid)
        assert moved.run == tmp_path / "elsewhere"


@needs_namespaces
@pytest.mark.slow
@pytest.mark.waiting
def test_a_job_in_another_mount_namespace_is_found_through_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its directory is on a file system that no other process sees."""
    hidden, job = tmp_path / "hidden", tmp_path / "hidden/run/jobs/J0001"
    hidden.mkdir()
    mount = f"mount -t tmpfs none {hidden} && mkdir -p {job} && touch {hidden}/run/run.json"
    mount += ' && exec "$@"'
    with marked(job, "J-hidden", "unshare", "-m", "sh", "-c", mount, "sh") as found:
        assert not (hidden / "run").exists()
        assert found.is_apart
        said, hint = refusal(monkeypatch, found)
        assert said.startswith(f"a job of {hidden}/run runs on this machine, perhaps in a cont")
        seen = Path(hint.partition("status ")[2].partition(";")[0])
        assert (seen / "run.json").exists()
        assert "kill" not in hint


# --- one after the other ------------------------------------------------------------------------


class Lines(Progress):
    """Records messages."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def stage(self, text: str) -> None:
        self.said.append(text)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Running]:
    """A machine of our own: its jobs are those in this list."""
    jobs: list[Running] = []
    monkeypatch.setattr(concurrent_runs, "running_jobs", lambda: tuple(jobs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return jobs


class Passing(TurnedClock):
    """Triggers an action when time passes."""

    def __init__(self, happen: Callable[[], None]) -> None:
        super().__init__()
        self._happen = happen

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self._happen()


def test_a_single_run_does_not_wait(quiet: list[Running], tmp_path: Path) -> None:
    lines = Lines()
    for _ in range(2):
        with concurrent_runs.alone(tmp_path, lines, TurnedClock()):
            pass
    assert (lines.said, quiet) == ([], [])


def test_a_job_is_waited_for_and_named_once(
    quiet: list[Running], running: Running, tmp_path: Path
) -> None:
    quiet.append(running)
    looks = iter([False, True])

    def pass_time() -> None:
        if next(looks):
            quiet.clear()

    lines = Lines()
    with concurrent_runs.alone(tmp_path, lines, Passing(pass_time)):
        assert not quiet
    first, last = lines.said
    assert first.startswith(f"waiting for other measurements: a job of {running.run} still runs")
    assert last == "the machine is free again: measuring"
    quiet.append(running)
    with concurrent_runs.alone(running.run, lines, TurnedClock()):  # its own job continues
        assert len(lines.said) == 2


@pytest.mark.usefixtures("quiet")
@pytest.mark.slow
@pytest.mark.waiting
def test_of_several_that_found_the_machine_quiet_one_measures(tmp_path: Path) -> None:
    text = """
import sys, time
from pathlib import Path
from heorot.session.exclusive_use import concurrent_runs
from heorot.session.progress import Progress
concurrent_runs.running_jobs = lambda: ()
class Lines(Progress):
    def stage(self, text):
        print(text, flush=True)
        waiting.touch()
run = Path(sys.argv[1])
waiting, begun = run.with_name("waiting"), run.with_name("begun")
with concurrent_runs.alone(run, Lines()):
    began = time.monotonic()
    is_first = not begun.exists()
    begun.touch()
    while is_first and not waiting.exists():  # until another has found it
        time.sleep(0.01)
    print("measured", began, time.monotonic(), flush=True)
"""
    five = [
        subprocess.Popen(
            [sys.executable, "-c", text, str(tmp_path / f"run{number}")],
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(5)
    ]
    reported = [one.communicate(timeout=50)[0] for one in five]
    spans = sorted(
        tuple(float(word) for word in re.findall(r"[\d.]+", text.partition("measured")[2]))
        for text in reported
    )
    assert len(spans) == 5
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    waited = [text for text in reported if "another heorot measures here, process " in text]
    assert len(waited) >= 1
    assert all(f" for {tmp_path}/run" in text for text in waited)
