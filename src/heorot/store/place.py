"""Chooses the directory of a run: the one that the user names, or one named by the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from heorot.errors import HeorotError, RunError, UsageError
from heorot.files import leads_nowhere
from heorot.store.atomic import cannot_write, explaining


@contextmanager
def place_for(out: Path | None, parent: Path, name: str) -> Iterator[Path]:
    """Provide the directory of a new run; a generated one is removed again if it stays empty.

    Args:
        out: directory that the user names; it need not exist.
        name: name of a generated directory; a number is appended if it exists.

    Raises:
        UsageError: a link on the way to it leads nowhere.
        SetupError: it cannot be made.
    """
    _require_no_dangling_link(out or parent)  # which no directory can be made at
    if out is not None:
        yield out
        return
    made = [each for each in (parent, *parent.parents) if not each.exists()]
    path = _claim(parent, name)
    try:
        yield path
    finally:
        with suppress(OSError):  # there is a run
            for each in (path, *made):
                each.rmdir()


def require_place(out: Path) -> None:
    """Refuse a path that is not a directory and cannot become one, before any work is done.

    Args:
        out: directory that the user names; it need not exist.

    Raises:
        UsageError: the path, or a part of it, is not a directory.
        SetupError: the name is invalid, or access is denied.
    """
    _require_no_dangling_link(out)
    with explaining(out):
        near = next(each for each in (out, *out.absolute().parents) if each.exists())
        if not near.is_dir():
            raise UsageError(f"{near} is not a directory", "choose another one with --out")


def _require_no_dangling_link(path: Path) -> None:
    if clause := leads_nowhere(path):
        raise UsageError(clause, "let it lead to a directory that is there, or name another one")


@contextmanager
def unless_gone(path: Path) -> Iterator[None]:
    """Turn any error of the block into one that the directory of the run is gone, if it is.

    Raises:
        RunError: the directory is gone.
    """
    try:
        yield
    except (HeorotError, OSError) as error:
        if path.is_dir():
            raise
        hint = "what was in it is lost: start a new run"
        raise RunError(f"the directory of the run is gone: {path}", hint) from error


def _claim(parent: Path, name: str) -> Path:
    """Create a directory that did not exist, so that two runs never share one."""
    try:
        for number in count(1):
            path = parent / (name if number == 1 else f"{name}-{number}")
            with suppress(FileExistsError):
                path.mkdir(parents=True)
                break
    except OSError as error:
        raise cannot_write(parent, error) from error
    return path
