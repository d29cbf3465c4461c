"""Writes files of runs atomically; an error is one line and a hint."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from heorot import writing
from heorot.errors import HINTS, SetupError
from heorot.files import leads_nowhere

if TYPE_CHECKING:
    import duckdb

_FREE = "free some space, or choose another directory with --out"
_OWNER = "check who owns the directory, or choose another one with --out"
_OTHER = "choose another one with --out"
_HINTS = HINTS | {
    errno.ENOSPC: _FREE,
    errno.EDQUOT: _FREE,
    errno.EACCES: _OWNER,
    errno.ENAMETOOLONG: "give a shorter name with --out",
    errno.ENOTDIR: "a part of the path is not a directory: choose another one with --out",
    errno.EEXIST: _OTHER,
    errno.ELOOP: _OTHER,
}


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn errors of the block into errors with a remedy.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from error
    except Exception as error:
        import duckdb  # noqa: PLC0415 - slow to load; of another error of the block it costs nothing

        if isinstance(error, duckdb.IOException):
            raise _from_duckdb(path, str(error)) from error
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file atomically.

    Args:
        path: the file; it stays as it was if it cannot be replaced.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    with explaining(path):
        writing.write(path, content)


def write_parquet(
    path: Path, connection: duckdb.DuckDBPyConnection, query: str, more: str = ""
) -> None:
    """Write the result of a query atomically.

    Args:
        path: the file; it stays as it was if it cannot be replaced.
        query: the query, such as `SELECT * FROM results`.
        more: further options of COPY, such as `, ROW_GROUP_SIZE 1000`.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    with explaining(path), writing.replacing(path) as file:
        # By its descriptor, since the database would follow a link of that name.
        opened = f"/proc/self/fd/{file.fileno()}"
        form = f"FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false{more}"
        connection.execute(f"COPY ({query}) TO '{opened}' ({form})")


def cannot_write(path: Path, error: OSError) -> SetupError:
    """The error to raise when a path cannot be written."""
    reason, hint = error.strerror or str(error), _HINTS.get(error.errno or 0, _OWNER)
    if error.errno in {errno.EEXIST, errno.ENOENT, errno.ELOOP}:
        reason = leads_nowhere(path) or reason
    return SetupError(f"cannot write {path}: {reason}", hint)


def _from_duckdb(path: Path, text: str) -> SetupError:
    """The error for a message of the database, which gives only text."""
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
        if os.strerror(number) in text:
            return cannot_write(path, OSError(number, os.strerror(number)))
    return cannot_write(path, OSError(errno.EIO, text.splitlines()[0]))
