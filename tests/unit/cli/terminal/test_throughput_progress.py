"""Progress of a throughput test on a terminal and in a log."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from heorot.cli.terminal import throughput_progress
from heorot.cli.terminal.throughput_progress import (
    ThroughputLines,
    ThroughputLive,
    choose,
    drawn,
    print_throughput,
)
from heorot.model.analysis.result import Finding, Sentence
from heorot.monitoring.model import Monitoring
from heorot.throughput.model.explanation import Account, ThroughputExplanation
from heorot.throughput.session.view import LoadState, ThroughputView

GLIMPSE = LoadState(
    seconds=65.0,
    n_jobs=40,
    later=tuple(f"late{n}" for n in range(1, 16)),
    waiting=("w1",),
    running=(("r1", 3.0), ("r2", 61.0)),
    ended=(("e1", True), ("e2", False)),
    left_seconds=120.0,
)


def _text(thing: Any) -> str:
    console = Console(file=io.StringIO(), width=160)
    console.print(thing)
    stream = console.file
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()


def test_a_log_has_a_line_for_each_job() -> None:
    stream = io.StringIO()
    lines = ThroughputLines(stream)
    lines.settled("a1", "ok")
    lines.stage("40 jobs")
    lines.seen(GLIMPSE)
    lines.settled("e1", "ok after 3.0 s")
    lines.seen(LoadState(1.0, 40))
    lines.settled("e2", "fai\x1b\nled")
    lines.close()
    assert stream.getvalue().splitlines() == [
        "heorot: [1] a1: ok",
        "heorot: 40 jobs",
        "heorot: [1/40] e1: ok after 3.0 s; 2 running, 1 waiting, about 2 min left",
        "heorot: [2/40] e2: failed; 0 running, 0 waiting",
    ]


def test_a_terminal_shows_what_runs_waits_and_failed() -> None:
    text = _text(drawn(GLIMPSE))
    assert "1 min 5 s, about 2 min left" in text
    assert "2 of 40" in text
    assert "r1 3.0 s, r2 1 min 1 s" in text
    assert "late12 and 3 more" in text
    assert "not well 1" in text
    assert "not well" not in _text(drawn(LoadState(1.0, 3)))


def test_live_lines_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput_progress, "_DRAW_SECONDS", 0.0)
    live = ThroughputLive()
    stream = io.StringIO()
    live._console = Console(file=stream, width=120, force_terminal=True)
    live.stage("40 jobs")
    live.seen(GLIMPSE)
    live.seen(GLIMPSE)
    live.loaded(Monitoring())
    live.seen(GLIMPSE)
    live.settled("e1", "ok")
    live.settled("e2", "failed: exit code 3")
    live.settled("e3", "failed: [/tmp/x] is [red] hot\x07")
    live.stage("a test in [/tmp/x]")
    live.close()
    live.close()
    assert "e3: failed: [/tmp/x] is [red] hot" in stream.getvalue()
    assert "\x07" not in stream.getvalue()
    assert "a test in [/tmp/x]" in stream.getvalue()
    assert "e2: failed: exit code 3" in stream.getvalue()
    assert "e1: ok" not in stream.getvalue()


def test_who_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(choose(quiet=True)) is ThroughputView
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(choose(quiet=False), ThroughputLines)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert isinstance(choose(quiet=False), ThroughputLive)


@dataclass
class _Job:
    fate: str


def test_the_end_of_a_throughput_test_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding(severity="error", text="e2 failed")
    explanation = ThroughputExplanation(
        account=Account(scheduled=3, submitted=3, states={"ok": 2, "node_fail": 1}),
        verdict=(Sentence(text="3 jobs were submitted."),),
        findings=(finding,),
    )

    class Ended:
        """A throughput test."""

        analysis = type("Analysis", (), {"explanation": explanation})
        record = type("Day", (), {"jobs": (_Job("ok"), _Job("node_fail"), _Job("ok"))})
        report = Path("r.html")

    print_throughput(Ended())  # type: ignore[arg-type]
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "- 3 jobs were submitted."
    assert "error: e2 failed" in out
    assert out[-2:] == ["3 jobs: 2 ok, 1 node fail", "report: r.html"]
