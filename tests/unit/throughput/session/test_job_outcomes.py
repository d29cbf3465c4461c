"""Outcomes of jobs, from the files of their scripts and batch systems."""

from __future__ import annotations

import json

import pytest

from heorot.jobs.facts import BatchFacts, write_facts
from heorot.launch.job import read_job, write_job
from heorot.model.batch.allocation import Allocation
from heorot.throughput.session.job_outcomes import (
    alone_times,
    classify_job,
    describe_outcome,
    reset_if_cancelled,
)
from heorot.throughput.session.schedulers.watched_scheduler import job_names
from heorot.throughput.session.work import Work, commands_of
from tests.unit.throughput.session.conftest import NODE, PROGRAMS, Make, make_arrival


def _write(work: Work, *events: dict[str, object]) -> None:
    """A job's directory as its script leaves it."""
    job = write_job(work.place, commands_of(work, PROGRAMS, Allocation(node=NODE)))
    job.status.write_text("".join(json.dumps(event) + "\n" for event in events))


def _begin(time: float = 100.0) -> dict[str, object]:
    return {"event": "job", "time": time, "host": "n1", "hosts": ["n1", "n2"]}


def _start(step: str, time: float) -> dict[str, object]:
    return {"event": "start", "step": step, "time": time}


def _exit(step: str, began: float, time: float, **more: object) -> dict[str, object]:
    fields = {"event": "exit", "step": step, "time": time, "code": 0, "started": began}
    return {**fields, "timed_out": False, **more}


def _one_part(**ending: object) -> tuple[dict[str, object], ...]:
    """The events of a job whose first program ran for two seconds."""
    ran = (_start("P1", 101.0), _exit("P1", 101.0, 103.0, **ending))
    return (_begin(), *ran, {"event": "end", "time": 104.0})


def test_a_job_that_did_well(make: Make) -> None:
    work = make("one1", "true", "true", nodes=2)
    end = {"event": "end", "time": 109.0}
    parts = [_start("P1", 101.0), _exit("P1", 101.0, 103.0)]
    parts += [_start("P2", 103.5), _exit("P2", 103.5, 108.0)]
    _write(work, _begin(), *parts, end)
    job = classify_job(work, make_arrival(at_seconds=5.0), 90.0)
    assert (job.fate, job.why, job.hosts) == ("ok", "", ("n1", "n2"))
    assert (job.scheduled, job.own_start, job.own_end) == (95.0, 100.0, 109.0)
    assert (job.application_start, job.application_end) == (101.0, 108.0)
    assert [part.seconds for part in job.parts] == [2.0, 4.5]
    assert (job.nodes, job.cores) == (2, 2)
    assert describe_outcome(work) == (True, "ok after 7.0 s")
    whole, parts_alone = alone_times([work])
    assert whole == {"one": (7.0,)}
    assert parts_alone == {"one/bash": (2.0, 4.5)}


def test_a_part_that_never_came(make: Make) -> None:
    work = make("one1", "true", "true")
    _write(work, *_one_part())
    job = classify_job(work, make_arrival(), 90.0)
    assert job.fate == "failed"
    assert job.why == "bash: it was never started"
    assert [part.fate for part in job.parts] == ["ok", "skipped"]


@pytest.mark.parametrize(
    ("ending", "state", "why"),
    [
        ({"code": 3}, "failed", "exit code 3: no such file"),
        ({"code": 137, "timed_out": True}, "timeout", "it took longer than its time limit"),
    ],
)
def test_how_a_part_ended(make: Make, ending: dict[str, object], state: str, why: str) -> None:
    work = make("one1", "true")
    _write(work, *_one_part(**ending))
    (work.place / "outputs" / "P1.txt").write_text("no such file\n")
    job = classify_job(work, make_arrival(), 90.0)
    assert (job.fate, job.why) == (state, why)
    assert describe_outcome(work) == (False, f"{state}: {why}")
    assert alone_times([work]) == ({}, {})


def test_why_a_script_gave_up_is_its_own_complaint(make: Make) -> None:
    work = make("one1", "true")
    _write(work, _begin(), _start("P1", 101.0))
    job = read_job(work.place)
    write_facts(
        job.directory, BatchFacts(system="slurm", name="x", id="7", state="failed", raw="FAILED")
    )
    reported = classify_job(work, make_arrival(), 90.0)
    assert (reported.fate, reported.why) == ("failed", "it failed (FAILED)")
    (work.place / "stderr").write_text("sh: oops\nheorot: job J1 stopped: no space left\n")
    reported = classify_job(work, make_arrival(), 90.0)
    assert (reported.fate, reported.why) == (
        "failed",
        "job J1 stopped: no space left; it failed (FAILED)",
    )


def test_an_output_that_is_missing_is_a_failure(make: Make) -> None:
    work = make("one1", "true")
    part = work.kind.parts[0].model_copy(update={"output": ("result.txt",)})
    work = Work(**{**vars(work), "kind": work.kind.model_copy(update={"parts": (part,)})})
    _write(work, *_one_part())
    assert classify_job(work, make_arrival(), 90.0).why == "it has not written result.txt"
    (work.place / "work" / "P1" / "result.txt").write_text("1\n")
    assert classify_job(work, make_arrival(), 90.0).fate == "ok"


def test_a_verification_that_failed(make: Make) -> None:
    work = make("one1", "true")
    part = work.kind.parts[0].model_copy(update={"command": None, "program": "family/one"})
    _write(work, *_one_part())
    work = Work(**{**vars(work), "kind": work.kind.model_copy(update={"parts": (part,)})})
    assert classify_job(work, make_arrival(), 90.0).why == "it failed its verification"


def test_a_job_that_was_never_submitted(make: Make) -> None:
    job = classify_job(make("one1", "true"), make_arrival(), 90.0)
    assert (job.fate, job.why, job.submitted) == ("unfinished", "it never began", None)


def test_what_the_batch_system_says(make: Make) -> None:
    work = make("one1", "true")
    job = write_job(work.place, commands_of(work, PROGRAMS, Allocation(node=NODE)))
    facts = BatchFacts(
        system="slurm",
        name="x",
        id="7",
        submitted=91.0,
        submit_seconds=0.1,
        eligible=91.0,
        started=92.0,
        ended=99.0,
        code=1,
        state="node_fail",
        limit_seconds=60.0,
        queue="main",
    )
    write_facts(job.directory, facts)
    job_day = classify_job(work, make_arrival(), 90.0)
    assert (job_day.fate, job_day.why) == ("node_fail", "a node of it failed")
    assert (job_day.number, job_day.queue, job_day.code) == ("7", "main", 1)
    assert (job_day.submitted, job_day.allocated, job_day.batch_end) == (91.0, 92.0, 99.0)
    assert job_day.limit_seconds == 60.0


def test_a_cancelled_or_restarted_job_is_an_intervention(make: Make) -> None:
    work = make("one1", "true")
    _write(work, _begin(), _begin(200.0), {"event": "interrupted", "time": 202.0})
    job = read_job(work.place)
    for raw, cancelled in (("CANCELLED by 7", ("cancelled",)), ("by Heorot", ())):
        write_facts(
            job.directory, BatchFacts(system="slurm", name="x", id="7", state="cancelled", raw=raw)
        )
        reported = classify_job(work, make_arrival(), 90.0)
        assert reported.interventions == ("resubmitted", *cancelled)


def test_only_an_interrupted_dedicated_job_runs_again(make: Make) -> None:
    cut_off, well = make("one1", "true"), make("one2", "true")
    _write(cut_off, _begin(), {"event": "interrupted", "time": 102.0})
    _write(well, *_one_part())
    for work in (cut_off, well):
        reset_if_cancelled(work)
    assert not cut_off.place.exists()
    assert well.place.exists()


def test_what_was_cut_off_is_not_taken_for_another_run(make: Make) -> None:
    work = make("one1", "true")
    for number in range(2):
        _write(work, _begin(), {"event": "interrupted", "time": 102.0})
        facts = BatchFacts(system="slurm", name=f"one1-{number}", id="7", state="cancelled")
        write_facts(work.place, facts)
        reset_if_cancelled(work)
    assert not work.place.exists()
    assert {"one1-0", "one1-1"} <= job_names(work.place.parents[1])


def test_the_time_in_which_a_job_was_held_is_not_its_own(make: Make) -> None:
    work = make("one1", "true", nodes=2)
    again = [_begin(500.0), _start("P1", 501.0), _exit("P1", 501.0, 503.0)]
    _write(work, _begin(), _start("P1", 101.0), *again, {"event": "end", "time": 504.0})
    job = classify_job(work, make_arrival(at_seconds=5.0), 90.0)
    assert (job.own_start, job.own_end) == (500.0, 504.0)
    assert (job.application_start, job.application_end) == (501.0, 503.0)
    assert job.interventions == ("resubmitted",)
    assert alone_times([work])[0] == {"one": (2.0,)}


def test_what_was_done_before_a_job_was_held_is_not_done_again(make: Make) -> None:
    work = make("one1", "true", "true", nodes=2)
    first = [_begin(), _start("P1", 101.0), _exit("P1", 101.0, 103.0), _start("P2", 103.0)]
    again = [_begin(500.0), _start("P2", 501.0), _exit("P2", 501.0, 503.0)]
    _write(work, *first, *again, {"event": "end", "time": 504.0})
    job = classify_job(work, make_arrival(at_seconds=5.0), 90.0)
    assert (job.own_start, job.own_end, job.application_start) == (500.0, 504.0, 501.0)
    assert [part.seconds for part in job.parts] == [2.0, 2.0]
