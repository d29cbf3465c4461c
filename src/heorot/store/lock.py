"""Lets one heorot process at a time work on a run; the lock ends with its process."""

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
    """The process that works on a run, as its lock file states; anyone may have written that.

    Attributes:
        started: start time in clock ticks since the boot; empty in locks of earlier versions.
        boot: boot id of its host.
        namespace: namespace of its process id.
    """

    host: str
    pid: int
    started: str = ""
    boot: str = ""
    namespace: str = ""


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock of a run.

    Raises:
        UsageError: another process holds it.
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
    """Take the lock unless another process holds it; a query of the holder takes it briefly."""
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
        # On a file system without locks, working without one is better than refusing.
        pass
    return True


def holder_of(path: Path) -> Holder | None:
    """The process that works on a run now, None if there is none.

    Raises:
        RunError: the lock is not a regular file.
    """
    try:
        lock = open_regular(path / LOCK)
    except OSError as error:
        if error.errno not in _ODD:
            return None
        hint = f"remove it if no heorot works on the run: rm -r {path / LOCK}"
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
    """Why it is not proven that a process of this host works on a run.

    It is proven if the process is our user's, started at the recorded time in our namespace, and
    holds a lock on this file by the kernel's account: the text of the file can be forged.

    Args:
        holder: the process that the lock names; the caller keeps a descriptor of it meanwhile.

    Returns:
        A clause; empty if nothing is missing.
    """
    us = _ourselves()
    if not holder.started or _UNKNOWN in {*holder[2:], *us[2:]}:
        return "its lock has no start time and host of its process"
    if holder.boot != us.boot:
        return "its lock is of another boot of this host"
    if holder.namespace != us.namespace:
        return "it is in another PID namespace, perhaps a container"
    try:
        return _doubt_of_process(holder, path / LOCK)
    except OSError as error:
        return f"process {holder.pid} cannot be inspected: {error.strerror}"


def _doubt_of_process(holder: Holder, lock: Path) -> str:
    process = _PROC / str(holder.pid)
    if process.stat().st_uid != os.geteuid():
        return f"process {holder.pid} is another user's"
    if _started(process) != holder.started:
        return f"process {holder.pid} did not start at the time in its lock"
    return "" if _has_locked(process, lock) else f"process {holder.pid} has not locked it"


def _parse(words: list[str]) -> Holder | None:
    """The holder that a lock file names; None if it is invalid."""
    host, pid, *proof = [printable(word) for word in words[:5]] + [""] * (2 - len(words))
    if not (pid.isascii() and pid.isdecimal() and 0 < int(pid) < 1 << 31):
        return None
    return Holder(host, int(pid), *(proof if len(proof) == 3 else ()))  # noqa: PLR2004


def _ourselves() -> Holder:
    """This process as a holder; a dash for unknown values."""
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
            text = (process / "fdinfo" / entry.name).read_text(encoding="utf-8", errors="replace")
        except OSError:  # it was closed meanwhile
            continue
        for line in text.splitlines():
            if line.startswith("lock:") and "FLOCK" in line and "WRITE" in line:
                return True
    return False
