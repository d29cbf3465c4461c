"""Temporary folders. Those left by killed processes are removed when the next one is created.

A folder is locked while its process lives, so an unlocked one is abandoned. A new folder may be
removed by another process before it is locked; then another one is created.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "heorot-scratch-"
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder in the directory for temporary files, removed with its content at the end.

    Raises:
        OSError: the disk is full or not writable.
    """
    _remove_left()
    folder, descriptor = _make()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def _make() -> tuple[Path, int]:
    """A folder, and the descriptor that locks it."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        try:
            descriptor = os.open(folder, _OPEN)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # without locks nothing is removed
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.exists():
            return folder, descriptor
        os.close(descriptor)


def _remove_left() -> None:
    """Remove folders of this user whose process has ended."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            own = entry.name.startswith(_PREFIX) and (
                entry.stat(follow_symlinks=False).st_uid == os.geteuid()
            )
            if own:
                _remove_if_left(Path(entry.path))


def _remove_if_left(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, _OPEN)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)
