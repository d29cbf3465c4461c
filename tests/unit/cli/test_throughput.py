"""`heorot throughput`, and other commands on throughput tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from heorot.cli import throughput
from heorot.cli.runs import report, status, stop
from heorot.cli.terminal import throughput_progress
from heorot.errors import HeorotError, UsageError
from heorot.session.exclusive_use import concurrent_runs
from heorot.store.directory import RunDirectory
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session import conclude, conduct, throughput_status
from heorot.throughput.session.throughput_status import ThroughputStatus


class _Ended:
    """A throughput test that has ended."""

    code = 1
    report = Path("runs/day/report.html")
    disagreements = ()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was to be conducted; nothing is."""
    seen: list[Any] = []

    def note(what: Any, view: object, *, trust: bool = False, anyway: bool) -> _Ended:
        del view
        seen.extend([what, *["trusted"] * trust, *["anyway"] * anyway])
        return _Ended()

    monkeypatch.setattr(conduct, "throughput", note)
    monkeypatch.setattr(conduct, "resume", note)
    monkeypatch.setattr(concurrent_runs, "require_quiet", lambda *_: None)
    monkeypatch.setattr(throughput_progress, "print_throughput", lambda _: None)
    return seen


def _call(*words: str) -> int:
    done = CliRunner().invoke(throughput.command, words, standalone_mode=False)
    if done.exception:
        raise done.exception
    code: int = done.return_value
    return code


def test_all_options_reach_the_request(asked: list[Any], tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.yaml"
    words = ["steen2000", "--jobs", str(jobs), "--nodes", "4", "--time-scale", "0.1"]
    words += ["--most", "5", "--seed", "7", "--alone", "2", "--exclusive", "--interval", "0"]
    words += ["--alone-from", str(tmp_path), "--out", "runs/x", "--batch", "slurm", "--quiet"]
    assert _call(*words) == 1
    (request,) = asked
    assert isinstance(request, ThroughputRequest)
    assert (request.schedule, request.jobs, request.nodes) == ("steen2000", jobs, 4)
    assert (request.time_scale, request.most, request.seed, request.alone) == (0.1, 5, 7, 2)
    assert (request.exclusive, request.interval_seconds) == (True, 0.0)
    assert (request.alone_from, request.out, request.batch) == (tmp_path, Path("runs/x"), "slurm")
    assert request.command[0] == "heorot"


def test_a_day_is_gone_on_with(asked: list[Any]) -> None:
    assert _call("--resume", "runs/x") == 1
    assert asked == [Path("runs/x")]
    assert _call("--resume", "runs/x", "--anyway", "--trust") == 1
    assert asked[1:] == [Path("runs/x"), "trusted", "anyway"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a schedule is missing"),
        (("steen2000", "--resume", "runs/x"), "--resume keeps the options of the run"),
        (("--resume", "runs/x", "--out", "y"), "--resume keeps the options of the run"),
        (("--resume", "runs/x", "--alone", "3"), "--resume keeps the options of the run"),
    ],
)
def test_contradicting_options_are_refused(
    asked: list[Any], words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        _call(*words)
    assert not asked


@pytest.mark.parametrize("scale", ["0", "-1", "nan", "much"])
def test_a_time_scale_is_a_number_above_zero(asked: list[Any], scale: str) -> None:
    with pytest.raises((HeorotError, click.UsageError)):
        _call("steen2000", "--time-scale", scale)
    assert not asked


def _say(command: click.Command, *words: str) -> tuple[list[str], int]:
    done = CliRunner().invoke(command, words, standalone_mode=False)
    assert done.exception is None, done.exception
    return done.output.splitlines(), done.return_value


@pytest.mark.parametrize("state", ["under load", "alone"])
def test_status_of_a_day(monkeypatch: pytest.MonkeyPatch, state: Any) -> None:
    seen = ThroughputStatus(state, 90.0, 3, ("a2", "a3"), ("a1",), {"ok": 2, "node_fail": 1})
    monkeypatch.setattr(throughput_status, "is_throughput_test", lambda _: True)
    monkeypatch.setattr(throughput_status, "throughput_status", lambda _: seen)
    lines, code = _say(status.command, "runs/x")
    assert code == 0
    assert lines[1:6] == [
        "time     1 min 30 s since the load began",
        "ended    3: 2 ok, 1 node fail",
        "running  1 a1",
        "waiting  2 a2 a3",
        "later    3",
    ]
    if state == "alone":
        assert lines[0].endswith("is gone; submitted jobs continue")
        assert lines[-1] == "resume   heorot throughput --resume runs/x"


def test_nothing_goes_on_of_a_day_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = ThroughputStatus("alone", 90.0, 3, (), (), {"cancelled": 2})
    monkeypatch.setattr(throughput_status, "is_throughput_test", lambda _: True)
    monkeypatch.setattr(throughput_status, "throughput_status", lambda _: seen)
    (state, *_), _ = _say(status.command, "runs/x")
    assert state == "state    the heorot that followed it is gone"


def test_stop_and_report_of_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput_status, "is_throughput_test", lambda _: True)
    monkeypatch.setattr(throughput_status, "stop_throughput", lambda _, **_trust: True)
    monkeypatch.setattr(RunDirectory, "command", "throughput")
    monkeypatch.setattr(conclude, "reopen", lambda *_: _Ended())
    lines, _ = _say(stop.command, "runs/x")
    assert lines == ["stopped; resume with: heorot throughput --resume runs/x"]
    assert _say(report.command, "runs/x") == (["runs/day/report.html"], 1)
