"""Refuses runs in which a link stands in place of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from heorot.errors import RunError, UsageError
from heorot.ownership.paths import stranger_among

_OF_RUNS = ("jobs", "alone", "monitoring", "monitoring/others", "recipes", "builds")
_WITH_JOBS = _OF_RUNS[:2]
_OF_JOBS = {"records", "outputs", "nodes", "hosts.d", "submit", "work"}


def require_own_folders(run: Path) -> None:
    """Refuse a run with a link in place of a folder; links on the path to the run are allowed.

    Raises:
        RunError: a folder is a link.
    """
    for folder in _folders(run):
        if folder.is_symlink():
            hint = f"if its files are the run's, move them there: {folder}"
            raise RunError(f"{folder} is a link: a run holds its files itself", hint)


def require_ours(directory: Path) -> None:
    """Refuse to begin in a directory in which other users can create links.

    Args:
        directory: the directory; it need not exist.

    Raises:
        UsageError: it belongs to another user, or others may write there.
    """
    if directory.is_dir() and (clause := stranger_among([Path(os.path.realpath(directory))])):
        hint = "choose a new directory with --out"
        raise UsageError(f"others could change what is written there: {clause}", hint)


def _folders(run: Path) -> Iterator[Path]:
    yield from (run / name for name in _OF_RUNS)
    for place in _WITH_JOBS:
        for job in _entries(run / place):
            yield Path(job)
            if job.is_dir(follow_symlinks=False):
                yield from (Path(each) for each in _entries(Path(job)) if each.name in _OF_JOBS)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return list(entries)
    return []


def hint_at_runs(path: Path) -> str:
    """A hint with the runs that lie next to a path that is not a run."""
    parent = path.parent if path.parent.is_dir() else Path()
    runs = sorted(file.parent.name for file in parent.glob("*/run.json"))
    return f"runs in {parent}: {', '.join(runs[-5:])}" if runs else "name the directory of a run"
