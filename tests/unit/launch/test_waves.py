"""Concurrent steps: each has everything that a single step has."""

from __future__ import annotations

import os
import shlex
import signal
from functools import partial
from typing import TYPE_CHECKING

import pytest

from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from tests.waiting import text_of, wait_until

if TYPE_CHECKING:
    from tests.unit.launch.conftest import Jobs

pytestmark = pytest.mark.waiting


def _make(jobs: Jobs, *steps: tuple[int, str], seconds: float = 20.0) -> Job:
    """A job of steps with their waves."""
    commands = [
        StepCommand(
            step=f"S{number:04d}",
            argv=("bash", "-c", script),
            cwd=jobs.base,
            timeout_seconds=seconds,
            record=jobs.base / "record",
            wave=wave,
        )
        for number, (wave, script) in enumerate(steps, start=1)
    ]
    jobs.made.append(write_job(jobs.base / "jobs" / "J0001", commands))
    return jobs.made[-1]


def _meet(name: str, *others: str) -> str:
    """Ends only if the others run at the same time."""
    waits = "".join(f"until [ -e {other} ]; do sleep 0.01; done; " for other in others)
    return f"touch {name}; {waits} echo {name}"


def test_steps_of_a_wave_run_at_the_same_time(jobs: Jobs) -> None:
    job = _make(
        jobs,
        (0, "test ! -e a"),
        (1, _meet("a", "b", "c")),
        (1, _meet("b", "c", "a") + "; exit 3"),
        (1, _meet("c", "a", "b")),
        (2, "test -e a; rm a b c"),
        (0, "test ! -e a"),
        (3, _meet("a", "b")),
        (3, _meet("b", "a")),
    )
    jobs.run_to_end(job)
    exits = {event["step"]: event for event in jobs.exits(job)}
    assert [exits[step]["code"] for step in job.steps] == [0, 0, 3, 0, 0, 0, 0, 0]
    ends = [exits[step]["time"] for step in job.steps]
    starts = [exits[step]["started"] for step in job.steps]
    assert max(starts[1:4]) < min(ends[1:4])
    assert max(ends[1:4]) < starts[4] < ends[4] < starts[5]
    assert [jobs.output(job, f"S000{number}") for number in (2, 3, 4)] == ["a\n", "b\n", "c\n"]
    assert jobs.events(job)[-1]["event"] == "end"


@pytest.mark.slow
def test_a_hanging_step_harms_none_beside_it(jobs: Jobs) -> None:
    stubborn = "setsid bash -c 'trap \"\" TERM; for i in {1..1000}; do sleep 0.1; done' & sleep 100"
    beside = 'touch "$TMPDIR/file"; sleep 1.5; test -e "$TMPDIR/file"'
    job = _make(jobs, (1, stubborn), (1, beside), (0, 'ls "$TMPDIR"'), seconds=0.5)
    text = job.script.read_text()
    job.script.write_text(text.replace("step S0002 0.500", "step S0002 9.000"))
    jobs.run_to_end(job)
    exits = {event["step"]: event for event in jobs.exits(job)}
    assert [exits[step]["code"] for step in job.steps] == [124, 0, 0]
    assert [exits[step]["timed_out"] for step in job.steps] == [True, False, False]
    assert exits["S0001"]["time"] < exits["S0002"]["time"]
    assert jobs.output(job, "S0003") == ""
    assert not jobs.left(job)


@pytest.mark.slow
def test_only_what_has_not_ended_runs_again(jobs: Jobs) -> None:
    hang = "echo ran >>{0}; [ $(wc -l <{0}) = 2 ] || sleep 100"
    job = _make(
        jobs, (1, "echo ran >>first"), (1, hang.format("second")), (1, hang.format("third"))
    )
    for name in (signal.SIGKILL, signal.SIGTERM):
        for path in ("second", "third"):
            (jobs.base / path).unlink(missing_ok=True)
        jobs.adapter.start(job)
        for path in ("second", "third"):
            wait_until(partial(text_of, jobs.base / path))
        jobs.wait_for(job, "exit", "S0001")
        os.kill(jobs.pid(job), name)
        jobs.adapter.follow(job, lambda _: None)
        assert [event["step"] for event in jobs.exits(job)] == ["S0001"]
    assert jobs.events(job)[-1]["event"] == "interrupted"
    assert not jobs.left(job)
    jobs.run_to_end(job)
    assert sorted(event["step"] for event in jobs.exits(job)) == ["S0001", "S0002", "S0003"]
    assert (jobs.base / "first").read_text() == "ran\n"
    assert not jobs.left(job)


@pytest.mark.slow
def test_many_events_at_the_same_time_stay_whole(jobs: Jobs) -> None:
    job = _make(jobs, *((1, "true") for _ in range(60)))
    jobs.run_to_end(job)
    lines = job.status.read_text().splitlines()
    assert len(lines) == len(jobs.events(job)) == 2 + 2 * 60
    assert sorted(event["step"] for event in jobs.exits(job)) == list(job.steps)


@pytest.mark.slow
def test_a_wave_that_cannot_be_recorded_stops_the_job(jobs: Jobs) -> None:
    # Not before the other has recorded its start.
    broken = "until [ -e a ]; do sleep 0.01; done; rm {0}; mkdir {0}"
    status = jobs.base / "jobs/J0001/status.jsonl"
    job = _make(jobs, (1, "touch a; sleep 100"), (1, broken.format(shlex.quote(str(status)))))
    jobs.run_to_end(job)
    assert not jobs.left(job)
    assert "cannot write" in jobs.adapter.complaint(job)
