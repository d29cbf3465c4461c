"""Comparisons in the terminal: marked as on the page."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from heorot.cli.terminal import tables
from heorot.cli.terminal.tables import comparison_table, results_table
from heorot.model.analysis.comparison import Comparison
from heorot.report.wording import group_digits
from tests.unit.model.keys import but
from tests.unit.report.sample_comparison import make_marked_comparison, make_untested_comparison
from tests.unit.report.sample_results import make_results
from tests.unit.report.sample_statements import make_comparison


def test_marks_and_reasons_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = make_marked_comparison()
    comparison_table(comparison, everything=False)
    text = capsys.readouterr().out
    n = sum(metric.benchmark == "memory/stream" for metric in comparison.metrics)
    assert "\ndiffers: compiler (GNU 12.2.0 / GNU 13.1.0), flags\n" in text
    assert f"worse ({n} of {n} perturbed)" in text
    assert len(re.findall(r"\nmemory/stream .* worse \(B perturbed\) +compiler, ", text)) == n
    assert f", {n} worse ({n} perturbed), " in text
    assert "\nonly in B: 2 metrics: npb/ep 1x8x1 (2)\n" in text
    assert "such as npb/ep:B:ep[]:rate@1x8x1/gnu-12: operations 1 / 2" in text


def test_without_marks_nothing_is_said_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    comparison_table(make_comparison(2), everything=True)
    text = capsys.readouterr().out
    assert not re.search("differs|perturbed", text)
    assert "only in A: 1 metrics: npb/ep 1x1x1 (1)" in text


def test_an_unknown_interval_is_said_and_nothing_made_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    comparison = make_untested_comparison()
    comparison_table(comparison, everything=False)
    text = capsys.readouterr().out
    n = len(comparison.metrics)
    assert "\n   B: source <b> of [bold]1994[/]\n" in text
    assert "program or family" not in text
    lines = [line for line in text.splitlines() if line.startswith("memory/stream ")]
    assert len(lines) == n
    for line in lines:
        assert re.search(r" GB/s, interval unknown +\d\.\d+ +unknown +\?, \? +untested", line)
        assert line.endswith("untested (interval of B unknown; a note [/] of <i>a user</i>)")
    assert f", 0 indistinguishable, {n} untested (" in text


def _with_long_names() -> Comparison:
    """Rows that differ at the end of a coordinate only."""
    plain = make_comparison(2)
    where = "working_set_bytes_of_all_arrays"
    metrics = tuple(
        but(
            metric,
            point={where: 2**30, "access": f"gather-{number}"},
            case="all_cores_ranks",
            toolchain="gnu-12",
            other=metric.other.but(case="all_cores_ranks", toolchain="gnu-12"),
            a_n=267,
            a_launches=5,
            b_n=12,
            b_launches=3,
        )
        for number, metric in enumerate(plain.metrics)
    )
    return plain.model_copy(update={"metrics": metrics})


def test_a_pipe_gets_each_row_whole_on_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    comparison = _with_long_names()
    comparison_table(comparison, everything=True)
    text = capsys.readouterr().out
    assert "\x1b" not in text
    for number, metric in enumerate(comparison.metrics):
        size = group_digits(2**30)
        where = f"working set bytes of all arrays {size}, access gather-{number} "
        (line,) = (line for line in text.splitlines() if where in line)
        assert line.startswith(f"{metric.benchmark} {metric.setup.layout} ")
        assert re.search(r" \[[-\d.]+, [-\d.]+; 5 launches\] .* \[[-\d.]+…[-\d.]+ in 3 la", line)
        assert f" {metric.ratio:.3f}  {metric.ratio_low:.3f} … {metric.ratio_high:.3f} " in line
        assert " 267, 12 " in line
        assert line.endswith(metric.judgement)


def test_a_narrow_terminal_folds_and_elides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    narrow = Console(file=out, width=110, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "console", lambda: narrow)
    comparison = _with_long_names()
    comparison_table(comparison, everything=True)
    assert all(len(line) <= 110 for line in out.getvalue().splitlines())
    assert not re.search(r"[a-z_=]…", out.getvalue())
    for number in range(len(comparison.metrics)):
        assert f" {number} " in out.getvalue()  # its last line, folded behind `gather-`


def test_what_is_derived_is_not_called_verified(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = make_results()[:2]
    derived = second.model_copy(update={"derived": True, "verified": "passed"})
    results_table([first.model_copy(update={"verified": "passed"}), derived])
    header, one, other = capsys.readouterr().out.splitlines()
    assert header.split()[-1] == "verified"
    assert "passed" in one
    assert "passed" not in other
    assert other.rstrip().partition("derived")[1]
