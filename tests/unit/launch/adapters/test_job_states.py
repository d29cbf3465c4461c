"""Final states of jobs when a batch system loses nodes, jobs or its answers."""

from __future__ import annotations

import os
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from heorot.clock import SystemClock
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from tests.unit.launch.adapters.conftest import HASTE, during, facts_of
from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.unit.launch.adapters.fake import Fake
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting


@pytest.mark.slow
def test_silence_of_the_batch_system_is_no_news(jobs: Jobs, fake: Fake, lines: list[str]) -> None:
    adapter = BatchAdapter(
        Slurm(),
        fake.commands,
        patience=HASTE,
        on_state=lambda _job, line: lines.append(line),
    )
    job = jobs.make("sleep 0.2")
    fake.set("hold")
    adapter.start(job)
    fake.set("down")

    def act() -> None:
        wait_until(lambda: "slurm job 1 submitted: slurm does not answer" in lines)
        fake.clear("down")
        fake.clear("hold")

    during(adapter, job, act)
    assert facts_of(job).state == "ok"


def test_a_batch_system_that_never_answers_is_given_up_and_the_job_goes_on(
    adapter: BatchAdapter, turned: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    fake.set("hold")
    adapter.start(job)
    fake.set("down")
    turned.follow(job, lambda _: None)
    assert "does not answer" in adapter.complaint(job)
    assert adapter.alive(job)
    fake.clear("down")
    fake.clear("hold")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert facts_of(job).state == "ok"
    assert fake.submitted == 1


@pytest.mark.slow
def test_a_batch_system_that_takes_no_jobs_is_reported(
    adapter: BatchAdapter, turned: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    fake.set("down")
    with pytest.raises(SetupError, match="slurm does not"):
        turned.start(job)
    fake.clear("down")
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert len(jobs.exits(job)) == 1
    assert fake.submitted == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "state", "sentence"),
    [
        ("CANCELLED", "cancelled", "was cancelled by another user (CANCELLED)"),
        ("TIMEOUT", "timeout", "job 1 reached its time limit"),
        ("NODE_FAIL", "node_fail", "a node of job 1 failed (NODE_FAIL)"),
        ("FAILED", "failed", "job 1 failed (FAILED)"),
        ("COMPLETED", "failed", "its script did not complete"),
        ("FORGOTTEN", "vanished", "job 1 is lost: slurm does not know it"),
    ],
)
def test_every_end_of_a_job_that_lost_its_node_is_reported(
    adapter: BatchAdapter,
    turned: BatchAdapter,
    jobs: Jobs,
    fake: Fake,
    word: str,
    state: str,
    sentence: str,
) -> None:
    job = jobs.make("true", "sleep 60")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0002")
    fake.state(1, word)
    fake.kill(1)
    seen: list[StepEvent] = []
    turned.follow(job, seen.append)
    assert [event.step for event in seen if event.event == "exit"] == ["S0001"]
    assert facts_of(job).state == state
    assert sentence in turned.complaint(job)
    assert not turned.alive(job)


@pytest.mark.slow
def test_a_script_whose_time_is_up_ends_by_itself_and_goes_on_when_resumed(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true", f"[[ -e {jobs.base}/go ]] || sleep 60")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0002")
    during(adapter, job, lambda: os.kill(jobs.pid(job), signal.SIGUSR2))
    assert jobs.left(job) == []
    assert jobs.events(job)[-1]["cause"] == "time_limit"
    wait_until(lambda: fake.state(1) == "FAILED")  # the only state in the batch system
    assert adapter.complaint(job) == "job 1 reached its time limit"
    (jobs.base / "go").touch()
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001", "S0002"]
    assert (facts_of(job).state, facts_of(job).attempt) == ("ok", 2)


@pytest.mark.slow
def test_who_resumes_submits_again_and_no_step_twice(
    adapter: BatchAdapter, turned: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true", f"[[ -e {jobs.base}/go ]] || sleep 60")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0002")
    fake.state(1, "NODE_FAIL")
    fake.kill(1)
    turned.follow(job, lambda _: None)
    (jobs.base / "go").touch()
    adapter.start(job)
    adapter.follow(job, lambda _: None)
    assert [event["step"] for event in jobs.exits(job)] == ["S0001", "S0002"]
    facts = facts_of(job)
    assert (facts.state, facts.attempt, facts.id, facts.earlier) == ("ok", 2, "2", ("1",))
    assert facts.name == f"{job.marker}.2"
    assert adapter.complaint(job) == ""


@pytest.mark.slow
def test_a_node_that_died_unnoticed_does_not_hold_us_up(
    adapter: BatchAdapter, turned: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("sleep 60")
    fake.set("limit", "0:01")
    adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.state(1, "COMPLETING")
    fake.kill(1)
    turned.follow(job, lambda _: None)
    assert facts_of(job).state == "vanished"
    assert re.search(r"it is 5 min( \d+ s)? over its limit", turned.complaint(job))
    assert "reports COMPLETING" in turned.complaint(job)


@pytest.mark.slow
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


class _SetClock(SystemClock):
    """The clock of this machine, which may be set."""

    set_by = 0.0

    def time(self) -> float:
        return super().time() + self.set_by


@pytest.mark.slow
def test_a_clock_that_was_set_makes_no_job_late(jobs: Jobs, fake: Fake) -> None:
    clock = _SetClock()
    adapter = BatchAdapter(
        Slurm(), fake.commands, patience=HASTE, on_state=lambda *_: None, clock=clock
    )
    job = jobs.make("until [ -e go ]; do sleep 0.02; done")
    adapter.start(job)

    def act() -> None:
        wait_until(lambda: facts_of(job).own_start is not None)
        clock.set_by = 3600.0
        time.sleep(2.0)  # longer than a job that is late may be silent
        (jobs.base / "go").touch()

    during(adapter, job, act)
    assert (facts_of(job).state, facts_of(job).reason) == ("ok", "")


@pytest.mark.slow
@pytest.mark.parametrize("word", ["FAILED", "CANCELLED", "FORGOTTEN"])
def test_what_we_end_is_ours_though_it_ends_late(
    turned: BatchAdapter, jobs: Jobs, fake: Fake, word: str
) -> None:
    job = jobs.make("sleep 3600", timeout_seconds=3600.0)  # until it is killed
    turned.start(job)
    jobs.wait_for(job, "start", "S0001")
    fake.set("deaf")
    fake.set("stubborn")
    turned.cancel(job)  # its batch system is slower than the time limit
    assert facts_of(job).state == "submitted"  # and not cancelled yet
    fake.state(1, word)
    fake.kill(1)
    turned.follow(job, lambda _: None)
    assert (facts_of(job).state, facts_of(job).raw) == ("cancelled", "by Heorot")
    assert turned.complaint(job) == "job 1 was cancelled by Heorot"


@pytest.mark.slow
def test_what_came_to_its_end_before_we_could_end_it_was_not_cancelled(
    adapter: BatchAdapter, jobs: Jobs, fake: Fake
) -> None:
    job = jobs.make("true")
    adapter.start(job)
    wait_until(lambda: fake.state(1) == "COMPLETED")
    assert facts_of(job).state == "submitted"  # not queried since
    adapter.cancel(job)
    assert (facts_of(job).state, adapter.complaint(job)) == ("ok", "")
