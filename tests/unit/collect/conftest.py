"""Jobs as left by their scripts, with records of real programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heorot.collect.collect import collect
from heorot.model.run.collected import Collected
from heorot.model.run.plan import Step
from tests.unit.model.keys import of_setup

RECORDS = Path(__file__).parents[2] / "samples" / "records"


class Remains:
    """Files of one job: a status file, records and outputs."""

    def __init__(self, jobs: Path, name: str = "J0001") -> None:
        self.jobs = jobs
        self.directory = jobs / name
        for folder in ("records", "outputs"):
            (self.directory / folder).mkdir(parents=True, exist_ok=True)

    def event(self, event: str, **fields: object) -> None:
        """Append an event."""
        with (self.directory / "status.jsonl").open("a") as file:
            file.write(json.dumps({"event": event, "time": 1010.0, **fields}) + "\n")

    def ended(self, step: str, code: int = 0, *, timed_out: bool = False) -> None:
        """Append the events of a complete step."""
        self.event("start", step=step)
        self.event("exit", step=step, code=code, timed_out=timed_out, started=1000.0)

    def record(self, step: str, sample: str) -> Path:
        """Give a step the record of a real program."""
        path = self.directory / "records" / f"{step}.jsonl"
        path.write_bytes((RECORDS / f"{sample}.jsonl").read_bytes())
        return path

    def output(self, step: str, content: bytes) -> None:
        """Give a step an output."""
        (self.directory / "outputs" / f"{step}.txt").write_bytes(content)

    def collect(self, *steps: Step) -> Collected:
        """Collect all jobs."""
        return collect(steps, self.jobs)


@pytest.fixture
def remains(tmp_path: Path) -> Remains:
    return Remains(tmp_path / "jobs")


def make_step(number: int = 1, **changes: object) -> Step:
    """A step that fits the record `stream`."""
    fields: dict[str, Any] = {
        "id": f"S{number:04d}",
        "benchmark": "memory/stream",
        "case": "all_cores",
        "launch": 2,
        "attempt": 1,
        "options": {"max-bytes": 4194304},
        "ranks": 2,
        "threads": 1,
        "per_node": 2,
        "toolchain": "gnu",
        "seconds": 1.0,
        "memory_bytes": 1,
        "timeout_seconds": 10.0,
        **changes,
    }
    return Step.model_validate(of_setup(fields))


@pytest.fixture
def step() -> Step:
    return make_step()
