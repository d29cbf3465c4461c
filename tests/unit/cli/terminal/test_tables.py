"""Comparisons in the terminal: marked as on the page."""

from __future__ import annotations

import re

import pytest

from heorot.cli.terminal.tables import comparison_table
from tests.unit.report.sample_comparison import make_marked_comparison
from tests.unit.report.sample_statements import make_comparison


def test_marks_and_reasons_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = make_marked_comparison()
    comparison_table(comparison, everything=False)
    text = capsys.readouterr().out
    n = sum(metric.benchmark == "memory/stream" for metric in comparison.metrics)
    assert "\ndiffers: compiler (GNU 12.2.0 / GNU 13.1.0), flags\n" in text
    assert f"worse ({n} of {n} disturbed)" in text
    assert len(re.findall(r"\nmemory/stream .* worse \(B disturbed\) +compiler, ", text)) == n
    assert f", {n} worse ({n} disturbed), " in text
    assert "\nonly in B: 2 metrics: npb/ep 1x8x1 (2)\n" in text
    assert "such as npb/ep:B: operations 1 / 2" in text


def test_without_marks_nothing_is_said_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    comparison_table(make_comparison(2), everything=True)
    text = capsys.readouterr().out
    assert not re.search("differs|disturbed", text)
    assert "only in A: 1 metrics: npb/ep 1x1x1 (1)" in text
