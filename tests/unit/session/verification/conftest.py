"""A concluded run of two programs, and changes to its files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.launch.job import Job
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.session.blocks import measure
from heorot.session.runs import conclude
from heorot.store.directory import RunDirectory
from heorot.store.samples import read_samples, write_samples
from tests.unit.collect.conftest import RECORDS, make_step
from tests.unit.session.conftest import FakeAdapter, Reported

STREAM, PINGPONG = "memory/stream", "messages/pingpong"


class TwoPrograms(FakeAdapter):
    """Writes records of messages for the later steps."""

    def _run(self, job: Job, step: str) -> None:
        sample = "pingpong" if step in {"S0004", "S0005"} else "stream"
        record = (RECORDS / f"{sample}.jsonl").read_bytes()
        (job.directory / "records" / f"{step}.jsonl").write_bytes(record)


_made: list[Path] = []


@pytest.fixture
def concluded(
    request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> RunDirectory:
    """A run of two programs, three and two launches; it is made once and copied."""
    if not _made:
        run: RunDirectory = request.getfixturevalue("run")
        more = (make_step(n, launch=n - 3, benchmark=PINGPONG, case="pair") for n in (4, 5))
        plan = run.plan()
        run.write_plan(plan.model_copy(update={"steps": (*plan.steps, *more)}))
        measure(run, ExecutionTarget(TwoPrograms(), Site(), 1), Reported())
        conclude(run)
        _made.append(shutil.copytree(run.path, tmp_path_factory.mktemp("concluded") / "run"))
    return RunDirectory.open(shutil.copytree(_made[0], tmp_path / "concluded"))


def record_of(run: RunDirectory, step: str) -> Path:
    """The record of a step, in whichever job that is."""
    (path,) = run.jobs.glob(f"J*/records/{step}.jsonl")
    return path


@pytest.fixture
def make_faster() -> Callable[[RunDirectory], None]:
    """Divides the times of one program in samples.parquet by three."""

    def divide(run: RunDirectory) -> None:
        series = (
            replace(one, seconds=one.seconds / (3.0 if one.benchmark == STREAM else 1.0))
            for one in read_samples(run.samples_file)
        )
        write_samples(run.samples_file, tuple(series))

    return divide
