"""Whole throughput tests of plain commands on this computer, from the schedule to the page."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from heorot import interruption
from heorot.errors import HeorotError, Interrupted, RunError, UsageError
from heorot.store.directory import RunDirectory
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conclude, conduct, prepare, throughput_status
from heorot.throughput.session.load_run import LoadRun
from heorot.throughput.session.schedulers.fcfs_scheduler import FcfsScheduler
from heorot.throughput.store import ThroughputDirectory
from heorot.throughput.verification import verify_throughput
from tests.unit.throughput.session.conftest import Seen
from tests.waiting import text_of, wait_until

pytestmark = pytest.mark.usefixtures("plain_tests")


@pytest.mark.slow
@pytest.mark.waiting
def test_a_throughput_test(ask: Callable[..., ThroughputRequest]) -> None:
    view = Seen()
    ended = conduct.throughput(ask("0: 2 * quick\n0: 1 * bad\n"), view)
    assert ended.code == 1
    assert {job.label: job.fate for job in ended.record.jobs} == {
        "quick1": "ok",
        "quick2": "ok",
        "bad1": "failed",
    }
    assert set(ended.record.alone) == {"quick"}
    assert [label for label, _ in view.ends[:2]] == ["quick alone", "bad alone"]
    assert {response.loaded for response in ended.record.responses} == {False, True}
    assert "the nodes are not monitored: no compiler" in view.stages
    assert "other policies are not simulated: no compiler" in view.stages
    assert "quick1" in ended.report.read_text()
    facts = ended.record.facts
    assert facts.begun is not None
    assert facts.ended is not None
    # Reopening an ended test measures nothing again.
    again = conduct.resume(ended.directory, Seen())
    assert again.record == ended.record
    page = ended.directory / "other.html"
    assert conclude.reopen(ended.directory, Seen(), page).report == page
    seen = throughput_status.throughput_status(ended.directory)
    assert (seen.state, seen.states, seen.later) == ("complete", {"ok": 2, "failed": 1}, 0)
    assert not throughput_status.stop_throughput(ended.directory)


@pytest.mark.slow
@pytest.mark.waiting
def test_a_changed_throughput_test(ask: Callable[..., ThroughputRequest]) -> None:
    where = conduct.throughput(ask("0: 1 * quick\n"), Seen()).directory
    assert {one.what: one.agrees for one in verify_throughput(where)} == {
        "digests": True,
        "jobs": True,
    }
    assert conclude.reopen(where, Seen()).disagreements == ()
    settled, status = where / "settled.json", where / "jobs/J0001/status.jsonl"
    reported = json.loads(settled.read_text())
    own_end = reported["jobs"][0]["own_end"]
    reported["jobs"][0] |= {"own_end": own_end + 100.0}
    settled.write_text(json.dumps(reported))
    digests, jobs = verify_throughput(where)
    assert digests.lines == ("1 file changed since the run was concluded: settled.json",)
    assert jobs.lines == (
        f"settled.json jobs[0].own_end: stored {own_end + 100.0}, recomputed {own_end}",
    )
    with status.open("a") as file:
        file.write("\n")
    ended = conclude.reopen(where, Seen())
    line = f"2 files changed since the run was concluded: jobs/J0001/status.jsonl, {settled.name}"
    assert (ended.disagreements, ended.code) == ((line,), 1)
    assert line in ended.report.read_text()
    # Its status does not conclude it.
    assert conclude.reopen(where, Seen()).disagreements == (line,)
    with pytest.raises(RunError, match=f"nothing is added to {where}: {line}"):
        conduct.resume(where, Seen())
    (where / "digests.json").unlink()
    (line,) = conclude.reopen(where, Seen()).disagreements
    assert line.startswith("no digests: run heorot verify ")


@pytest.mark.slow
@pytest.mark.waiting
def test_times_of_another_test(ask: Callable[..., ThroughputRequest], tmp_path: Path) -> None:
    first = conduct.throughput(ask("0: 1 * quick\n"), Seen())
    request = ask("0: 1 * quick\n", out=tmp_path / "second", alone_from=first.directory)
    view = Seen()
    second = conduct.throughput(request.model_copy(update={"exclusive": True}), view)
    assert second.record.alone == first.record.alone
    assert [label for label, _ in view.ends] == ["quick1"]
    assert second.record.jobs[0].exclusive


@pytest.mark.slow
@pytest.mark.waiting
def test_ctrl_c_ends_its_jobs_and_the_test_can_be_resumed(
    ask: Callable[..., ThroughputRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interruption, "_came", [])

    reported: list[throughput_status.ThroughputStatus] = []

    def interrupt() -> None:
        try:
            _wait_for_start(tmp_path / "day/jobs/J0001/status.jsonl")
            reported.append(throughput_status.throughput_status(tmp_path / "day"))
        finally:
            interruption._came.append(2)

    actor = threading.Thread(target=interrupt)
    actor.start()
    with pytest.raises(Interrupted) as raised:
        conduct.throughput(ask("0: 1 * long\n1000: 1 * quick\n", alone=0), Seen())
    actor.join()
    interruption._came.clear()
    (then,) = reported
    assert (then.state, then.running, then.later) == ("under load", ("long1",), 1)
    assert (raised.value.run, raised.value.command) == (tmp_path / "day", "throughput")
    seen = throughput_status.throughput_status(tmp_path / "day")
    assert (seen.state, seen.states, seen.later) == ("alone", {"cancelled": 1}, 1)
    arrivals = ThroughputDirectory(tmp_path / "day").arrivals()
    soon = tuple(each.model_copy(update={"at_seconds": 0.0}) for each in arrivals)
    ThroughputDirectory(tmp_path / "day").write_arrivals(soon)
    ended = conduct.resume(tmp_path / "day", Seen())
    assert [job.fate for job in ended.record.jobs] == ["cancelled", "ok"]


@pytest.mark.slow
@pytest.mark.waiting
def test_a_test_without_its_heorot_can_be_ended(
    ask: Callable[..., ThroughputRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedulers: list[FcfsScheduler] = []

    def carry_out(test: LoadRun) -> None:
        schedulers.append(_scheduler_of(test))
        _die_once_it_runs(test)

    monkeypatch.setattr(LoadRun, "carry_out", carry_out)
    monkeypatch.setattr(conduct, "InteractiveUsers", _NoUsers)
    with pytest.raises(RuntimeError):
        conduct.throughput(ask("0: 1 * long\n", alone=0), Seen())
    assert throughput_status.throughput_status(tmp_path / "day").running == ("long1",)
    assert throughput_status.stop_throughput(tmp_path / "day")
    assert throughput_status.throughput_status(tmp_path / "day").states == {"cancelled": 1}
    for one in schedulers[0]._running:  # a killed process has no children any more
        one.adapter.leave(one.job)


def _scheduler_of(test: LoadRun) -> FcfsScheduler:
    assert isinstance(test._scheduler, FcfsScheduler)
    return test._scheduler


class _NoUsers:
    """No commands."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self) -> None:
        """Not used."""


def _die_once_it_runs(test: LoadRun) -> None:
    """Like kill -9, except for this process."""
    test._submit_due()
    for change in test._scheduler.poll():
        test._note(change)
    _wait_for_start(test._works[1].place / "status.jsonl")
    raise RuntimeError


def _wait_for_start(status: Path) -> None:
    wait_until(lambda: '"start"' in text_of(status), seen=lambda: text_of(status))


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ("jobs:\n  quick: {program: family/none}\n", "unknown program `family/none`"),
        ("jobs:\n  quick: {command: [date], nodes: 2}\n", "takes 2 nodes"),
        ("jobs:\n  other: {command: [date]}\n", "is not in the file of jobs"),
        (
            "jobs:\n  quick: {recipe: hpcc, options: {n: 1000}}\n",
            "others/hpcc cannot run: it is gone",
        ),
    ],
)
def test_nothing_is_left_of_an_impossible_test(
    ask: Callable[..., ThroughputRequest],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    jobs: str,
    message: str,
) -> None:
    monkeypatch.setattr(prepare, "toolchains_for", lambda *_, **__: ((), "it is gone"))
    request = ask("0: 1 * quick\n")
    (tmp_path / "jobs.yaml").write_text(jobs)
    with pytest.raises(HeorotError, match=message):
        conduct.throughput(request, Seen())
    assert not (tmp_path / "day").exists()


def test_a_run_is_no_throughput_test(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a run"):
        conduct.resume(tmp_path, Seen())


def test_a_throughput_test_is_no_run_and_a_run_no_test(
    ask: Callable[..., ThroughputRequest], tmp_path: Path
) -> None:
    conduct.throughput(ask("0: 1 * quick\n", alone=0), Seen())
    with pytest.raises(RunError, match="holds a throughput test") as raised:
        RunDirectory.open(tmp_path / "day")
    assert f"throughput --resume {tmp_path}/day" in raised.value.hint
    with pytest.raises(UsageError) as refused:
        conduct.throughput(ask("0: 1 * quick\n"), Seen())
    assert "throughput --resume" in refused.value.hint
    (tmp_path / "day/day.json").unlink()
    with pytest.raises(RunError, match="was stopped before it was prepared"):
        conduct.resume(tmp_path / "day", Seen())
    (tmp_path / "day/request.json").unlink()
    other = ask("0: 1 * quick\n", out=tmp_path / "other", alone_from=tmp_path / "day")
    with pytest.raises(RunError, match="is not the directory of a throughput test"):
        conduct.throughput(other, Seen())
    assert not (tmp_path / "other").exists()


def test_a_throughput_test_does_not_run_inside_a_job(
    ask: Callable[..., ThroughputRequest], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sinfo = tmp_path / "bin"
    sinfo.mkdir()
    for name in ("sbatch", "squeue", "scancel", "sinfo", "scontrol"):
        (sinfo / name).write_text("#!/bin/sh\necho n1\n")
        (sinfo / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{sinfo}:{os.environ['PATH']}")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n1")
    with pytest.raises(UsageError, match="inside a job"):
        conduct.throughput(ask("0: 1 * quick\n", batch=None), Seen())
