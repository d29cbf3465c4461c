"""What is known of a job is kept wherever it can be."""

from __future__ import annotations

import os
from pathlib import Path

from heorot.launch.adapters.facts import read_facts, write_facts
from heorot.launch.job import Job
from heorot.model.batch.states import BatchFacts


def test_where_no_new_file_can_be_written_the_old_one_is_overwritten(tmp_path: Path) -> None:
    job = Job(id="J0001", marker="heorot-J0001", directory=tmp_path, steps=())
    facts = BatchFacts(
        system="slurm", name="heorot", id="7", state="running", reason="something long to say"
    )
    write_facts(job, facts)
    (tmp_path / f".batch.json.{os.getpid()}.part").mkdir()  # as good as a full disk
    ended = facts.model_copy(update={"state": "failed", "reason": ""})
    write_facts(job, ended)
    assert read_facts(job) == ended


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path) -> None:
    job = Job(id="J0001", marker="heorot-J0001", directory=tmp_path / "gone", steps=())
    write_facts(job, BatchFacts(system="slurm", name="heorot", id="7", state="running"))
    assert read_facts(job) is None
