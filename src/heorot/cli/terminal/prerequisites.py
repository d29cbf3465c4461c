"""Checks the requirements of commands on shell and system, before anything starts."""

from __future__ import annotations

import errno
import os
import resource
import sys
import threading
import time
from pathlib import Path

from heorot.errors import MORE_THREADS, SetupError, UsageError

# Commands that read and write files, but start nothing.
_ON_FILES = frozenset({"list", "schema", "report", "export", "compare", "verify"})
# Commands without a working directory, unless an argument is a relative path.
_ANYWHERE = _ON_FILES | {"status", "stop"}
# Pipes and files of concurrent queries.
_LEAST_FILES = 128
# With half of it OpenBLAS, which comes with numpy, retries for ever, or fails.
_LEAST_MEMORY_BYTES = 400 << 20
# Size of programs and records: a compiler that exceeds the limit dies without a message.
_LONGEST_FILE_BYTES = 64 << 20
# By their letters: number, and unit [1 or B].
_LIMITS = {
    "n": (resource.RLIMIT_NOFILE, 1),
    "v": (resource.RLIMIT_AS, 1024),
    "d": (resource.RLIMIT_DATA, 1024),
    "f": (resource.RLIMIT_FSIZE, 1024),
}
# Variables with the number of threads of OpenBLAS, the first set one counts, and its maximum.
_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
_MOST_THREADS = 64
_N_OPENBLAS = 2  # numpy and scipy bring one each
_LAST_SECONDS, _TURN_SECONDS = 1.0, 0.0002
_DIRECTORIES = ("HOME", "TMPDIR", "XDG_CACHE_HOME")


def require(command: str) -> None:
    """Raise an error if the environment does not meet the requirements.

    Raises:
        UsageError: a name is not text, or the working directory is gone.
        SetupError: a limit of the shell is too low, or a part of the system is missing.
    """
    _require_text(command)
    _require_limit("n", _LEAST_FILES, "no more than {} files may be open at the same time", "1024")
    _require_limit("v", _LEAST_MEMORY_BYTES, "no more than {} KiB of memory may be used")
    _require_limit("d", _LEAST_MEMORY_BYTES, "no more than {} KiB of data may be held")
    _require_threads()
    if command in _ON_FILES:
        return
    _require_limit("f", _LONGEST_FILE_BYTES, "no file may be longer than {} KiB")
    if not Path("/proc/self/stat").exists():
        raise SetupError(
            "/proc is missing: without it no process can be followed",
            "mount -t proc proc /proc; or have the container mount it",
        )
    if not os.uname().nodename:
        raise SetupError("this machine has no host name", "give it one: hostname NAME")


def _require_limit(letter: str, least: int, clause: str, enough: str = "unlimited") -> None:
    """Refuse a limit of the shell that is too low, that of `ulimit -LETTER`, in its unit."""
    kind, unit = _LIMITS[letter]
    value, _ = resource.getrlimit(kind)
    if 0 <= value < least:
        raise SetupError(clause.format(value // unit), f"ulimit -{letter} {enough}")


def _require_threads() -> None:
    """OpenBLAS starts threads when it is loaded, and ends us by SIGINT if it gets none."""
    asked = [os.environ.get(name, "") for name in _THREADS]
    number = next((int(n) for n in asked if n.isdecimal() and int(n)), _MOST_THREADS)
    released = threading.Event()
    started: list[threading.Thread] = []
    try:
        number = min(number, len(os.sched_getaffinity(0)), _MOST_THREADS)
        for _ in range(_N_OPENBLAS * (number - 1)):
            thread = threading.Thread(target=released.wait)
            thread.start()
            started.append(thread)
    except RuntimeError as error:
        raise SetupError("no more threads can be started", MORE_THREADS) from error
    finally:
        released.set()
        for thread in started:
            thread.join()
            _await_end(thread)


def _await_end(thread: threading.Thread) -> None:
    """Python reaps a thread a moment before the system does, which counts it."""
    entry, deadline = Path(f"/proc/self/task/{thread.native_id}"), time.monotonic() + _LAST_SECONDS
    while entry.exists() and time.monotonic() < deadline:
        time.sleep(_TURN_SECONDS)


def working_directory() -> Path | None:
    """The working directory; None if it is gone, here or on its server."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno != errno.ESTALE:
            raise
        return None


def directory_gone() -> UsageError:
    """The error if the working directory is needed and gone."""
    return UsageError("the working directory is gone", "cd to an existing one")


def _require_text(command: str) -> None:
    """Names go into records, which are text: other bytes could not be read again."""
    here = working_directory()
    if here is None and command not in _ANYWHERE:
        raise directory_gone()
    names = [("the working directory", str(here or ""))]
    names += [("an argument", word) for word in sys.argv[1:]]
    names += [(f"${name}", os.environ.get(name, "")) for name in _DIRECTORIES]
    for what, name in names:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            shown = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
            raise UsageError(
                f"{what} is not UTF-8 text: {shown}",
                "rename the file or directory, or name another",
            )
