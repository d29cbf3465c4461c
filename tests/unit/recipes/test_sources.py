"""Sources are copied completely, and the original is never changed or linked to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from heorot.errors import SetupError, UsageError
from heorot.recipes import build as builds
from heorot.recipes.build import copy_sources


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small tree with files of version control."""
    root = tmp_path / "source"
    for name in ("Makefile", "src/a.c", ".git/config", "src/.svn/x", ".hg/x"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def files_in(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def test_a_copy_has_all_but_what_version_control_keeps(source: Path, tmp_path: Path) -> None:
    (source / "run.sh").write_text("true")
    (source / "run.sh").chmod(0o755)
    copy_sources(source, tmp_path / "to" / "copy")
    assert files_in(tmp_path / "to" / "copy") == {"Makefile", "src/a.c", "run.sh"}
    assert os.access(tmp_path / "to" / "copy" / "run.sh", os.X_OK)
    assert (source / ".git/config").read_text() == ".git/config"


def test_what_was_there_is_gone(source: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "old.o").write_text("old")
    copy_sources(source, tmp_path / "copy")
    assert files_in(tmp_path / "copy") == {"Makefile", "src/a.c"}


@pytest.mark.parametrize("target", ["{root}/src", "src", "../source/src", "./src/../src"])
def test_links_lead_to_the_copy(source: Path, tmp_path: Path, target: str) -> None:
    (source / "lib").symlink_to(target.format(root=source))
    (source / "src" / "b.c").symlink_to("a.c")
    (source / "broken").symlink_to("nothing")
    (source / "loop").symlink_to("loop")
    copy = tmp_path / "runs" / "copy"
    copy_sources(source, copy)
    (copy / "lib" / "b.c").write_text("changed")
    assert (copy / "src" / "a.c").read_text() == "changed"
    assert (source / "src" / "a.c").read_text() == "src/a.c"
    assert (copy / "broken").is_symlink()
    assert (copy / "loop").is_symlink()


@pytest.mark.parametrize("target", ["/etc/passwd", "../../other", "../.."])
def test_links_that_lead_out_are_refused(source: Path, tmp_path: Path, target: str) -> None:
    (source / "src" / "link").symlink_to(target)
    with pytest.raises(UsageError, match=r"the link src/link leads out of it") as caught:
        copy_sources(source, tmp_path / "copy")
    assert "copy the target of the link" in caught.value.hint
    assert not (tmp_path / "copy").exists()


def test_a_link_of_version_control_is_nobodys(source: Path, tmp_path: Path) -> None:
    (source / "src" / ".git").symlink_to("/etc")
    (source / "src" / ".hg").write_text("elsewhere")
    copy_sources(source, tmp_path / "copy")
    assert files_in(tmp_path / "copy") == {"Makefile", "src/a.c"}


def test_what_is_no_directory_is_refused(source: Path, tmp_path: Path) -> None:
    for wrong in (tmp_path / "nothing", source / "Makefile"):
        with pytest.raises(UsageError, match="is not a directory") as caught:
            copy_sources(wrong, tmp_path / "copy")
        assert caught.value.hint == "give the sources with --source NAME=DIR"


def test_a_pipe_is_no_source(source: Path, tmp_path: Path) -> None:
    os.mkfifo(source / "src" / "pipe")
    with pytest.raises(UsageError, match="src/pipe is no file"):
        copy_sources(source, tmp_path / "copy")


def test_a_run_inside_of_the_sources_is_refused(source: Path) -> None:
    with pytest.raises(UsageError, match="has the folder of the run inside it") as caught:
        copy_sources(source, source / "runs" / "builds" / "x")
    assert "--out" in caught.value.hint


@pytest.mark.parametrize(("most", "value"), [("_MOST_FILES", 1), ("_MOST_BYTES", 8)])
def test_a_home_directory_is_too_large(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: str, value: int
) -> None:
    monkeypatch.setattr(builds, most, value)
    with pytest.raises(UsageError, match="too large to be copied"):
        copy_sources(source, tmp_path / "copy")


def test_what_cannot_be_copied_says_why(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match=r"cannot be copied to .*: Not a directory"):
        copy_sources(source, tmp_path / "file" / "copy")


def test_what_cannot_be_read_says_why(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise shutil.Error([("a", "b", "no space left")])

    monkeypatch.setattr(shutil, "copytree", refuse)
    with pytest.raises(SetupError, match=r"cannot be copied to .*: no space left"):
        copy_sources(source, tmp_path / "copy")
