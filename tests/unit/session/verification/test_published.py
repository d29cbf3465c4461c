"""A run compared with a published machine: read as stored, on either side."""

from __future__ import annotations

from pathlib import Path

import pytest

from heorot.errors import FileError, RunError, UsageError
from heorot.session import runs
from heorot.session.verification.compared import compare
from heorot.store.directory import RunDirectory
from heorot.store.results import read_results
from tests.unit.session.verification.conftest import STREAM, record_of

pytestmark = pytest.mark.slow

TEXT = f"""name: Old
source: a report
quantities:
- {{benchmark: {STREAM}, region: triad, metric: bandwidth, unit: B/s, value: 1.0e+9}}
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    file = tmp_path / "old.yaml"
    file.write_text(TEXT)
    return file


def test_a_run_is_read_as_stored_and_stands_on_either_side(
    concluded: RunDirectory, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "reopen_agreeing", None)  # whatever is analysed again ends the test
    (row,) = (
        row
        for row in read_results(concluded.results_file)
        if (row.benchmark, row.region, row.metric) == (STREAM, "triad", "bandwidth")
    )
    (first,) = compare(concluded.path, machine).metrics
    (second,) = compare(machine, concluded.path).metrics
    assert (first.a_median, first.a_launches) == (second.b_median, 3) == (row.median, 3)
    assert first.ratio == pytest.approx(1.0e9 / row.median)
    assert second.ratio == pytest.approx(1.0 / first.ratio)


def test_what_does_not_agree_is_left_out_and_reported(
    concluded: RunDirectory, machine: Path
) -> None:
    record = record_of(concluded, "S0001")
    record.write_bytes(record.read_bytes() + b"\n")
    compared = compare(machine, concluded.path)
    assert compared.metrics == ()
    assert compared.disagreements
    assert all(line.startswith("B: ") for line in compared.disagreements)


def test_two_files_no_run_and_a_wrong_file_are_refused(
    concluded: RunDirectory, machine: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="is a run"):
        compare(machine, machine)
    with pytest.raises(RunError):
        compare(machine, tmp_path / "none")
    with pytest.raises(FileError, match="No such file"):
        compare(concluded.path, tmp_path / "none.yaml")
    machine.write_text(TEXT.replace("triad", "triad, copys: 1"))
    with pytest.raises(FileError, match=r"old\.yaml:4: unknown key `quantities\.0\.copys`"):
        compare(concluded.path, machine)
