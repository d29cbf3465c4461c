"""Many jobs of a batch system, followed at the same time with few queries."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.status import read_status
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site, SiteBatch
from heorot.throughput.model.kinds import Interactive
from heorot.throughput.session.interactive import CommandRunner
from heorot.throughput.session.job_outcomes import classify_job
from heorot.throughput.session.schedulers.batch_scheduler import BatchScheduler
from tests.unit.launch.adapters.conftest import HASTE
from tests.unit.launch.adapters.fake import Fake
from tests.unit.throughput.session.conftest import (
    MACHINE,
    PROGRAMS,
    Make,
    follow,
    make_arrival,
    run_one,
)
from tests.unit.turned import TurnedClock
from tests.waiting import text_of, wait_until


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """A batch system; its jobs are ended after the test."""
    fake = Fake(tmp_path / "batch system")
    yield fake
    fake.end()


# Polls often, and takes no delay of this computer for an end.
_STEADY = replace(
    HASTE,
    vanish_seconds=50.0,
    unanswered_seconds=50.0,
    unsubmitted_seconds=50.0,
    tidy_seconds=50.0,
    cancel_seconds=50.0,
    command_seconds=50.0,
)


def _scheduler(fake: Fake, clock: Clock = SYSTEM_CLOCK) -> BatchScheduler:
    adapter = BatchAdapter(Slurm(), fake.commands, patience=_STEADY, clock=clock)
    batch = SiteBatch(system="slurm", commands=fake.commands, queue="main", account="us")
    target = ExecutionTarget(adapter, Site(), 2, adapter.client, batch)
    return BatchScheduler(adapter, target, PROGRAMS, MACHINE, clock)


def _until(scheduler: BatchScheduler, n: int) -> list[tuple[str, str]]:
    return [(change.work.label, change.phase) for change in follow(scheduler, n)]


@pytest.mark.waiting
def test_jobs_are_followed_together(make: Make, fake: Fake) -> None:
    scheduler = _scheduler(fake)
    works = [make(f"one{n}", "true", time_limit_seconds=90.0) for n in range(1, 6)]
    for work in works:
        scheduler.submit(work)
    reported = _until(scheduler, 5)
    assert {label for label, standing in reported if standing == "ended"} == {
        w.label for w in works
    }
    assert fake.submitted == 5
    job = classify_job(works[0], make_arrival(), 0.0)
    assert (job.fate, job.number, job.queue) == ("ok", "1", "main")
    assert job.start is not None
    assert job.submit_seconds is not None
    text = (works[0].place / "script.sh").read_text()
    assert "#SBATCH --account=us" in text
    assert "#SBATCH --ntasks-per-node=1" in text
    assert "#SBATCH --time=2" in text
    assert "--exclusive" not in text


@pytest.mark.waiting
def test_one_question_is_about_all_that_wait(make: Make, fake: Fake) -> None:
    fake.set("hold")
    clock = TurnedClock()
    scheduler = _scheduler(fake, clock)
    works = [make(f"one{n}", "true") for n in range(1, 5)]
    for work in works:
        scheduler.submit(work)
    before = fake.questions
    for _ in range(80):
        scheduler.poll()
        clock.sleep(0.1)
    # In eight seconds; each of the four may query twice a second or more.
    assert 2 <= fake.questions - before <= 4
    fake.clear("hold")
    again = _scheduler(fake)
    for work in works:
        again.submit(work)
    _until(again, 4)


def test_a_refused_job_is_reported_and_the_test_continues(make: Make, fake: Fake) -> None:
    fake.set("refuse", "no such account")
    scheduler, work = _scheduler(fake), make("one1", "true", exclusive=True)
    scheduler.submit(work)
    assert _until(scheduler, 1) == [("one1", "ended")]
    job = classify_job(work, make_arrival(), 0.0)
    assert job.fate == "rejected"
    assert "no such account" in job.why
    assert "#SBATCH --exclusive" in (work.place / "script.sh").read_text()


@pytest.mark.waiting
def test_a_batch_system_that_does_not_answer_stops_the_test_and_loses_nothing(
    make: Make, fake: Fake
) -> None:
    fake.set("busy")
    scheduler, work = _scheduler(fake, TurnedClock()), make("one1", "true")
    with pytest.raises(SetupError, match="does not"):
        scheduler.submit(work)
    fake.clear("busy")
    again = _scheduler(fake)
    run_one(again, work)
    assert classify_job(work, make_arrival(), 0.0).fate == "ok"


@pytest.mark.waiting
def test_who_resumes_follows_what_was_submitted(make: Make, fake: Fake) -> None:
    fake.set("hold")  # so that it has not ended
    work = make("one1", "true")
    _scheduler(fake).submit(work)
    second = _scheduler(fake)
    second.submit(work)
    fake.clear("hold")
    assert _until(second, 1)[-1] == ("one1", "ended")
    third = _scheduler(fake)  # a job that has ended is not submitted again
    third.submit(work)
    _until(third, 1)
    assert fake.submitted == 1


@pytest.mark.slow
@pytest.mark.waiting
def test_all_are_cancelled_those_that_wait_first(make: Make, fake: Fake) -> None:
    scheduler = _scheduler(fake)
    runs = make("one1", "sleep 20")
    scheduler.submit(runs)
    wait_until(lambda: "P1" in read_status(runs.place).started)
    fake.set("hold")
    waits = make("one2", "true")
    scheduler.submit(waits)
    scheduler.cancel_all()
    fake.clear("hold")
    assert classify_job(runs, make_arrival(), 0.0).fate == "cancelled"
    assert classify_job(waits, make_arrival(), 0.0).fate == "cancelled"


@pytest.mark.waiting
def test_who_holds_a_job_is_noticed(make: Make, fake: Fake) -> None:
    fake.set("hold")
    fake.set("reason", "JobHeldUser")
    scheduler, work = _scheduler(fake), make("one1", "true")
    scheduler.submit(work)
    held = work.place / "interventions"

    def is_noticed() -> bool:
        scheduler.poll()
        return held.exists()

    wait_until(is_noticed)
    fake.set("reason", "Priority")
    fake.clear("hold")
    _until(scheduler, 1)
    assert classify_job(work, make_arrival(), 0.0).interventions == ("held", "released")


@pytest.mark.slow
@pytest.mark.waiting
def test_interactive_work_may_be_jobs(fake: Fake, tmp_path: Path) -> None:
    batch = SiteBatch(system="slurm", commands=fake.commands)
    adapter = BatchAdapter(Slurm(), fake.commands)
    target = ExecutionTarget(adapter, Site(), 1, adapter.client, batch)
    ask = CommandRunner(target, tmp_path / "interactive", _STEADY)
    assert ask(Interactive(name="job", command=("false",), where="job")) == 1
    assert ask(Interactive(name="here", command=("true",))) == 0
    assert fake.submitted == 1
    ask.cancel_all()  # nothing is left to be cancelled
    slow = Interactive(name="slow", command=("sleep", "60"), where="job")
    codes: list[int] = []
    typing = threading.Thread(target=lambda: codes.append(ask(slow)))
    typing.start()
    wait_until(lambda: any(map(text_of, tmp_path.glob("interactive/slow-*/status*"))))
    ask.cancel_all()
    typing.join(30.0)
    assert not typing.is_alive()
    assert codes != [0]
