"""Only files are read: what would keep its reader waiting is refused."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from heorot import files
from heorot.files import read_regular, require_regular


def test_a_file_is_read_as_far_as_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"whole")
    assert read_regular(tmp_path / "file") == b"whole"
    assert read_regular(tmp_path / "file", 2) == b"wh"


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in (
        (tmp_path / "pipe", "not a regular file"),
        (Path(os.devnull), "not a regular file"),
        (tmp_path, "a directory"),
        (tmp_path / "absent", "No such file"),
    ):
        with pytest.raises(OSError, match=reason):
            read_regular(path)
        with pytest.raises(OSError, match=reason):
            require_regular(path)


def test_a_link_is_followed_only_to_what_a_user_names(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"whole")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_regular(tmp_path / "link", follow=True) == b"whole"
    for read in (read_regular, require_regular):
        with pytest.raises(OSError, match="it is a link"):
            read(tmp_path / "link")


def test_what_becomes_a_pipe_after_it_was_looked_at_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(files, "require_regular", lambda *_, **__: None)
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(tmp_path / "pipe")


def test_a_file_without_blocks_is_not_read_as_a_whole(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="longer than 1 GiB"):
        read_regular(tmp_path / "file")
    assert read_regular(tmp_path / "file", 2) == bytes(2)


# What opens files otherwise reads none of a run.
ELSEWHERE = {
    "launch/running.py": "of the kernel",
    "launch/script.py": "our own, installed with us",
    "store/lock.py": "of the kernel",
    "store/results.py": "in a temporary directory that only we can write in",
}
OPENING = re.compile(
    r"\.read_text\((?!answer)|\.read_bytes\(\)|\bopen\((?:\"rb?\")?\)|\bopen\(\w+, \"rb?\""
)


def test_all_that_reads_runs_opens_files_in_one_way() -> None:
    sources = Path(files.__file__).parent
    found = {
        source.relative_to(sources).as_posix()
        for stage in ("collect", "launch", "session", "store")
        for source in (sources / stage).rglob("*.py")
        if OPENING.search(source.read_text(encoding="utf-8"))
    }
    assert found == set(ELSEWHERE)
