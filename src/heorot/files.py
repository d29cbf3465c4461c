"""Reads files as a whole, and only what is one: a pipe would keep its reader waiting for ever.

A run holds its own files: a link in the place of one leads anywhere, so it is refused unless a user
has named the file.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

MOST_BYTES = 1 << 30
"""Read as a whole; the longest record of a launch has a fiftieth of it [B]."""


def read_regular(path: Path, most_bytes: int = -1, *, follow: bool = False) -> bytes:
    """What a file holds.

    Args:
        most_bytes: read no more than this; negative reads all of what is not too long [B].
        follow: whether it may be reached by a link: for files that users name.

    Raises:
        OSError: it is missing, may not be read, is a link, no regular file, or too long.
    """
    with open_regular(path, follow=follow) as file:
        if most_bytes < 0 and os.fstat(file.fileno()).st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is longer than {MOST_BYTES >> 30} GiB", str(path))
        return file.read(most_bytes)


def read_from(path: Path, offset: int) -> bytes:
    """What a file holds from an offset on; nothing if it is not there or cannot be read.

    Args:
        offset: where to begin [B].
    """
    try:
        with open_regular(path) as file:
            file.seek(offset)
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def open_regular(path: Path, *, follow: bool = False) -> BufferedReader:
    """Open a file to be read.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        OSError: it is missing, may not be read, is a link, or no regular file.
    """
    require_regular(path, follow=follow)  # to open some devices is to use them
    link = 0 if follow else os.O_NOFOLLOW
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | link)
    try:
        _require(os.fstat(descriptor).st_mode, path)  # of what was opened: it may have changed
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def is_missing(path: Path) -> bool:
    """Whether nothing is at a path, not even what cannot be read.

    Args:
        path: of which reading says what else is the matter, such as a link that leads to itself.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def leads_nowhere(path: Path) -> str:
    """Which link on the way to a file or directory leads nowhere, one clause; empty if none does.

    Args:
        path: whose parts may be links.
    """
    for each in (*reversed(path.parents), path):
        try:
            if each.is_symlink():
                each.stat()
        except FileNotFoundError:
            return f"{each} is a link to {each.readlink()}, which is not there"
        except OSError as error:
            if error.errno == errno.ELOOP:
                return f"{each} is a link that leads to itself"
            return ""
    return ""


def why_not_read(path: Path, error: OSError) -> str:
    """Why a file that a user names cannot be read, one clause.

    Args:
        error: what the system said.
    """
    clause = leads_nowhere(path) if error.errno in {errno.ENOENT, errno.ELOOP} else ""
    return clause or error.strerror or str(error)


def real(path: Path) -> Path:
    """A path without links; what lies behind a link that leads to itself stays as it is."""
    return Path(os.path.realpath(path))


def require_regular(path: Path, *, follow: bool = False) -> None:
    """Refuse what is there but is no file, before it is opened.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        OSError: it is missing, may not be looked at, is a link, or no regular file.
    """
    _require(path.stat(follow_symlinks=follow).st_mode, path)


def _require(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "it is a directory", str(path))
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
