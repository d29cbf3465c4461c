"""Where a run goes: to the directory that its user names, or to one that is named by the time."""

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
    """Give a new run its place; one that nobody has named is its own, and goes if it stays empty.

    Args:
        out: as the user has named it; it need not be there.
        name: what else it is called; with a number behind it if others came first.

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
    """Refuse what is no directory, and where none can be made, before anything is done for it.

    Args:
        out: as the user has named it; it need not be there.

    Raises:
        UsageError: it, or a part of the way to it, is something else.
        SetupError: no directory can have that name, or it may not be looked at.
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
    """Say so if the directory of a run is gone, which then is why anything fails.

    Raises:
        RunError: it is gone.
    """
    try:
        yield
    except (HeorotError, OSError) as error:
        if path.is_dir():
            raise
        hint = "what was in it is lost: start a new run"
        raise RunError(f"the directory of the run is gone: {path}", hint) from error


def _claim(parent: Path, name: str) -> Path:
    """Make a directory that was not there, so that no two runs ever have the same."""
    try:
        for number in count(1):
            path = parent / (name if number == 1 else f"{name}-{number}")
            with suppress(FileExistsError):
                path.mkdir(parents=True)
                break
    except OSError as error:
        raise cannot_write(parent, error) from error
    return path
