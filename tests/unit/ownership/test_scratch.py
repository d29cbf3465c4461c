"""Temporary folders: removed with their process, or when the next one is created."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from heorot.ownership import scratch
from heorot.ownership.scratch import scratch_folder

_HOLD = """
import sys
from heorot.ownership.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "file").write_text("held")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def holder(tmp_path: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that has a folder, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, TMPDIR=str(tmp_path)),
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_it_goes_with_what_is_in_it(tmp_path: Path) -> None:
    with scratch_folder() as folder:
        (folder / "file").write_text("x")
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_that_of_a_live_process_stays_and_that_of_a_killed_one_goes(tmp_path: Path) -> None:
    live, kept = holder(tmp_path)
    killed, left = holder(tmp_path)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert {kept, left} == set(tmp_path.iterdir())
    with scratch_folder() as folder:
        assert set(tmp_path.iterdir()) == {kept, folder}
        assert (kept / "file").read_text() == "held"
    live.communicate("")
    assert list(tmp_path.iterdir()) == []


def test_one_that_is_lost_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A concurrent clean-up takes it for abandoned."""
    lost: list[str] = []
    make = tempfile.mkdtemp

    def make_and_lose(prefix: str) -> str:
        folder = make(prefix=prefix)
        if not lost:
            lost.append(folder)
            scratch._remove_if_left(Path(folder))
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with scratch_folder() as folder:
        assert str(folder) not in lost
        assert folder.is_dir()
    assert lost
    assert list(tmp_path.iterdir()) == []


def test_links_and_other_names_stay(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("x")
    (tmp_path / "heorot-scratch-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "heorot-run").mkdir()
    with scratch_folder():
        pass
    assert {one.name for one in tmp_path.iterdir()} == {
        "elsewhere",
        "heorot-scratch-link",
        "heorot-run",
    }
    assert (tmp_path / "elsewhere" / "file").exists()
