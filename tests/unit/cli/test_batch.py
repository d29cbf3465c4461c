"""`heorot batch check` on the command line: its output before, during and after the check."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from heorot.acceptance.session import check as acceptance
from heorot.acceptance.session.check import Intent, Reporter
from heorot.acceptance.session.features import FEATURES
from heorot.cli import batch as cli
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Queue
from heorot.launch.batch.slurm import Slurm
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.acceptance import Acceptance, CheckRequest, FeatureStatus, Verdict
from heorot.model.machine.site import Site, SiteBatch

Call = Callable[..., Result]


def found(*statuses: FeatureStatus) -> Acceptance:
    """A check with these results."""
    return Acceptance(
        system="slurm",
        heorot_version="1",
        begun=1000.0,
        ended=1060.0,
        verdicts=tuple(
            Verdict(
                feature=feature.name,
                question=feature.question,
                status=status,
                text="it did\x1b[2Jwhat it did",
                evidence=("job 7: as seen",),
            )
            for feature, status in zip(FEATURES, statuses, strict=False)
        ),
    )


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls the command with a batch system that is only on paper."""

    def run(*words: str, stands: tuple[FeatureStatus, ...] = ("passed",)) -> Result:
        batch, caller = SiteBatch(system="slurm"), BatchClient(Slurm())
        target = ExecutionTarget(LocalAdapter(), Site(), 4, caller, batch, Queue("main"))

        def accept(intent: Intent, reporter: Reporter) -> tuple[Acceptance, Path]:
            del intent
            reporter.cleaned("cancelled job 3, left by an earlier check")
            for verdict in found(*stands).verdicts:
                reporter.judged(verdict)
            return found(*stands), Path("/out")

        def intend(request: CheckRequest) -> Intent:
            return Intent(target, acceptance.chosen(request.only), {}, request)

        monkeypatch.setattr(acceptance, "intend", intend)
        monkeypatch.setattr(acceptance, "accept", accept)
        return CliRunner().invoke(cli.command, ["check", *words], standalone_mode=False)

    return run


def test_it_says_what_it_will_do_and_what_it_did(call: Call) -> None:
    done = call("--yes", "--minutes", "5", stands=("passed", "absent", "untested"))
    assert done.return_value == 0
    n_jobs = sum(feature.jobs for feature in FEATURES)
    assert n_jobs > 50
    what = f"slurm, queue main: {len(FEATURES)} features, up to {n_jobs} jobs, at most 4 nodes"
    assert what in done.stderr
    assert "no more than 5 min" in done.stderr
    assert "one is set down" in done.stderr
    assert "left by an earlier check" in done.stderr
    assert "not tested" in done.stdout
    assert "job 7: as seen" in done.stdout
    assert "\x1b[2J" not in done.stdout
    assert "1 passed, 1 absent, 1 not tested" in done.stderr
    assert "/out/acceptance.html" in done.stderr


def test_a_failure_is_an_exit_code(call: Call) -> None:
    assert call("--yes", "--quiet", stands=("passed", "failed")).return_value == 1


def test_json_is_all_that_stdout_gets(call: Call) -> None:
    done = call("--yes", "--json", "--only", "latency")
    assert json.loads(done.stdout)["verdicts"][0]["status"] == "passed"
    assert "set down" not in done.stderr


def test_what_is_tested_can_be_listed(call: Call) -> None:
    done = call("--list", "--only", "*-limit")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["time-limit", "memory-limit"]


@pytest.mark.parametrize("agreed", [True, False])
def test_a_terminal_is_asked(call: Call, monkeypatch: pytest.MonkeyPatch, agreed: bool) -> None:
    asked: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        asked.append(text)
        return agreed

    monkeypatch.setattr(cli, "is_asked", lambda: True)
    monkeypatch.setattr("click.confirm", confirm)
    done = call()
    assert asked == ["Start?"]
    assert ("acceptance.html" in done.stderr) is agreed


def test_a_time_that_is_no_number_is_refused(call: Call) -> None:
    done = call("--minutes", "nan")
    assert "nan is not a number from 0.5 to 240" in str(done.exception)
