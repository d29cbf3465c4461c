"""Jobs in a batch system: each final state is reported, and each step runs once."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from heorot.errors import SetupError
from heorot.jobs.clauses import describe_state
from heorot.jobs.events import StepEvent
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from tests.unit.launch.adapters.conftest import HASTE, during, facts_of
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting


def test_it_is_an_adapter(adapter: BatchAdapter, jobs: Jobs) -> None:
    one: Adapter = adapter
    job = jobs.make("true")
    assert not one.alive(job)
    assert one.complaint(job) == ""
    one.follow(job, lambda _: pytest.fail("nothing has happened"))
    one.cancel(job)


@pytest.mark.slow
def test_a_job_runs_to_its_end(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, lines: list[str]
) -> None:
    job = jobs.make("true", "exit 3", "sleep 1")
    begun = time.time()
    adapter.start(job)
    seen: list[StepEvent] = []
    adapter.follow(job, seen.append)
    assert [(event.event, event.step, getattr(event, "code", None)) for event in seen] == [
        ("start", "S0001", None),
        ("exit", "S0001", 0),
        ("start", "S0002", None),
        ("exit", "S0002", 3),
        ("start", "S0003", None),
        ("exit", "S0003", 0),
    ]
    facts = facts_of(job)
    assert (facts.id, facts.state, facts.queue, facts.attempt) == ("1", "ok", "main", 1)
    elapsed = time.time() - begun
    assert facts.submit_seconds is not None
    assert 0.0 < facts.submit_seconds < elapsed
    assert facts.wait_seconds is not None
    assert 0.0 <= facts.wait_seconds < elapsed
    assert facts.eligible is not None
    assert facts.own_end is not None
    assert adapter.complaint(job) == ""
    assert not adapter.alive(job)
    assert lines[-1] == "slurm job 1 ok"
    assert fake.submitted == 1


def test_a_refusal_is_told_with_its_reason(adapter: BatchAdapter, jobs: Jobs, fake: Fake) -> None:
    job = jobs.make("true")
    fake.set("refuse", "Invalid account or account/partition combination specified")
    with pytest.raises(SetupError, match="the job was refused by slurm: Invalid account") as caught:
        adapter.start(job)
    assert "batch:" in caught.value.hint
    assert facts_of(job).state == "rejected"
    assert "Invalid account" in adapter.complaint(job)
    assert not adapter.alive(job)
    fake.clear("refuse")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert (facts_of(job).state, facts_of(job).attempt) == ("ok", 2)


@pytest.mark.slow
def test_a_reason_is_shown_and_nothing_is_cancelled_for_it(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, lines: list[str]
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    fake.set("reason", "ReqNodeNotAvail, UnavailableNodes:n7")
    adapter.start(job)

    def act() -> None:
        wait_until(lambda: facts_of(job).state == "pending")
        assert (
            describe_state(facts_of(job))
            == "slurm job 1 pending: ReqNodeNotAvail, UnavailableNodes:n7"
        )
        fake.clear("hold")

    during(adapter, job, act)
    assert facts_of(job).state == "ok"
    assert lines[0] == "slurm job 1 pending: ReqNodeNotAvail, UnavailableNodes:n7"
    assert lines[-1] == "slurm job 1 ok"


@pytest.mark.slow
def test_words_that_nobody_knows_are_shown_and_survived(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 1")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.state(1, "BEWITCHED")
    during(adapter, job, lambda: None)
    assert len(jobs.exits(job)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("waiting", [True, False])
def test_a_job_is_cancelled(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, *, waiting: bool
) -> None:
    job = jobs.make("sleep 60")
    if waiting:
        fake.set("hold")
    adapter.start(job)
    if not waiting:
        jobs.wait_for(job, "start", "S0001")
    adapter.cancel(job)
    # A script that ends on request is not cancelled; a pending job is not signalled.
    assert fake.state(1) == ("CANCELLED" if waiting else "FAILED")
    assert (fake.base / "interrupted").exists() is not waiting
    assert jobs.left(job) == []
    assert not adapter.alive(job)
    assert facts_of(job).state == "cancelled"
    adapter.follow(job, lambda _: None)
    assert facts_of(job).state == "cancelled"
    assert adapter.complaint(job) == "job 1 was cancelled by Heorot"


@pytest.mark.slow
def test_a_job_that_does_not_end_when_asked_is_cancelled(jobs: Jobs, fake: Fake) -> None:
    adapter = BatchAdapter(Slurm(), fake.commands, patience=replace(HASTE, tidy_seconds=0.3))
    job = jobs.make("sleep 60")
    fake.set("deaf")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    adapter.cancel(job)
    assert (fake.base / "interrupted").exists()
    assert fake.state(1) == "CANCELLED"
    assert jobs.left(job) == []
    assert facts_of(job).state == "cancelled"


@pytest.mark.slow
def test_a_running_job_that_writes_is_not_asked_about(jobs: Jobs, fake: Fake) -> None:
    adapter = BatchAdapter(Slurm(), fake.commands, patience=replace(HASTE, silent_seconds=20.0))
    job = jobs.make(*["sleep 0.1"] * 10)
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    asked = fake.questions
    adapter.follow(job, lambda _: None)
    assert fake.questions - asked <= 1


def test_a_folder_that_cannot_be_written_is_reported(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    (job.directory / "submit").touch()
    with pytest.raises(SetupError, match="cannot write"):
        adapter.start(job)
    (job.directory / "submit").unlink()
    (job.directory / "submit/1.room").mkdir(parents=True)
    with pytest.raises(SetupError, match="no space left") as caught:
        adapter.start(job)
    assert "--out" in caught.value.hint
    assert fake.submitted == 0


@pytest.mark.slow
def test_facts_that_are_damaged_are_gathered_again(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 0.3")
    adapter.start(job)
    (job.directory / "batch.json").write_text('{"system": "slu')
    assert adapter.alive(job)
    adapter.follow(job, lambda _: None)
    assert facts_of(job).state == "ok"
    assert fake.submitted == 1


def test_variables_that_would_change_answers_are_not_passed_on(
    jobs: Jobs, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQUEUE_FORMAT", "%i")
    monkeypatch.setenv("SBATCH_TIMELIMIT", "1")
    monkeypatch.setenv("SBATCH_ACCOUNT", "mine")
    adapter = BatchAdapter(Slurm(), fake.commands, patience=replace(HASTE))
    kept = adapter.client.environment()
    assert "SQUEUE_FORMAT" not in kept
    assert "SBATCH_TIMELIMIT" not in kept
    assert kept["SBATCH_ACCOUNT"] == "mine"
    assert kept["PATH"].split(os.pathsep)[0] == str(fake.commands)
    assert jobs.made == []
