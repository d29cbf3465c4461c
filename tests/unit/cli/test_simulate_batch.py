"""`heorot simulate-batch`: options, tables, files and refusals."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from heorot.cli.simulate_batch import command
from heorot.errors import HeorotError
from heorot.throughput.simulations import simulation

FAKE = Path(__file__).resolve().parents[1] / "throughput" / "simulate" / "fake_core.py"


@pytest.fixture(autouse=True)
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in place of the native core."""
    program = tmp_path / "core"
    words = shlex.join([sys.executable, "-S", str(FAKE)])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(simulation, "find_schedule", lambda *_: program)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words])


def test_policies_are_shown_side_by_side() -> None:
    shown = run("lublin:30", "--nodes", "16", "--policy", "fcfs,sjf", "--policy", "easy,fcfs")
    assert shown.exit_code == 0, shown.output
    rows = [line.split()[:2] for line in shown.stdout.splitlines()[1:4]]
    assert rows == [["fcfs", "30"], ["sjf", "30"], ["easy", "30"]]
    assert "sjf: shortest estimate first; no backfill" in shown.stdout
    assert "early and late jobs count, too" in shown.stdout
    assert "simulating 30 jobs under sjf, seed 0" in shown.stderr


def test_seeds_give_intervals() -> None:
    shown = run(
        "lublin:30", "--nodes", "16", "--seeds", "6", "--policy", "conservative,sjf", "--quiet"
    )
    assert shown.stderr == ""
    assert "Medians of 6 seeds with their intervals, 97 % confidence." in shown.stdout
    assert shown.stdout.count("conservative") > 7
    assert "at most 200 at a time have reservations." in shown.stdout
    shown = run("lublin:30", "--nodes", "16", "--policy", "conservative",
                "--most-reservations", "0")  # fmt: skip
    assert "all queued jobs have reservations." in shown.stdout


def test_everything_at_once(tmp_path: Path) -> None:
    shown = run(
        "lublin:30", "--nodes", "16", "--cores", "2", "--allocation", "ports", "--ports", "3",
        "--estimates", "factor:2", "--kill-at-limit", "--ageing", "2", "--priority", "1=5",
        "--share", "4=2", "--share-weight", "7", "--half-life", "1d", "--reserve", "4:1h-2h",
        "--policy", "fairshare", "--write-swf", tmp_path / "kept.swf", "--out", tmp_path / "out",
    )  # fmt: skip
    assert shown.exit_code == 0, shown.output
    for words in (
        "weight 7",
        "86400 s",
        "2 per hour",
        "each node: 3",
        "4 nodes reserved",
        "2 x the",
    ):
        assert words in shown.stdout
    assert (tmp_path / "kept.swf").is_file()
    assert (tmp_path / "out" / "report.html").is_file()
    again = run(tmp_path / "kept.swf", "--policy", "fcfs")
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[1].split()[:2] == ["fcfs", "30"]


def test_lines_that_were_not_understood_are_printed(tmp_path: Path) -> None:
    trace = tmp_path / "trace.swf"
    job = "1 0 -1 10 2 -1 -1 2 20 1 1 1 1 1 1 -1 -1 -1\n"
    trace.write_text(job + 8 * "nonsense\n")
    shown = run(trace, "--nodes", "4")
    assert shown.stderr.count("trace.swf:") == 5
    assert "... and 3 more lines" in shown.stderr
    # The default policies.
    names = [line.split()[0] for line in shown.stdout.splitlines()[1:4]]
    assert names == ["fcfs", "easy", "conservative"]


def test_what_nobody_knows_is_a_dash(tmp_path: Path) -> None:
    trace = tmp_path / "trace.swf"
    trace.write_text("1 0 -1 10 8 -1 -1 8 20 1 1 1 1 1 1 -1 -1 -1\n")
    shown = run(trace, "--nodes", "4", "--policy", "fcfs")
    assert "–" in shown.stdout.splitlines()[1]


@pytest.mark.parametrize(
    "words",
    [
        ["--policy", "eazy"],
        ["--estimates", "guess"],
        ["--share", "1=0"],
        ["--share", "x"],
        ["--reserve", "4"],
        ["--reserve", "4:2h-1h"],
        ["--reserve", "0:1h-2h"],
        ["--reserve", "x:1h-2h"],
        ["--seeds", "0"],
        ["--allocation", "somewhere"],
    ],
)
def test_wrong_options_are_refused(words: list[str]) -> None:
    done = run("lublin:30", "--nodes", "4", *words)
    assert done.exit_code != 0
    assert isinstance(done.exception, HeorotError | SystemExit)


@pytest.mark.parametrize("option", ["--ageing", "--share-weight"])
def test_what_is_no_number_is_refused(option: str) -> None:
    shown = run("lublin:30", "--nodes", "16", option, "nan")
    assert shown.exit_code == 2
    assert "nan is not a number from 0 to 1e+09" in shown.stderr
