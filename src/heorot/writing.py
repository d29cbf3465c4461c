"""The only place that writes files: they are replaced atomically, or opened in place.

Other users with write access to a directory may have put a link there under any predictable name.
So temporary names are random and must be new, and no link is followed, neither there nor at the
name of the file: a file replaces a link. Modes are subject to the umask.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

EXECUTABLE = 0o777
_PLAIN = 0o666
_DEVICES = Path("/dev")
# Characters of a name that are kept in that of its temporary file, whose length is limited.
_KEPT = 50


@contextmanager
def replacing(path: Path, mode: int = _PLAIN, *, sync: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing; it replaces the present one when the block ends without error.

    Args:
        path: the file; unchanged until the end of the block.
        mode: mode before the umask.
        sync: whether it is synced to disk before the replacement.

    Raises:
        OSError: it cannot be written, or a device, a pipe or a directory is in its place.
    """
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Nothing in /dev is replaced: /dev/stdout is a link, and may lead to a file.
        if path.parent.resolve() == _DEVICES or (path.exists() and not path.is_file()):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        part = f".{path.name[:_KEPT]}.{secrets.token_hex(8)}.part"
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(part, flags, mode, dir_fd=directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                if sync:
                    os.fsync(descriptor)
            os.rename(part, path.name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            with suppress(OSError):
                os.unlink(part, dir_fd=directory)
            raise
        if sync:
            os.fsync(directory)
    finally:
        os.close(directory)


def write(path: Path, content: str | bytes, mode: int = _PLAIN, *, sync: bool = True) -> None:
    """Write a whole file atomically.

    Args:
        path: the file; unchanged if it cannot be replaced.
        content: all of it; text is written as UTF-8, with undecodable bytes of file names as they
            were.
        mode: mode before the umask.
        sync: whether it is synced to disk before the replacement.

    Raises:
        OSError: it cannot be written, or a device, a pipe or a directory is in its place.
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    with replacing(path, mode, sync=sync) as file:
        file.write(content)


def append(path: Path, text: str) -> None:
    """Append to a file, which is created if it is missing.

    Args:
        text: in UTF-8.

    Raises:
        OSError: it cannot be written, or is not a regular file.
    """
    with appending(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def appending(path: Path) -> BinaryIO:
    """Open a file for appending, which is created if it is missing.

    Raises:
        OSError: it cannot be written, or is not a regular file.
    """
    return os.fdopen(open_staying(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab")


def open_staying(path: Path, flags: int, mode: int = _PLAIN) -> int:
    """Open a file that is not replaced, such as a lock.

    Args:
        flags: of open(2).
        mode: mode before the umask if it is created.

    Returns:
        A descriptor.

    Raises:
        OSError: it cannot be opened, or is not a regular file with one name: a link, also a hard
            one.
    """
    safe = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags | safe, mode)
    except OSError as error:
        reason = {errno.ELOOP: "it is a link", errno.ENXIO: "it is not a regular file"}
        if error.errno not in reason:
            raise
        raise OSError(error.errno, reason[error.errno], str(path)) from None
    found = os.fstat(descriptor)
    reason_of = "" if stat.S_ISREG(found.st_mode) else "it is not a regular file"
    if found.st_nlink > 1:
        reason_of = reason_of or "it has a second hard link"
    if reason_of:
        os.close(descriptor)
        raise OSError(errno.EINVAL, reason_of, str(path))
    return descriptor
