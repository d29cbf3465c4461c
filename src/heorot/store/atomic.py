"""Writes files as a whole or not at all: what is there is never half written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from heorot.errors import SetupError

_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to; it replaces the file when the block ends well.

    Args:
        path: the file; until the end of the block it stays as it was.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            yield part
            _sync(part)
            part.replace(path)
            _sync(path.parent)
        except OSError as error:
            raise cannot_write(path, error) from error
        except duckdb.IOException as error:
            raise _from_duckdb(path, str(error)) from error
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file as a whole.

    Args:
        path: the file; it stays as it was if it cannot be replaced.
        content: all of it.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    with replacing(path) as part:
        part.write_bytes(content)


def cannot_write(path: Path, error: OSError) -> SetupError:
    """The error to raise when a path cannot be written.

    Args:
        path: what was to be written.
        error: what the system said.
    """
    hint = "free some space, or choose another directory with --out"
    if error.errno not in _FULL:
        hint = "check who owns the directory, or choose another one with --out"
    return SetupError(f"cannot write {path}: {error.strerror or error}", hint)


def _from_duckdb(path: Path, text: str) -> SetupError:
    """The same for the database, which has only words."""
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
        if os.strerror(number) in text:
            return cannot_write(path, OSError(number, os.strerror(number)))
    return cannot_write(path, OSError(errno.EIO, text.splitlines()[0]))


def _sync(path: Path) -> None:
    """Ask the system to bring a file or a directory to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
