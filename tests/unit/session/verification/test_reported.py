"""A report again: whatever its page depends on is looked at, and nothing is done twice."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from heorot.session import runs
from heorot.session.verification.reported import report
from heorot.store.directory import RunDirectory

RUN = Path(__file__).resolve().parents[3] / "samples" / "runs" / "peak_0.1.0"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(RUN, tmp_path / "run")
    runs.conclude(RunDirectory.open(tmp_path / "run"))
    return tmp_path / "run"


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The runs that were analysed."""
    seen: list[Path] = []
    reopen = runs.reopen

    def note(path: Path) -> runs.Ended:
        seen.append(path)
        return reopen(path)

    monkeypatch.setattr(runs, "reopen", note)
    return seen


@pytest.mark.slow
def test_a_run_that_has_not_changed_is_analysed_once(run: Path, analysed: list[Path]) -> None:
    first = report(run, None, summary=False)
    page = first[1].read_bytes()
    for file in run.rglob("*"):
        os.utime(file, (1e9, 1e9), follow_symlinks=False)
    assert report(run, None, summary=False) == first
    assert (first[1].read_bytes(), len(analysed)) == (page, 1)


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["record", "page", "summary", "name", "gone", "peer"])
def test_whatever_has_changed_is_looked_at(
    run: Path, analysed: list[Path], monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    found, page = report(run, None, summary=False)
    content = page.read_bytes()
    if changed == "record":
        record = next(run.glob("jobs/*/records/*.jsonl"))
        times = record.stat()
        record.write_bytes(record.read_bytes() + b"\n")
        os.utime(record, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif changed == "page":
        page.write_bytes(content[:-1])
    elif changed == "gone":
        page.unlink()
    elif changed == "peer":
        (run.parent / "published.yaml").write_text("name: another")
    elif changed == "name":
        monkeypatch.setenv("HEOROT_TYPED", "./heorot")
    again, _ = report(run, None, summary=changed == "summary")
    assert len(analysed) == 2
    if changed == "record":
        assert (found.lines, again.code) == ((), 1)
        assert again.lines
    elif changed != "summary":
        assert changed == "name" or page.read_bytes() == content


@pytest.mark.slow
def test_what_may_lead_elsewhere_is_analysed_every_time(
    run: Path, analysed: list[Path], tmp_path: Path
) -> None:
    (run / "notes").symlink_to(tmp_path, target_is_directory=True)
    for _ in range(2):
        report(run, None, summary=False)
    assert len(analysed) == 2
