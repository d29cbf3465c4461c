"""Where no temporary file can be written, nothing is launched."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from heorot.errors import SetupError
from heorot.launch.temporary import require_temporary_directory


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


def test_one_that_is_full_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(SetupError, match=r"written in /tmp: No space left on device"):
        require_temporary_directory()
