"""Several systems on the terminal: each row whole, a column for each system."""

from __future__ import annotations

import re

import pytest

from heorot.cli.runs.systems_table import print_systems
from heorot.model.analysis.studies.systems import MOST_SYSTEMS, letter_of
from tests.unit.report.systems.sample_systems import make_systems


def printed(capsys: pytest.CaptureFixture[str], n: int, *, everything: bool = False) -> list[str]:
    print_systems(make_systems(n)[0], everything)
    return capsys.readouterr().out.splitlines()


def test_systems_are_named_once_then_called_by_letters(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, 3)
    assert lines[0] == "A  run-0<b> (host-0), which the others are compared with"
    assert lines[1:3] == ["B  run-1<b> (host-1)", "C  run-2<b> (host-2)"]
    assert sum("run-1" in line for line in lines) == 1


@pytest.mark.slow
def test_every_system_has_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, MOST_SYSTEMS)
    (heading,) = [line for line in lines if line.startswith("program, family or bound")]
    assert heading.split()[5:] == [letter_of(number) for number in range(1, MOST_SYSTEMS)]
    (ep,) = [line for line in lines if re.match(r"npb/ep +\d", line) and "1x" not in line]
    assert ep.count("worse") >= MOST_SYSTEMS - 3


def test_a_row_is_one_line_with_values_ratios_and_verdicts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = printed(capsys, 3)
    rows = [line for line in lines if line.startswith("npb/ep 1x2x1")]
    assert len(rows) == 1
    assert rows[0].count(", ratio 0.") == 2
    assert rows[0].count(": worse") == 2
    assert not any(line.startswith("compute/peak 1x1x1") for line in lines)
    every = printed(capsys, 3, everything=True)
    assert any(line.startswith("compute/peak 1x1x1") for line in every)


def test_machines_and_the_gap_over_cores_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(printed(capsys, 3))
    assert "\ndifferences of the machines\n" in text
    assert "governor" in text
    assert "\nadvantage by cores\n" in text
    assert "\nnetworks, according to the site files\n" in text
    assert "shared with others" in text
    assert "\nB: " in text
