"""Facts about a job are written wherever possible."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from heorot.jobs.batch_states import End
from heorot.jobs.clauses import complaint_about
from heorot.jobs.facts import (
    BatchFacts,
    QueueState,
    merged,
    read_facts,
    write_facts,
)
from heorot.launch.batch.dialect import Dialect, Wants
from heorot.launch.batch.flux.flux import Flux
from heorot.launch.batch.lsf import Lsf
from heorot.launch.batch.pbs import Pbs
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import read_job, write_job


def test_where_no_new_file_can_be_written_the_old_one_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = BatchFacts(
        system="slurm", name="heorot", id="7", state="running", reason="something long"
    )
    write_facts(tmp_path, facts)
    ended = facts.model_copy(update={"state": "failed", "reason": ""})

    def full(*_: object, **_directories: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", full)
        write_facts(tmp_path, ended)
    assert read_facts(tmp_path) == ended


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path) -> None:
    write_facts(
        tmp_path / "gone", BatchFacts(system="slurm", name="heorot", id="7", state="running")
    )
    assert read_facts(tmp_path / "gone") is None


def _facts(**more: object) -> BatchFacts:
    return BatchFacts.model_validate({"system": "slurm", "name": "x", "id": "1", **more})


def test_a_time_limit_is_reported_in_one_sentence_whatever_its_source() -> None:
    asked = _facts(asked_seconds=60.0)
    own = asked.model_copy(update={"state": "timeout", "raw": "", "reason": ""})
    queue = merged(
        asked, QueueState("ended", "timeout", "TIMEOUT", "TimeLimit", limit_seconds=3600.0)
    )
    accounts = merged(asked, QueueState("ended", "timeout", "TIMEOUT"))
    later = merged(queue, QueueState("ended", "timeout", "TIMEOUT", code=1))
    reported = {complaint_about(facts) for facts in (own, queue, accounts, later)}
    assert reported == {"job 1 reached its time limit of 1 min"}


@pytest.mark.parametrize(
    ("dialect", "asked", "taken"),
    [(Slurm(), 61.0, 120.0), (Lsf(), 61.0, 120.0), (Pbs(), 61.5, 62.0), (Flux(), 61.5, 62.0)],
)
def test_a_job_knows_the_limit_that_was_asked_for(
    tmp_path: Path, dialect: Dialect, asked: float, taken: float
) -> None:
    job = write_job(tmp_path / "J0001", [], dialect.job_environment(Wants(limit_seconds=asked)))
    assert job.limit_seconds == taken
    assert read_job(job.directory) == job
    free = write_job(tmp_path / "J0002", [], dialect.job_environment(Wants()))
    assert free.limit_seconds is None


def test_reported_facts_are_kept_and_unreported_ones_stay() -> None:
    words = ("FAILED", "NonZeroExitCode")
    reported = QueueState(
        "ended", "failed", *words, queue="main", code=0,
        eligible=1.0, started=2.0, ended=3.0, limit_seconds=60.0,
    )  # fmt: skip
    known = merged(_facts(state="running", raw="RUNNING", reason="old"), reported)
    times = {"eligible": 1.0, "started": 2.0, "ended": 3.0, "limit_seconds": 60.0}
    told_of = {"raw": "FAILED", "reason": "NonZeroExitCode", "queue": "main", "code": 0}
    assert known == _facts(state="failed", **told_of, **times)
    assert merged(known, QueueState("unknown", raw="FAILED")) == known
    other = merged(known, QueueState("unknown", raw="ODD"))
    assert (other.state, other.raw, other.reason) == ("failed", "ODD", "")
    later = QueueState(
        "ended", "ok", "COMPLETED", queue="other", code=7,
        eligible=2.0, started=3.0, ended=4.0, limit_seconds=61.0,
    )  # fmt: skip
    times = {name: value + 1.0 for name, value in times.items()}
    expected = _facts(state="ok", raw="COMPLETED", queue="other", code=7, **times)
    assert merged(known, later) == expected


@pytest.mark.parametrize("end", ["ok", "failed", "cancelled", "timeout", "node_fail"])
def test_what_we_end_was_cancelled_by_us_whatever_its_script_made_of_that(end: End) -> None:
    reported = QueueState("ended", end, "WORD", "why", code=15)
    asked = merged(_facts(state="running", ending=True), reported)
    ours = end in {"cancelled", "failed"}
    assert asked.state == ("cancelled" if ours else end)
    assert (asked.raw, asked.reason) == (("by Heorot", "") if ours else ("WORD", "why"))
    kept = merged(_facts(state="cancelled", raw="by Heorot"), reported)
    assert (kept.state, kept.raw, kept.reason, kept.code) == ("cancelled", "by Heorot", "", 15)
