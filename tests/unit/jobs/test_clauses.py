"""Clauses on jobs that did not end well: each sentence once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heorot.jobs.clauses import clause, complaint_about, describe_state
from heorot.jobs.events import Event
from heorot.jobs.facts import BatchFacts, BatchState, note_ending, read_facts, write_facts
from heorot.jobs.outcome import has_ended, read_end
from heorot.jobs.status import JobStatus
from heorot.model.batch.states import JobState

NEVER = JobStatus(Path("J0001"))
RAN = JobStatus(Path("J0001"), (Event(event="job", time=86_399.0, host="n1", hosts=("n1", "n2")),))
SILENT = "is silent since 1970-01-01 23:59:59 UTC"


def facts(state: BatchState = "running", **more: object) -> BatchFacts:
    return BatchFacts.model_validate(
        {"system": "slurm", "name": "x", "id": "7", "state": state, **more}
    )


def said(state: JobState, known: BatchFacts | None, status: JobStatus = RAN) -> str:
    reported = known.state if known else None
    return clause(state, status, known, reported, "it")


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (facts(), "slurm job 7 running"),
        (facts("node_fail", reason="NodeDown"), "slurm job 7 node fail: NodeDown"),
        (facts("rejected", id=None), "slurm job rejected"),
    ],
)
def test_how_a_job_stands_is_one_line(known: BatchFacts, line: str) -> None:
    assert describe_state(known) == line


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (facts("ok"), ""),
        (facts(reason="Priority", raw="PENDING"), ""),
        (facts(reason="slurm does not answer", raw="no answer"), "job 7: slurm does not answer"),
        (facts("rejected", id=None, reason="no"), "the job was refused by slurm: no"),
        (facts("failed", raw="FAILED", reason="NonZero"), "job 7 failed (FAILED, NonZero)"),
        (facts("node_fail", raw="NODE_FAIL"), "a node of job 7 failed (NODE_FAIL)"),
    ],
)
def test_what_a_batch_system_did_to_a_job(known: BatchFacts, line: str) -> None:
    assert complaint_about(known) == line


@pytest.mark.parametrize(
    ("state", "known", "line"),
    [
        ("failed", facts("ok"), "it ended, but its script did not complete"),
        ("failed", facts("failed", raw="FAILED"), "it failed (FAILED)"),
        ("failed", facts("failed"), "it failed"),
        ("timeout", facts("timeout", asked_seconds=60.0), "it reached its time limit of 1 min"),
        ("timeout", facts("failed", asked_seconds=60.0), "it reached its time limit of 1 min"),
        ("timeout", None, "it reached its time limit"),
        ("node_fail", facts("node_fail", raw="NODE_FAIL"), "a node of n1, n2 failed"),
        ("rejected", facts("rejected", raw="no"), "it was refused by slurm: no"),
        ("cancelled", facts("cancelled", raw="by Heorot"), "it was cancelled by Heorot"),
        ("cancelled", facts("cancelled", reason="interrupted"),
         "it was interrupted; slurm does not report by whom"),
        ("cancelled", facts("cancelled", raw="PREEMPTED"),
         "it was preempted (PREEMPTED)"),
        ("cancelled", facts("cancelled", raw="CANCELLED by 0"),
         "it was cancelled by another user (CANCELLED by 0)"),
        ("cancelled", facts("ok"), "it was interrupted"),
        ("cancelled", facts(ending=True), "it was cancelled by Heorot"),
        ("cancelled", None, "it was interrupted"),
        ("vanished", facts("vanished"),
         f"it is lost: unknown to the batch system; its script {SILENT}"),
        ("vanished", facts("vanished", reason="lost"), f"it is lost: lost; its script {SILENT}"),
        ("unfinished", facts(raw="RUNNING"),
         f"it was last heard of as running (RUNNING); its script {SILENT}"),
        ("unfinished", facts("pending", raw="PENDING", reason="Priority"),
         f"it was last heard of as running (PENDING, Priority); its script {SILENT}"),
        ("unfinished", None, f"it {SILENT}"),
    ],
)  # fmt: skip
def test_what_became_of_a_job(state: JobState, known: BatchFacts | None, line: str) -> None:
    assert said(state, known) == line


def test_of_a_job_with_one_node_that_is_named() -> None:
    one = JobStatus(Path("J0001"), (Event(event="job", time=1.0, hosts=("n1",)),))
    assert said("node_fail", facts("node_fail", raw="NODE_FAIL"), one) == "node n1 failed"
    assert said("node_fail", facts("node_fail"), NEVER) == "a node of it failed"


def test_a_job_that_never_began() -> None:
    assert said("unfinished", None, NEVER) == "it never began"
    assert said("unfinished", facts("submitted"), NEVER) == (
        "it was last heard of in the queue and never began"
    )
    assert said("unfinished", facts(), NEVER) == (
        "it was last heard of as running; its script never began"
    )
    # A scheduler other than a batch system may be a better source.
    assert clause("vanished", NEVER, None, "vanished", "it") == "it is lost: its script never began"
    assert clause("unfinished", NEVER, None, "running", "it") == (
        "it was last heard of as running; its script never began"
    )


def test_a_script_that_gave_up_has_said_all_itself() -> None:
    gave_up = JobStatus(Path("J0001"), RAN.events, ("job J0001 stopped: no space left",))
    assert said("failed", None, gave_up) == ""


def test_who_ends_a_job_keeps_that_before(tmp_path: Path) -> None:
    note_ending(tmp_path)  # nothing is known of it
    assert not (tmp_path / "batch.json").exists()
    for known, ending in ((facts("ok"), False), (facts("pending"), True)):
        write_facts(tmp_path, known)
        note_ending(tmp_path)
        kept = read_facts(tmp_path)
        assert kept is not None
        assert kept.ending == ending


def test_who_gave_a_job_its_nodes_and_has_lost_it_is_heard(tmp_path: Path) -> None:
    (tmp_path / "stderr").write_text("heorot: job J0001 stopped: no space left\n")
    assert read_end(tmp_path, ["P1"], "running").state == "unfinished"
    assert read_end(tmp_path, ["P1"], "vanished").state == "failed"
    (tmp_path / "stderr").unlink()
    assert read_end(tmp_path, ["P1"], "vanished").state == "vanished"


def test_a_job_has_ended_when_all_its_steps_have(tmp_path: Path) -> None:
    assert not has_ended(tmp_path, ["P1", "P2"])
    lines = [
        {"event": "exit", "time": 2.0, "step": step, "code": 3, "timed_out": False, "started": 1.0}
        for step in ("P1", "P2")
    ]
    for n, ended in ((1, False), (2, True)):
        text = "".join(json.dumps(line) + "\n" for line in lines[:n])
        (tmp_path / "status.jsonl").write_text(text)
        assert has_ended(tmp_path, ["P1", "P2"]) == ended
    assert not has_ended(tmp_path, [])  # a job without steps ends with its script
