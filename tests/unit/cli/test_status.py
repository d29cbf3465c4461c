"""`heorot status` and `heorot stop`: their output, and messages after an interruption."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from heorot.cli import main
from heorot.cli.runs import status, stop
from heorot.errors import Interrupted
from heorot.session import run_status
from heorot.session.run_status import RunStatus
from tests.unit.collect.conftest import make_step


def _say(command: click.Command, run: str) -> list[str]:
    done = CliRunner().invoke(command, [run], standalone_mode=False)
    assert done.return_value == 0, done.output
    return done.output.splitlines()


def test_a_run_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = RunStatus("measuring", 40, 12, 1, make_step(13), running_seconds=4.0, left_seconds=120.0)
    monkeypatch.setattr(run_status, "status", lambda _, **_trust: seen)
    assert _say(status.command, "runs/a") == [
        "state    measuring",
        "steps    12 of 40 done, 1 of them failed; 28 left, about 2 min",
        "running  memory/stream all_cores (2 x 1, launch 2), for 4.0 s",
    ]


def test_a_run_that_can_be_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_status, "status", lambda _, **_trust: RunStatus("stopped", 3, 3))
    assert _say(status.command, "a b") == [
        "state    stopped",
        "steps    3 of 3 done; 0 left",
        "resume   heorot evaluate --resume 'a b'",
    ]


def test_a_run_without_a_plan_has_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_status, "status", lambda _, **_trust: RunStatus("preparing"))
    assert _say(status.command, "a") == ["state    preparing: describing the machine, building"]


def test_stopping_says_whether_there_was_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_status, "stop", lambda run, trust: run == Path("a b") and not trust)
    assert _say(stop.command, "a b") == ["stopped; resume with: heorot evaluate --resume 'a b'"]
    assert _say(stop.command, "c") == ["no job of c is running on this machine"]


@pytest.mark.parametrize("kept", [True, False])
def test_an_interruption_names_only_a_run_that_is_there(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "a run"
    if kept:
        run.mkdir()

    def interrupted(**_: object) -> None:
        raise click.exceptions.Abort from Interrupted(run, "evaluate")

    monkeypatch.setattr(main.cli, "main", interrupted)
    with pytest.raises(SystemExit) as left:
        main.main()
    assert left.value.code == 130
    line = f"heorot: resume with: heorot evaluate --resume '{run}'\n"
    assert capsys.readouterr().err == (line if kept else "")
