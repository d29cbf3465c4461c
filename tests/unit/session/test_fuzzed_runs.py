"""Damaged run directories: a run is analysed, or refused in one line with a hint."""

from __future__ import annotations

import shutil
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.cli.main import main
from heorot.errors import RunError
from heorot.session.runs import conclude, reopen, write_report
from heorot.store.directory import RunDirectory
from tests.unit.damage import assert_one_line, damaged_bytes, damaged_json, damaged_json_lines

OLD_RUN = Path(__file__).parents[2] / "samples" / "runs" / "peak_0.1.0"
JSON_FILES = ("plan.json", "run.json", "machine.json", "jobs/J0001/steps.json")
LINES_FILES = ("jobs/J0001/status.jsonl", "jobs/J0001/records/S0001.jsonl")
# An analysis takes a hundred times as long as reading a record does.
FEW = settings(max_examples=settings().max_examples // 5)
FEWEST = settings(max_examples=settings().max_examples // 10)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    path = tmp_path_factory.mktemp("runs") / "peak"
    shutil.copytree(OLD_RUN, path)
    conclude(RunDirectory.open(path))
    return path


def _assert_read_or_refused(run: Path, file: str, content: bytes) -> None:
    original = (run / file).read_bytes()
    (run / file).write_bytes(content)
    try:
        write_report(reopen(run), None)
    except RunError as error:
        assert_one_line(error)
    finally:
        (run / file).write_bytes(original)


@pytest.mark.slow
@FEW
@given(st.sampled_from(JSON_FILES), st.data())
def test_wrong_values(run: Path, file: str, data: st.DataObject) -> None:
    _assert_read_or_refused(run, file, data.draw(damaged_json((run / file).read_bytes())))


@pytest.mark.slow
@FEW
@given(st.sampled_from((*JSON_FILES, *LINES_FILES, "samples.parquet")), st.data())
def test_wrong_bytes(run: Path, file: str, data: st.DataObject) -> None:
    _assert_read_or_refused(run, file, data.draw(damaged_bytes((run / file).read_bytes())))


@pytest.mark.slow
@FEW
@given(st.sampled_from(LINES_FILES), st.data())
def test_wrong_values_in_lines(run: Path, file: str, data: st.DataObject) -> None:
    _assert_read_or_refused(run, file, data.draw(damaged_json_lines((run / file).read_bytes())))


@pytest.mark.slow
@FEWEST
@given(st.data())
def test_a_damaged_record_can_be_stored_and_analysed(
    run: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    run = shutil.copytree(run, tmp_path_factory.mktemp("copy") / "peak")
    path = run / "jobs/J0001/records/S0001.jsonl"
    path.write_bytes(data.draw(damaged_json_lines(path.read_bytes())))
    ended = conclude(RunDirectory.open(run))
    assert ended.evaluation.account.submitted == 1
    assert ended.code in {0, 1}
    assert reopen(run).evaluation.account == ended.evaluation.account


@pytest.mark.parametrize("file", ["plan.json", "run.json", "samples.parquet"])
def test_the_command_line_ends_with_2(
    run: Path,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = shutil.copytree(run, tmp_path / "peak")
    (copy / file).write_bytes((copy / file).read_bytes()[:100])
    monkeypatch.setattr(sys, "argv", ["heorot", "report", str(copy)])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert file in said[0]
    assert said[1].startswith("hint: ")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("run.json", '"started": 1', '"started": 1e308, "x": 1'),
        ("run.json", '"setup_seconds": 79', '"setup_seconds": "inf", "x": 79'),
        ("plan.json", '"seconds": 60.3,', '"seconds": -1e400,'),
        ("plan.json", '"launch": 1,', f'"launch": {"9" * 20},'),
        ("plan.json", '"skipped"', '"a\\nb": 1, "skipped"'),
        ("machine.json", '"available_bytes": ', f'"available_bytes": {"9" * 400}'),
    ],
)
def test_wrong_values_that_once_passed(run: Path, file: str, old: str, new: str) -> None:
    text = (run / file).read_text()
    assert old in text
    (run / file).write_text(text.replace(old, new))
    try:
        with pytest.raises(RunError) as caught:
            reopen(run)
    finally:
        (run / file).write_text(text)
    assert_one_line(caught.value)
