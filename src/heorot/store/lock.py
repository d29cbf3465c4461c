"""Lets one heorot at a time work on a run; the lock goes with the process that holds it."""

from __future__ import annotations

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from heorot.errors import UsageError
from heorot.store.atomic import cannot_write
from heorot.suggestion import suggest

LOCK = ".lock"


class Holder(NamedTuple):
    """A heorot that works on a run: its host and its process id there."""

    host: str
    pid: int


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Work on a run alone.

    Args:
        path: the run's directory.

    Raises:
        UsageError: another one works on it.
        SetupError: the directory cannot be written.
    """
    try:
        lock = (path / LOCK).open("a")
    except OSError as error:
        raise cannot_write(path, error) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = f"see how far it is: {suggest('status', path)}"
            raise UsageError(f"another heorot works on {path}", hint) from None
        except OSError:
            # A file system without locks: going on is better than refusing to work there.
            pass
        try:
            lock.truncate(0)
            os.write(lock.fileno(), f"{platform.node()} {os.getpid()}".encode())
        except OSError as error:
            raise cannot_write(path, error) from error
        yield


def holder_of(path: Path) -> Holder | None:
    """Who works on a run at this moment, None if nobody does.

    Args:
        path: the run's directory.
    """
    try:
        with (path / LOCK).open() as lock:
            host, _, pid = lock.read().partition(" ")
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return Holder(host, int(pid)) if pid.isdecimal() else None
    except OSError:  # no lock, or a file system without any
        return None
    return None
