"""Status files of job scripts are read and summed over all runs of a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.collect.collect import collect
from heorot.collect.jobs import reconcile
from heorot.jobs.status import JobStatus, read_jobs, read_status
from heorot.model.run.outcome import Exit
from heorot.model.run.plan import Step

if TYPE_CHECKING:
    from tests.unit.collect.conftest import Remains


def test_lost_steps_and_the_account(remains: Remains, step: Step) -> None:
    remains.event("job", id="J0001-x", host="n1", pid=1)
    remains.ended("S0001")
    remains.record("S0001", "stream")
    remains.ended("S0002", code=1)
    remains.ended("S0003", code=137, timed_out=True)
    remains.event("start", step="S0004")
    said = "# opening\nheorot: job J0001 stopped: cannot write status.jsonl (no space left?)\n"
    (remains.directory / "stderr").write_text(said)
    steps = [step.model_copy(update={"id": f"S{number:04d}"}) for number in range(1, 6)]
    collected = remains.collect(*steps)
    states = [outcome.state for outcome in collected.outcomes]
    assert states == ["completed", "failed", "timed_out", "lost", "lost"]
    reasons = [outcome.reason for outcome in collected.outcomes[3:]]
    assert reasons[0].startswith("started and never reported its end; job J0001 stopped: cannot")
    assert reasons[1].startswith("never started; job J0001 stopped: cannot")
    account = collected.account
    counted = (account.completed, account.failed, account.timed_out, account.lost)
    assert (account.submitted, counted, account.troubled) == (5, (1, 1, 1, 2), 4)
    assert account.balanced


def test_an_interrupted_step_is_reported(remains: Remains, step: Step) -> None:
    remains.event("start", step="S0001")
    remains.event("interrupted")
    assert remains.collect(step).outcomes[0].reason == "was interrupted"


def test_a_torn_line_is_no_event(remains: Remains, step: Step) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    with (remains.directory / "status.jsonl").open("ab") as file:
        file.write(b'\n\0\0\0\n{"event":"exit","step":"S0001","time":1,"co')
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "completed"
    assert collected.account.balanced


def test_ends_that_came_twice_or_unasked_are_reported(
    remains: Remains, step: Step, tmp_path: Path
) -> None:
    remains.ended("S0001")
    remains.record("S0001", "stream")
    remains.ended("S0009")
    second = type(remains)(tmp_path / "jobs", "J0002")
    second.ended("S0001")
    second.record("S0001", "stream")
    account = remains.collect(step).account
    assert account.repeated == ("S0001",)
    assert account.unknown == ("S0009",)
    assert not account.balanced


def test_steps_of_several_jobs_are_found(remains: Remains, step: Step, tmp_path: Path) -> None:
    remains.event("start", step="S0001")
    second = type(remains)(tmp_path / "jobs", "J0002")
    second.ended("S0001")
    second.record("S0001", "stream")
    collected = remains.collect(step)
    assert collected.outcomes[0].state == "completed"
    assert collected.account.balanced


def test_no_jobs_at_all(tmp_path: Path, step: Step) -> None:
    collected = collect([step], tmp_path / "none")
    assert collected.outcomes[0].state == "lost"
    assert collected.outcomes[0].reason == "never started"
    assert read_status(tmp_path).exits == {}


def test_every_event_leaves_its_mark(remains: Remains) -> None:
    remains.event("job", host="n1")
    remains.ended("S0001", code=3)
    remains.event("interrupted")
    remains.event("job", host="n2")
    remains.ended("S0002", code=124, timed_out=True)
    remains.event("end")
    status = read_status(remains.directory)
    assert status.hosts == ("n1", "n2")
    assert status.started == {"S0001": 1010.0, "S0002": 1010.0}
    assert status.placed == {"S0001": (), "S0002": ()}
    times = {status.begun, status.last_begun, status.finished, status.over, status.heard}
    assert times == {1010.0}
    assert status.exits == {
        step: Exit(step=step, started=1000.0, ended=1010.0, code=code, timed_out=code == 124)
        for step, code in (("S0001", 3), ("S0002", 124))
    }
    assert (status.ended, status.interrupted, status.running) == (True, False, {})


def test_the_time_of_a_job_is_that_of_all_its_starts(remains: Remains) -> None:
    def event(name: str, time: float, **fields: object) -> None:
        remains.event(name, **{"time": time, **fields})

    event("job", 100.0)
    event("start", 102.0, step="S0001")
    event("interrupted", 110.0)
    event("job", 5000.0)  # again, much later
    event("start", 5001.0, step="S0001")
    event("start", 5002.0, step="S0002")  # at the same time
    event("exit", 5004.0, step="S0001", code=0, timed_out=False, started=5001.0)
    event("exit", 5003.5, step="S0002", code=0, timed_out=False, started=5002.0)
    event("end", 5005.0)
    status = read_status(remains.directory)
    assert (status.run_seconds, status.step_seconds) == (15.0, 11.0)
    assert (status.begun, status.finished, status.heard) == (100.0, 5005.0, 5005.0)


@pytest.mark.parametrize(
    ("last", "state"), [("interrupted", (True, False)), ("end", (False, True))]
)
def test_only_the_last_event_gives_the_state_of_a_job(
    remains: Remains, last: str, state: tuple[bool, bool]
) -> None:
    for event in ("end", "interrupted", last):
        remains.event(event)
    status = read_status(remains.directory)
    assert (status.interrupted, status.ended) == state


def test_what_steps_do_behind_the_last_word_of_their_script_changes_nothing(
    remains: Remains,
) -> None:
    remains.event("job")
    remains.event("start", step="S0001")
    remains.event("interrupted")
    remains.event("left", steps=["S0001"], n=1)
    remains.ended("S0002")  # as noted by the process that ended the script
    status = read_status(remains.directory)
    assert (status.own(()), status.over) == ("interrupted", 1010.0)
    remains.event("job")
    status = read_status(remains.directory)
    assert (status.own(()), status.over) == (None, None)


def test_a_job_that_never_ran_has_neither_ended_nor_been_interrupted(tmp_path: Path) -> None:
    status = read_status(tmp_path)
    assert status == JobStatus(directory=tmp_path)
    assert (status.own(()), status.begun, status.heard, status.over) == (None, None, None, None)
    assert (status.hosts, status.allocated, status.complaint) == ((), (), "")
    assert (status.interrupted, status.ended, status.gave_up) == (False, False, False)


def test_a_step_that_ended_twice_in_one_job_counts_with_its_last_end(remains: Remains) -> None:
    remains.ended("S0001", code=9)
    remains.ended("S0001", code=0)
    status = read_status(remains.directory)
    assert status.repeated == ("S0001",)
    assert status.exits["S0001"].code == 0


def test_the_last_complaint_of_a_script_counts(remains: Remains) -> None:
    (remains.directory / "stderr").write_text("heorot: first\nother words\nheorot: last\n")
    assert read_status(remains.directory).complaint == "last"


def test_a_script_may_have_nothing_to_complain_about(remains: Remains) -> None:
    (remains.directory / "stderr").write_bytes(b"warning: caf\xe9\n")
    assert read_status(remains.directory).complaint == ""
    (remains.directory / "stderr").write_bytes(b"\xff\nheorot: full\n")
    assert read_status(remains.directory).complaint == "full"


def test_events_behind_a_torn_line_count(remains: Remains) -> None:
    with (remains.directory / "status.jsonl").open("ab") as file:
        file.write(b'{"event":"exit","step":"S00\n')
    remains.ended("S0002")
    assert list(read_status(remains.directory).exits) == ["S0002"]


def test_repeats_of_all_jobs_add_up(remains: Remains, tmp_path: Path) -> None:
    for name, steps in (("J0002", ("S0001", "S0001")), ("J0003", ("S0002",)), ("J0004", ())):
        job = type(remains)(tmp_path / "jobs", name)
        for step in (*steps, "S0003"):
            job.ended(step)
    (tmp_path / "jobs" / "J0005").write_text("no directory")
    jobs = read_jobs(tmp_path / "jobs")
    assert [job.directory.name for job in jobs] == ["J0001", "J0002", "J0003", "J0004"]
    assert reconcile([], [], jobs).repeated == ("S0001", "S0003")


def test_jobs_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("J10000", "J0002", "J9999"):
        (tmp_path / name).mkdir()
    names = [status.directory.name for status in read_jobs(tmp_path)]
    assert names == ["J0002", "J9999", "J10000"]


def test_what_was_left_stands_with_each_step_that_may_have_left_it(
    remains: Remains, step: Step
) -> None:
    steps = [step.model_copy(update={"id": f"S000{number}"}) for number in (1, 2, 3)]
    for one in steps:
        remains.event("left", steps=[one.id], n=7)  # of an earlier time it ran
        remains.event("left", steps=[one.id], n=2, names=["a\x1b[0m\n", "b" * 99, *"cdefgh"])
        remains.ended(one.id)
        remains.record(one.id, "stream")
    remains.event("left", steps=["S0002", "S0003"], n=1)
    remains.event("left", steps=["S0001"], n=-1)
    remains.event("left", steps="S0001", n=1)
    outcomes = remains.collect(*steps).outcomes
    assert [[(left.steps, left.n) for left in one.left] for one in outcomes] == [
        [(("S0001",), 2)],
        [(("S0002",), 2), (("S0002", "S0003"), 1)],
        [(("S0003",), 2), (("S0002", "S0003"), 1)],
    ]
    names = outcomes[0].left[0].names
    assert len(names) == 5
    assert names[0].isprintable()
    assert names[1] == "b" * 32


@pytest.mark.parametrize(("stopped", "why"), [(True, "was stopped"), (False, "made no progress")])
def test_a_limit_from_outside_is_the_reason(
    remains: Remains, step: Step, *, stopped: bool, why: str
) -> None:
    remains.event("job")
    remains.event("start", step="S0001")
    remains.event("overdue", step="S0001", stopped=stopped)
    # Woken, the program ended well: too late.
    remains.event("exit", step="S0001", code=0, timed_out=False, started=1000.0)
    remains.event("end")
    remains.event("overdue", step="S0001", stopped=stopped)  # the script's own record is the latest
    (outcome,) = remains.collect(step).outcomes
    assert outcome.state == "timed_out"
    assert outcome.reason.endswith(f"; the job script {why}, so its limit came from outside")
    assert read_status(remains.directory).ended


def test_a_step_that_was_overdue_and_ran_again_in_time(remains: Remains, step: Step) -> None:
    remains.event("overdue", step="S0001", stopped=True)
    remains.event("exit", step="S0001", code=0, timed_out=False, started=1020.0)
    remains.record("S0001", "stream")
    assert remains.collect(step).outcomes[0].state == "completed"
