"""Reads files as a whole, and only what is one: a pipe would keep its reader waiting for ever."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def read_regular(path: Path, most_bytes: int = -1) -> bytes:
    """What a file holds.

    Args:
        path: the file.
        most_bytes: read no more than this; negative reads all [B].

    Raises:
        OSError: it is missing, may not be read, or is no regular file.
    """
    require_regular(path)
    with path.open("rb") as file:
        return file.read(most_bytes)


def require_regular(path: Path) -> None:
    """Refuse what is there but is no file, before it is opened.

    Args:
        path: the file.

    Raises:
        OSError: it is missing, may not be looked at, or is no regular file.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "it is a directory", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
