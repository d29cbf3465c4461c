"""Runs and throughput tests that name a site file whose commands leave a trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import write_job
from heorot.store.directory import RunDirectory
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.store import ThroughputDirectory

_COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol", "sacct", "srun")
Ran = Callable[[], bool]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site file whose batch system is made of commands that leave a trace."""
    folder = tmp_path / "site" / "bin"
    folder.mkdir(parents=True)
    for name in _COMMANDS:
        (folder / name).write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/ran\nexit 1\n")
        (folder / name).chmod(0o755)
    file = tmp_path / "site" / "site.yaml"
    file.write_text(f"batch:\n  system: slurm\n  commands: {folder}\n")
    return file


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    """Whether any of these commands was run."""
    return (tmp_path / "ran").exists


def name_site(run: RunDirectory, site: Path) -> None:
    """Make a run name a site file."""
    facts = run.facts()
    request = facts.request.model_copy(update={"site": site})
    run.write_facts(facts.model_copy(update={"request": request}))


@pytest.fixture
def named(run: RunDirectory, site: Path) -> RunDirectory:
    """A run with a job that has not ended, and this site file."""
    place = run.job(1)
    run.write_steps(1, run.plan().steps[:1])
    command = StepCommand(
        step=run.plan().steps[0].id,
        argv=("true",),
        cwd=place,
        timeout_seconds=1.0,
        record=place / "record",
    )
    write_job(place, [command])
    name_site(run, site)
    return run


@pytest.fixture
def throughput_test(tmp_path: Path, run: RunDirectory, site: Path) -> ThroughputDirectory:
    """The beginning of a throughput test: only its requests exist."""
    directory = ThroughputDirectory.create(tmp_path / "day")
    directory.write_facts(run.facts())
    directory.write_request(ThroughputRequest(schedule="a", site=site))
    return directory
