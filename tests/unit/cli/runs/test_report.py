"""`heorot report`: the whole page, or only its first screen."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.cli.main import main
from heorot.session import runs
from heorot.store.directory import RunDirectory

RUN = Path(__file__).resolve().parents[3] / "samples" / "runs" / "peak_0.1.0"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    copy = tmp_path / "run"
    shutil.copytree(RUN, copy)
    runs.conclude(RunDirectory.open(copy))
    return copy


@pytest.fixture
def heorot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    """Runs a command line; returns its exit code."""
    before = signal.getsignal(signal.SIGTERM)

    def run(*words: object) -> int:
        monkeypatch.setattr(sys, "argv", ["heorot", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.mark.slow
def test_the_summary_lies_beside_the_report_and_leads_into_it(
    heorot: Callable[..., int], run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heorot("report", run, "--summary")
    assert capsys.readouterr().out == f"{run / 'summary.html'}\n"
    page = (run / "summary.html").read_text()
    assert 'href="report.html#' in page
    assert 'id="scores"' not in page
    elsewhere = tmp_path / "mail.html"
    heorot("report", run, "--summary", "--out", elsewhere)
    assert "report.html" not in elsewhere.read_text()


def test_a_throughput_test_has_no_summary(
    heorot: Callable[..., int],
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(RunDirectory, "command", "throughput")
    assert heorot("report", run, "--summary") == 2
    said = capsys.readouterr().err
    assert "has no separate summary" in said
    assert "hint: leave --summary out" in said
