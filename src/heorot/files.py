"""Reads whole regular files only: a pipe would block its reader for ever.

A run contains its own files: a link in place of one could lead anywhere, so it is refused unless a
user has named the file.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

MOST_BYTES = 1 << 30
"""Largest file that is read; the longest record of a launch has a fiftieth of it [B]."""


def read_regular(path: Path, most_bytes: int = -1, *, follow: bool = False) -> bytes:
    """The content of a file.

    Args:
        most_bytes: read no more than this; negative reads a whole file of allowed size [B].
        follow: whether it may be reached by a link: for files named by users.

    Raises:
        OSError: it is missing, not readable, a link, not a regular file, or too long.
    """
    with open_regular(path, follow=follow) as file:
        if most_bytes < 0 and os.fstat(file.fileno()).st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is longer than {MOST_BYTES >> 30} GiB", str(path))
        return file.read(most_bytes)


def read_from(path: Path, offset: int) -> bytes:
    """The content of a file from an offset on; empty if it cannot be read.

    Args:
        offset: where reading begins [B].
    """
    try:
        with open_regular(path) as file:
            file.seek(offset)
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def open_regular(path: Path, *, follow: bool = False) -> BufferedReader:
    """Open a file for reading.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        OSError: it is missing, not readable, a link, or not a regular file.
    """
    require_regular(path, follow=follow)  # opening some devices has effects
    link = 0 if follow else os.O_NOFOLLOW
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | link)
    try:
        _require(os.fstat(descriptor).st_mode, path)  # check again: the path may have changed
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def is_missing(path: Path) -> bool:
    """Whether nothing exists at a path, not even an unreadable file.

    Args:
        path: reading it reports other errors, such as a link that leads to itself.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def leads_nowhere(path: Path) -> str:
    """The broken link on the way to a file or directory, one clause; empty if there is none.

    Args:
        path: its parts may be links.
    """
    for each in (*reversed(path.parents), path):
        try:
            if each.is_symlink():
                each.stat()
        except FileNotFoundError:
            return f"{each} is a link to {each.readlink()}, which does not exist"
        except OSError as error:
            if error.errno == errno.ELOOP:
                return f"{each} is a link that leads to itself"
            return ""
    return ""


def why_not_read(path: Path, error: OSError) -> str:
    """Why a file named by a user cannot be read, one clause.

    Args:
        error: the system's error.
    """
    clause = leads_nowhere(path) if error.errno in {errno.ENOENT, errno.ELOOP} else ""
    return clause or error.strerror or str(error)


def real(path: Path) -> Path:
    """A path without links; a link that leads to itself is kept."""
    return Path(os.path.realpath(path))


def require_regular(path: Path, *, follow: bool = False) -> None:
    """Refuse anything but a regular file, before it is opened.

    Args:
        follow: whether it may be reached by a link.

    Raises:
        OSError: it is missing, not accessible, a link, or not a regular file.
    """
    _require(path.stat(follow_symlinks=follow).st_mode, path)


def _require(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "it is a directory", str(path))
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
