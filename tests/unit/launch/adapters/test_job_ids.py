"""Ids of batch systems: an id is no identity, and files of a run are not trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.jobs.facts import BatchFacts, QueueState
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.batch_client import BatchClient, BatchJob, JobAnswer, answer_about
from heorot.launch.batch.dialect import Dialect
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import write_job
from tests.unit.launch.adapters.conftest import HASTE, facts_of
from tests.unit.launch.adapters.fake import Fake

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs


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
    for own, reported in (("7", number), (number, "7"), (number, number)):
        begun.parent.mkdir(exist_ok=True)
        begun.write_text("1.0 0\n")
        begun.with_suffix(".id").write_text(own)
        changed = text.replace('"id":"1"', f'"id":{json.dumps(reported)}')
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


def test_an_answer_is_of_the_job_that_is_meant() -> None:
    ours = BatchJob("7", "J0001-abc")
    state = QueueState("running", name="J0001-abc")
    assert answer_about(ours, {"7": state}) == JobAnswer(state)
    assert answer_about(ours, {"7": QueueState("running", name="J0001-abd")}) == JobAnswer(
        taken=True
    )
    assert answer_about(ours, {"7": QueueState("running", name="")}) == JobAnswer(taken=True)
    assert answer_about(ours, {"8": state}) == JobAnswer()
    assert answer_about(ours, None) == JobAnswer(answered=False)
    unread = QueueState("unknown")  # a row that is not understood is not another job
    assert answer_about(ours, {"7": unread}) == JobAnswer(unread)


@pytest.mark.slow
@pytest.mark.waiting
@pytest.mark.parametrize("state", ["REQUEUE_HOLD", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"])
def test_a_stranger_with_our_id_is_neither_followed_nor_believed_nor_ended(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, state: str
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    adapter.start(job)
    fake.give_away(1, state)
    assert not adapter.alive(job)
    adapter.follow(job, lambda _: None)
    facts = facts_of(job)
    assert (facts.state, facts.code, facts.started) == ("vanished", None, None)
    lost = "job 1 is lost: slurm has lost it and given its id to another job"
    assert lost in adapter.complaint(job)
    adapter.cancel(job)
    assert fake.state(1) == state
    assert not (fake.base / "interrupted").exists()
    assert facts_of(job).state == "vanished"
    fake.clear("hold")
    adapter.start(job)  # as when resumed
    adapter.follow(job, lambda _: None)
    facts = facts_of(job)
    assert (facts.state, facts.id, facts.earlier) == ("ok", "2", ("1",))
    assert (fake.submitted, len(jobs.exits(job))) == (2, 1)
    assert fake.state(1) == state


@pytest.mark.slow
@pytest.mark.waiting
def test_nothing_waits_for_a_stranger(adapter: BatchAdapter, jobs: Jobs, fake: Fake) -> None:
    first, second, third = jobs.make("true"), jobs.make("true"), jobs.make("true")
    fake.set("hold")
    adapter.start(first)
    adapter.start(second, after=first)
    fake.give_away(1, "PENDING")
    adapter.start(third, after=first)
    words = (fake.base / "words").read_text().splitlines()
    assert [word for word in words if "dependency" in word] == ["--dependency=afterany:1"]


QSTAT = "Job Id: 7.head\n    Job_Name = {name}\n    job_state = R\n"
BJOBS = "7|RUN|-|normal|-|-|-|{name}|-\n"
FLUX = "7|RUN||batch|1.0|2.0|0.0|60.0||{name}| \n"


@pytest.mark.slow
@pytest.mark.waiting
@pytest.mark.parametrize(
    ("dialect", "id_", "answer", "ending"),
    [
        (Pbs(), "7.head", QSTAT, "qdel 7.head"),
        (Lsf(), "7", BJOBS, "bkill 7"),
        (Flux(), "7", FLUX, "flux cancel 7"),
    ],
)
def test_where_no_option_spares_strangers_the_name_is_asked_first(
    tmp_path: Path, dialect: Dialect, id_: str, answer: str, ending: str
) -> None:
    asked, queue = tmp_path / "asked", tmp_path / "queue"
    for command in ("qstat", "qdel", "qsig", "bjobs", "bkill", "flux"):
        text = f'#!/bin/bash\necho {command} "$*" >>{asked}\n'
        if command in {"qstat", "bjobs", "flux"}:
            text += f"[[ $1 == cancel || $1 == shutdown ]] || cat {queue}\n"
        (tmp_path / command).write_text(text)
        (tmp_path / command).chmod(0o755)
    client, job = BatchClient(dialect, tmp_path), BatchJob(id_, "J0001-abc")
    for name, doubt in (("theirs", "to another job"), ("", "name"), ("J0001-abc", "")):
        queue.write_text(answer.format(name=name))
        said = (client.cancel(job), client.interrupt(job))
        assert all(doubt in one and bool(one) is bool(doubt) for one in said) or not name
        ended = [line for line in asked.read_text().splitlines() if line == ending]
        assert bool(ended) is (name == job.name)
    asked.write_text("")
    queue.unlink()  # no answer, no ending
    assert client.cancel(job)
    assert ending not in asked.read_text()


@pytest.mark.parametrize("system", [Slurm(), Pbs(), Pbs("torque"), Lsf(), Flux()])
def test_names_are_unique_and_short(tmp_path: Path, system: Dialect) -> None:
    names = set()
    for directory in ("J0001", "a" * 200, "1-with.dots"):
        for copy in range(3):
            job = write_job(tmp_path / str(copy) / directory, [])
            names |= {system.name(job.marker, attempt) for attempt in (1, 2, 12)}
    assert len(names) == 27
    most = 15 if system.system == "pbs" else 64
    assert all(0 < len(name) <= most and name[0].isalnum() for name in names)
