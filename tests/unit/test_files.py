"""Only files are read: what would keep its reader waiting is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heorot.files import read_regular, require_regular


def test_a_file_is_read_as_far_as_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"whole")
    assert read_regular(tmp_path / "file") == b"whole"
    assert read_regular(tmp_path / "file", 2) == b"wh"


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in (
        (tmp_path / "pipe", "no regular file"),
        (Path(os.devnull), "no regular file"),
        (tmp_path, "a directory"),
        (tmp_path / "absent", "No such file"),
    ):
        with pytest.raises(OSError, match=reason):
            read_regular(path)
        with pytest.raises(OSError, match=reason):
            require_regular(path)
