"""Without writable temporary files nothing is launched; those of a job are removed with it."""

from __future__ import annotations

import errno
import os
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heorot.errors import SetupError
from heorot.launch.temporary import require_temporary_directory

if TYPE_CHECKING:
    from heorot.launch.job import Job
    from tests.unit.launch.conftest import Jobs


def test_a_directory_that_can_be_written_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("TMP", "/absent")
    require_temporary_directory()
    assert not list(tmp_path.iterdir())


def test_one_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "absent"))
    with pytest.raises(SetupError, match="absent, which TMPDIR names: No such file") as caught:
        require_temporary_directory()
    assert "export TMPDIR=" in caught.value.hint


def test_one_that_is_full_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(SetupError, match=r"written in /tmp: No space left on device"):
        require_temporary_directory()


def _below(place: Path, jobs: Jobs, monkeypatch: pytest.MonkeyPatch, *scripts: str) -> Job:
    """A job whose temporary files are below a place."""
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return jobs.make(*scripts)


@pytest.mark.slow
def test_temporary_files_go_with_the_job(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    keep = 'echo "$TMPDIR" >>seen; ls "$TMPDIR" >>seen; touch "$TMPDIR/left"'
    job = _below(place, jobs, monkeypatch, f"{keep}; false", f"{keep}; true", keep)
    jobs.run_to_end(job)
    first, second, third, left = (jobs.base / "seen").read_text().splitlines()
    # Files of a failed step are removed before the next: a launcher would fail on them.
    assert first == second == third
    assert left == "left"
    assert Path(first).parent == place
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_temporary_files_of_a_killed_job_go_with_the_next_copy(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    job = _below(place, jobs, monkeypatch, 'touch "$TMPDIR/left"; [[ -e again ]] || sleep 60')
    jobs.adapter.start(job)
    jobs.wait_for(job, "start", "S0001")
    os.kill(jobs.pid(job), signal.SIGKILL)
    jobs.adapter.follow(job, lambda _: None)
    (left,) = place.iterdir()
    stranger = place / "heorot"
    stranger.mkdir()
    (jobs.base / "again").touch()
    jobs.run_to_end(job)
    assert list(place.iterdir()) == [stranger]
    assert not left.exists()
