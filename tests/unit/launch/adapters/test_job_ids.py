"""What batch systems call jobs: a run may be anybody's, and is not believed everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import write_job
from heorot.model.batch.states import BatchFacts
from tests.unit.launch.adapters.conftest import HASTE


@pytest.mark.parametrize("number", ["7", "7_12", "7+1", "12.server", "12[3].pbs-1", "ƒ2oLkTLb"])
def test_what_batch_systems_call_jobs(number: str) -> None:
    assert BatchFacts(system="slurm", name="x", id=number, earlier=(number,)).id == number


@pytest.mark.slow
@pytest.mark.waiting
@pytest.mark.parametrize("number", ["--me", "-u root", "7 8", "7,8", "", "../7", "7\n8"])
def test_what_a_run_calls_its_job_is_no_option(tmp_path: Path, number: str) -> None:
    asked = tmp_path / "asked"
    for name in ("sbatch", "squeue", "scancel", "scontrol", "sacct"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$*" >>{asked}\nexit 0\n')
        (tmp_path / name).chmod(0o755)
    job = write_job(tmp_path / "J0001", [])
    begun = job.directory / "submit" / "1.begun"
    adapter = BatchAdapter(Slurm(), tmp_path, patience=HASTE)
    text = BatchFacts(system="slurm", name="x", id="1").model_dump_json()
    for own, told in (("7", number), (number, "7"), (number, number)):
        begun.parent.mkdir(exist_ok=True)
        begun.write_text("1.0 0\n")
        begun.with_suffix(".id").write_text(own)
        changed = text.replace('"id":"1"', f'"id":{json.dumps(told)}')
        assert changed != text
        (job.directory / "batch.json").write_text(changed)
        adapter.alive(job)
        adapter.cancel(job)
    said = asked.read_text().splitlines()
    words = {word for line in said for word in line.split() if word.startswith("--jobs=")}
    assert words == {"--jobs=7"}
    assert {line for line in said if "--jobs=" not in line and "--name=" not in line} <= {
        "scancel 7",
        "scancel --batch --signal=TERM 7",
    }
