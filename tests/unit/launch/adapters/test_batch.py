"""Jobs in a batch system: each fate is told, and each step runs once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from heorot.errors import SetupError
from heorot.launch.adapters.adapter import Adapter, StepEvent
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.facts import read_facts
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import Job
from heorot.model.run.batch import BatchFacts
from tests.unit.launch.adapters.conftest import HASTE

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs


def facts_of(job: Job) -> BatchFacts:
    facts = read_facts(job)
    assert facts is not None
    return facts


def during(adapter: BatchAdapter, job: Job, act: Callable[[], None]) -> list[StepEvent]:
    """Follow a job to its end while somebody acts."""
    seen: list[StepEvent] = []
    actor = threading.Thread(target=act)
    actor.start()
    adapter.follow(job, seen.append)
    actor.join()
    return seen


def test_it_is_an_adapter(adapter: BatchAdapter, jobs: Jobs) -> None:
    one: Adapter = adapter
    job = jobs.make("true")
    assert not one.alive(job)
    assert one.complaint(job) == ""
    assert adapter.tell(job) == ""
    one.follow(job, lambda _: pytest.fail("nothing has happened"))
    one.cancel(job)


def test_a_job_runs_to_its_end(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, lines: list[str]
) -> None:
    job = jobs.make("true", "exit 3", "sleep 0.3")
    adapter.start(job)
    seen: list[StepEvent] = []
    adapter.follow(job, seen.append)
    assert [(event.event, event.step, event.code) for event in seen] == [
        ("start", "S0001", None),
        ("exit", "S0001", 0),
        ("start", "S0002", None),
        ("exit", "S0002", 3),
        ("start", "S0003", None),
        ("exit", "S0003", 0),
    ]
    facts = facts_of(job)
    assert (facts.id, facts.state, facts.queue, facts.attempt) == ("1", "ok", "main", 1)
    assert facts.submit_seconds is not None
    assert facts.submit_seconds < 5.0
    assert facts.wait_seconds is not None
    assert 0.0 <= facts.wait_seconds < 5.0
    assert facts.eligible is not None
    assert facts.own_end is not None
    assert adapter.complaint(job) == ""
    assert not adapter.alive(job)
    assert lines[-1] == "slurm job 1 ok"
    assert fake.submitted == 1


def test_a_refusal_is_told_with_its_reason(adapter: BatchAdapter, jobs: Jobs, fake: Fake) -> None:
    job = jobs.make("true")
    fake.set("refuse", "Invalid account or account/partition combination specified")
    with pytest.raises(SetupError, match="slurm refused the job: Invalid account") as caught:
        adapter.start(job)
    assert "batch:" in caught.value.hint
    assert facts_of(job).state == "rejected"
    assert "Invalid account" in adapter.complaint(job)
    assert not adapter.alive(job)
    fake.clear("refuse")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert (facts_of(job).state, facts_of(job).attempt) == ("ok", 2)


def test_a_reason_is_shown_and_nothing_is_cancelled_for_it(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, lines: list[str]
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    fake.set("reason", "ReqNodeNotAvail, UnavailableNodes:n7")
    adapter.start(job)

    def act() -> None:
        time.sleep(0.5)
        assert adapter.tell(job) == "slurm job 1 pending: ReqNodeNotAvail, UnavailableNodes:n7"
        fake.clear("hold")

    during(adapter, job, act)
    assert facts_of(job).state == "ok"
    assert lines[0] == "slurm job 1 pending: ReqNodeNotAvail, UnavailableNodes:n7"
    assert lines[-1] == "slurm job 1 ok"


def test_words_that_nobody_knows_are_shown_and_survived(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 1")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.state(1, "BEWITCHED")
    during(adapter, job, lambda: None)
    assert len(jobs.exits(job)) == 1


def test_silence_of_the_batch_system_is_no_news(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, lines: list[str]
) -> None:
    job = jobs.make("sleep 0.2")
    fake.set("hold")
    adapter.start(job)
    fake.set("down")

    def act() -> None:
        time.sleep(0.6)
        fake.clear("down")
        fake.clear("hold")

    during(adapter, job, act)
    assert "slurm job 1 submitted: slurm does not answer" in lines
    assert facts_of(job).state == "ok"


def test_a_batch_system_that_never_answers_is_given_up_and_the_job_goes_on(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    adapter.start(job)
    fake.set("down")
    adapter.follow(job, lambda _: None)
    assert "does not answer" in adapter.complaint(job)
    assert adapter.alive(job)
    fake.clear("down")
    fake.clear("hold")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert facts_of(job).state == "ok"
    assert fake.submitted == 1


def test_nobody_who_takes_jobs_is_told(adapter: BatchAdapter, jobs: Jobs, fake: Fake) -> None:
    job = jobs.make("true")
    fake.set("down")
    with pytest.raises(SetupError, match="slurm does not"):
        adapter.start(job)
    fake.clear("down")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert len(jobs.exits(job)) == 1
    assert fake.submitted == 1


@pytest.mark.parametrize(
    ("word", "state", "sentence"),
    [
        ("CANCELLED", "cancelled", "was cancelled (CANCELLED)"),
        ("TIMEOUT", "timeout", "at its time limit of 1 min (TIMEOUT)"),
        ("NODE_FAIL", "node_fail", "a node of job 1 failed (NODE_FAIL)"),
        ("FAILED", "failed", "job 1 failed (FAILED)"),
        ("COMPLETED", "failed", "its script did not come to its end"),
        ("FORGOTTEN", "vanished", "job 1 has vanished: slurm does not know it"),
    ],
)
def test_every_end_of_a_job_that_lost_its_node_is_told(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake, word: str, state: str, sentence: str
) -> None:
    job = jobs.make("true", "sleep 60")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0002")

    def act() -> None:
        time.sleep(0.4)
        fake.state(1, word)
        fake.kill(1)

    seen = during(adapter, job, act)
    assert [event.step for event in seen if event.event == "exit"] == ["S0001"]
    assert facts_of(job).state == state
    assert sentence in adapter.complaint(job)
    assert not adapter.alive(job)


def test_who_resumes_submits_again_and_no_step_twice(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true", f"[[ -e {jobs.base}/go ]] || sleep 60")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0002")
    fake.state(1, "NODE_FAIL")
    fake.kill(1)
    adapter.follow(job, lambda _: None)
    (jobs.base / "go").touch()
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001", "S0002"]
    facts = facts_of(job)
    assert (facts.state, facts.attempt, facts.id, facts.earlier) == ("ok", 2, "2", ("1",))
    assert facts.name == f"{job.marker}.2"
    assert adapter.complaint(job) == ""


def test_a_node_that_died_unnoticed_does_not_hold_us_up(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 60")
    fake.set("limit", "0:01")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.state(1, "COMPLETING")
    fake.kill(1)
    begun = time.monotonic()
    adapter.follow(job, lambda _: None)
    assert time.monotonic() - begun < 8.0
    assert facts_of(job).state == "vanished"
    assert "over its limit" in adapter.complaint(job)
    assert "says COMPLETING" in adapter.complaint(job)


def test_last_words_may_come_after_the_batch_system_has_forgotten_the_job(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 0.4")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.state(1, "FORGOTTEN")
    adapter.follow(job, lambda _: None)
    assert len(jobs.exits(job)) == 1
    assert facts_of(job).state == "ok"


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
    assert fake.state(1) == "CANCELLED"
    assert jobs.left(job) == []
    assert not adapter.alive(job)
    assert facts_of(job).state == "cancelled"
    begun = time.monotonic()
    adapter.follow(job, lambda _: None)
    assert time.monotonic() - begun < 5.0


def test_a_running_job_that_writes_is_not_asked_about(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make(*["sleep 0.1"] * 10)
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    asked = fake.questions
    adapter.follow(job, lambda _: None)
    assert fake.questions - asked <= 1


def test_a_folder_that_cannot_be_written_is_told(
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


def test_facts_that_are_damaged_are_gathered_again(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 0.3")
    adapter.start(job)
    (job.directory / "batch.json").write_text('{"system": "slu')
    assert adapter.tell(job) == "slurm job 1 submitted"
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
    kept = adapter.caller.environment()
    assert "SQUEUE_FORMAT" not in kept
    assert "SBATCH_TIMELIMIT" not in kept
    assert kept["SBATCH_ACCOUNT"] == "mine"
    assert kept["PATH"].split(os.pathsep)[0] == str(fake.commands)
    assert jobs.made == []
