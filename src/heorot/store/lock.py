"""Lets one heorot at a time work on a run; the lock goes with the process that holds it."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from heorot.clock import SYSTEM_CLOCK
from heorot.errors import RunError, UsageError
from heorot.files import open_regular
from heorot.printable import printable
from heorot.store.atomic import cannot_write
from heorot.suggestion import suggest
from heorot.writing import open_staying

LOCK = ".lock"
_MOST_BYTES = 1 << 12
_LOOKS, _LOOK_SECONDS = 100, 0.02
_PROC = Path("/proc")
_BOOT = Path("sys/kernel/random/boot_id")
_STARTED = 22 - 3  # field 22 of proc(5), counted from behind the name of the program
_UNKNOWN = "-"
_ODD = {errno.EINVAL, errno.ELOOP, errno.EISDIR}


class Holder(NamedTuple):
    """A heorot that works on a run, as its lock says: anybody may have written that.

    Attributes:
        started: when, in clock ticks since the boot; empty in locks of earlier versions.
        boot: id of the boot of its host.
        namespace: of process ids; the same number means another process in another one.
    """

    host: str
    pid: int
    started: str = ""
    boot: str = ""
    namespace: str = ""


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Work on a run alone.

    Raises:
        UsageError: another one works on it.
        SetupError: the directory cannot be written.
    """
    try:
        lock = open_staying(path / LOCK, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise cannot_write(path / LOCK, error) from error
    try:
        if not _take(lock):
            hint = f"see how far it is: {suggest('status', path)}"
            raise UsageError(f"another heorot works on {path}", hint)
        try:
            os.ftruncate(lock, 0)
            os.pwrite(lock, " ".join(map(str, _ourselves())).encode(), 0)
        except OSError as error:
            raise cannot_write(path, error) from error
        yield
    finally:
        os.close(lock)


def _take(lock: int) -> bool:
    """Whether nobody else works on the run; a query of the holder takes the lock for a moment."""
    for _ in range(_LOOKS):
        if _locks(lock, fcntl.LOCK_EX):
            return True
        if not _locks(lock, fcntl.LOCK_SH):
            return False
        fcntl.flock(lock, fcntl.LOCK_UN)
        SYSTEM_CLOCK.sleep(_LOOK_SECONDS)
    return False


def _locks(lock: int, way: int) -> bool:
    try:
        fcntl.flock(lock, way | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: going on is better than refusing to work there.
        pass
    return True


def holder_of(path: Path) -> Holder | None:
    """Who works on a run at this moment, None if nobody does.

    Raises:
        RunError: there is something else in the place of the lock.
    """
    try:
        lock = open_regular(path / LOCK)
    except OSError as error:
        if error.errno not in _ODD:
            return None
        hint = f"remove it if nobody works on the run: rm -r {path / LOCK}"
        raise RunError(f"{path / LOCK} is no lock: {error.strerror}", hint) from None
    with lock:
        words = lock.read(_MOST_BYTES).decode(errors="replace").split(" ")
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _parse(words)
        except OSError:  # a file system without locks
            pass
    return None


def doubt(holder: Holder, path: Path) -> str:
    """What is missing to the proof that a process of this host is the one that works on a run.

    It is proven if it is ours, started when the lock says, in our namespace, and if the system
    itself says that it has locked this very file: what is written there, anybody can write.

    Args:
        holder: what the lock says; its process is to be held by a descriptor meanwhile.

    Returns:
        A clause; empty if nothing is missing.
    """
    us = _ourselves()
    if not holder.started or _UNKNOWN in {*holder[2:], *us[2:]}:
        return "its lock does not say when its process started, and where"
    if holder.boot != us.boot:
        return "its lock is of another boot of this host"
    if holder.namespace != us.namespace:
        return "it is in another namespace of processes, perhaps a container"
    try:
        return _doubt_of_process(holder, path / LOCK)
    except OSError as error:
        return f"process {holder.pid} cannot be looked at: {error.strerror}"


def _doubt_of_process(holder: Holder, lock: Path) -> str:
    process = _PROC / str(holder.pid)
    if process.stat().st_uid != os.geteuid():
        return f"process {holder.pid} is another user's"
    if _started(process) != holder.started:
        return f"process {holder.pid} started at another time than its lock says"
    return "" if _has_locked(process, lock) else f"process {holder.pid} has not locked it"


def _parse(words: list[str]) -> Holder | None:
    """What a lock says; None if that is nothing."""
    host, pid, *proof = [printable(word) for word in words[:5]] + [""] * (2 - len(words))
    if not (pid.isascii() and pid.isdecimal() and 0 < int(pid) < 1 << 31):
        return None
    return Holder(host, int(pid), *(proof if len(proof) == 3 else ()))  # noqa: PLR2004


def _ourselves() -> Holder:
    """What our own lock says; a dash for what the system does not tell."""
    started = boot = namespace = _UNKNOWN
    try:
        started = _started(_PROC / "self")
        boot = (_PROC / _BOOT).read_text(encoding="ascii").strip()
        namespace = str((_PROC / "self/ns/pid").readlink())
    except OSError:
        pass
    return Holder(platform.node(), os.getpid(), started, boot, namespace)


def _started(process: Path) -> str:
    """When a process started [clock ticks since the boot]."""
    words = (process / "stat").read_bytes().rpartition(b")")[2].split()
    return words[_STARTED].decode() if len(words) > _STARTED else _UNKNOWN


def _has_locked(process: Path, lock: Path) -> bool:
    """Whether a process holds a lock on a file, by /proc/PID/fd and fdinfo."""
    wanted = lock.lstat()
    for entry in (process / "fd").iterdir():
        try:
            if not os.path.samestat(entry.stat(), wanted):
                continue
            told = (process / "fdinfo" / entry.name).read_text(encoding="utf-8", errors="replace")
        except OSError:  # it was closed meanwhile
            continue
        for line in told.splitlines():
            if line.startswith("lock:") and "FLOCK" in line and "WRITE" in line:
                return True
    return False
