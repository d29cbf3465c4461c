"""Verifications are checked, and times longer than the run are detected."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import CheckLine
from heorot.recipes.transcript import transcribe
from tests.unit.recipes.conftest import a_launch, a_record, read, with_metrics
from tests.unit.recipes.test_transcript import RATE, TIME

NUMBER = r"name: residual, pattern: 'residual (?P<value>\S+)', expected: 1.0, tolerance: 0.5"
WORD = "name: its own, pattern: 'PASSED'"
ABSENT = "name: no errors, pattern: 'ERROR', absent: true"


def _record_of(folder: Path, verification: str, output: str) -> ProgramRecord:
    recipe = read(folder, with_metrics(RATE, verification=verification))
    record = transcribe(recipe, a_launch(), a_record(), f"rate 1\n{output}")
    assert record.problem == ""
    return record


def _checked(folder: Path, verification: str, output: str) -> CheckLine:
    """The only check of a launch, whose end line must count it."""
    record = _record_of(folder, verification, output)
    (check,) = record.checks
    assert record.end is not None
    assert record.end.checks == 1
    assert record.end.failed == (not check.passed)
    assert record.end.passed == check.passed
    return check


@pytest.mark.parametrize(
    ("verification", "output"),
    [
        (NUMBER, "residual 1"),
        (NUMBER, "residual 0.5\nresidual 1.5"),
        (NUMBER, "residual 1.2D+00"),
        (WORD, "PASSED"),
        (WORD, "PASSED\n" * 2000),
        (ABSENT, "all is well"),
    ],
)
def test_what_is_true(tmp_path: Path, verification: str, output: str) -> None:
    assert _checked(tmp_path, verification, output).passed


@pytest.mark.parametrize(
    ("verification", "output", "name", "value"),
    [
        (NUMBER, "", "residual: missing lines", 1.0),
        (NUMBER, "residual 1.6", "residual", 0.6),
        (NUMBER, "residual 1\nresidual -3\nresidual 1", "residual", 4.0),
        (NUMBER, "residual nan", "residual", math.nan),
        (NUMBER, "residual 1\nresidual NaN\nresidual 9", "residual", math.nan),
        (NUMBER, "residual none", "residual", math.nan),
        (NUMBER, "residual inf", "residual", math.inf),
        (NUMBER, "residual 1\n" * 2001, "residual: too many matches", math.inf),
        (WORD, "passed", "its own: missing lines", 1.0),
        (ABSENT, "ERROR\nERROR", "no errors: lines that should not be there", 2.0),
        (ABSENT, "ERROR\n" * 9999, "no errors: too many matches", math.inf),
    ],
    ids=lambda each: str(each)[:20],
)
def test_what_is_not_true(
    tmp_path: Path, verification: str, output: str, name: str, value: float
) -> None:
    check = _checked(tmp_path, verification, output)
    assert not check.passed
    assert check.name == name
    assert check.value == pytest.approx(value, nan_ok=True)


def test_nothing_named_is_nothing_checked(tmp_path: Path) -> None:
    recipe = read(tmp_path, with_metrics(RATE))
    record = transcribe(recipe, a_launch(), a_record(), "rate 1")
    assert record.checks == ()
    assert record.end is not None
    assert (record.end.passed, record.end.checks) == (True, 0)


def _timed(folder: Path, milliseconds: float, more: str = "") -> ProgramRecord:
    recipe = read(folder, with_metrics(TIME + more, RATE))
    return transcribe(recipe, a_launch(), a_record(2.0), f"rate 1\ntime {milliseconds}\n")


def test_a_time_that_is_longer_than_the_run_fails_it(tmp_path: Path) -> None:
    record = _timed(tmp_path, 3000.0)
    (check,) = record.checks
    assert check.name == "time as a share of the run's time"
    assert not check.passed
    assert check.value == pytest.approx(1.5)
    assert (check.region, dict(check.point or {})) == ("program", {"size": 8, "kind": "big"})
    assert record.end is not None
    assert (record.end.passed, record.end.checks, record.end.failed) == (False, 1, 1)


@pytest.mark.parametrize("milliseconds", [1.0, 2000.0, 2040.0])
def test_clocks_may_differ_a_little(tmp_path: Path, milliseconds: float) -> None:
    assert _timed(tmp_path, milliseconds).checks == ()


def test_a_time_beyond_the_run_can_be_meant(tmp_path: Path) -> None:
    record = _timed(tmp_path, 8000.0, ", beyond_run: true")
    assert record.checks == ()
    region = record.regions[1]
    assert region.seconds == (2.0,)
    assert region.seconds[0] / region.counts["time"] == pytest.approx(8.0, rel=1e-12)


def test_a_program_that_failed_by_itself_stays_failed(tmp_path: Path) -> None:
    ended = a_record()
    assert ended.end is not None
    failed = ProgramRecord(
        run=ended.run, regions=ended.regions, end=ended.end.model_copy(update={"passed": False})
    )
    recipe = read(tmp_path, with_metrics(RATE, verification=WORD))
    record = transcribe(recipe, a_launch(), failed, "rate 1\nPASSED\n")
    assert record.end is not None
    assert not record.end.passed
