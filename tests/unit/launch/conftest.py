"""Jobs made of shell commands, and inspection of their files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.adapters.overdue import processes_of
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from tests.unit.launch.hosts import Hosts, possible
from tests.waiting import text_of, wait_until

Make = Callable[..., StepCommand]


class Jobs:
    """Makes jobs of shell commands below one directory and inspects them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.adapter = LocalAdapter()
        self.made: list[Job] = []

    def make(
        self, *scripts: str, timeout_seconds: float = 20.0, directory: Path | None = None
    ) -> Job:
        """Write a job with one step for each shell command."""
        directory = directory or self.base / "jobs" / f"J{len(self.made) + 1:04d}"
        commands = [
            StepCommand(
                step=f"S{number:04d}",
                argv=("bash", "-c", script),
                cwd=self.base,
                timeout_seconds=timeout_seconds,
                record=directory / "records" / f"S{number:04d}.jsonl",
            )
            for number, script in enumerate(scripts, start=1)
        ]
        self.made.append(write_job(directory, commands))
        return self.made[-1]

    def run(self, *scripts: str, timeout_seconds: float = 20.0) -> Job:
        """Make a job and run it to its end."""
        job = self.make(*scripts, timeout_seconds=timeout_seconds)
        self.run_to_end(job)
        return job

    def run_to_end(self, job: Job) -> None:
        """Start a job, or join it, until its script is gone."""
        self.adapter.start(job)
        self.adapter.follow(job, lambda _: None)

    def events(self, job: Job) -> list[dict[str, Any]]:
        """The valid events, as a reader of the status file sees them."""
        events: list[dict[str, Any]] = []
        for line in text_of(job.status).splitlines():
            try:
                events.append(json.loads(line))
            except ValueError:
                continue
        return events

    def exits(self, job: Job) -> list[dict[str, Any]]:
        """The exit events."""
        return [event for event in self.events(job) if event["event"] == "exit"]

    def output(self, job: Job, step: str = "S0001") -> str:
        """The output of a step."""
        return (job.directory / "outputs" / f"{step}.txt").read_text(errors="replace")

    def pid(self, job: Job) -> int:
        """Process id of the job's script."""
        return int((job.directory / "pid").read_text())

    def left(self, job: Job, seconds: float = 20.0) -> list[int]:
        """Processes of the job that are left after a while."""
        deadline = time.monotonic() + seconds
        while (left := list(processes_of(job))) and time.monotonic() < deadline:
            time.sleep(0.02)
        return left

    def wait_for(self, job: Job, event: str, step: str) -> None:
        """Wait until the job reports an event of a step."""

        def events() -> list[tuple[str, str | None]]:
            return [(seen["event"], seen.get("step")) for seen in self.events(job)]

        wait_until(lambda: (event, step) in events(), seen=events)


@pytest.fixture(autouse=True)
def _own_temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The directory of jobs' temporary files; its path is short enough for sockets."""
    with TemporaryDirectory(prefix="heorot-") as place:
        monkeypatch.setenv("TMPDIR", place)
        yield


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    """Makes jobs; processes left by them are ended after the test."""
    jobs = Jobs(tmp_path)
    yield jobs
    for job in jobs.made:
        jobs.adapter.cancel(job)


@pytest.fixture
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosts]:
    """Two hosts, n2 and n3, with temporary files of their own."""
    if not possible():
        pytest.skip("no namespaces can be made here, so there are no other hosts")
    hosts = Hosts(tmp_path, "n2", "n3")
    monkeypatch.setenv("TMPDIR", str(hosts.local))
    yield hosts
    hosts.end()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes steps of shell commands."""

    def make(step: str, script: str, **more: object) -> StepCommand:
        fields = {
            "step": step,
            "argv": ("bash", "-c", script),
            "cwd": tmp_path,
            "timeout_seconds": 20.0,
            "record": tmp_path / "record",
            **more,
        }
        return StepCommand.model_validate(fields)

    return make
