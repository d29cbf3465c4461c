"""What every command needs of the shell and the system around it, told before anything begins."""

from __future__ import annotations

import errno
import os
import resource
import sys
from pathlib import Path

from heorot.errors import SetupError, UsageError

# Commands that read and write files, but start nothing.
_ON_FILES = frozenset({"list", "report", "export", "compare", "verify"})
# Commands that need no directory to work in, unless an argument is relative to it.
_ANYWHERE = _ON_FILES | {"status", "stop"}
# Pipes and files of all that is asked at the same time.
_LEAST_FILES = 128
# With half of it OpenBLAS, which comes with numpy, tries for ever to get some.
_LEAST_MEMORY_BYTES = 400 << 20
# Programs, and the records of a run: a compiler that meets the limit dies without a word.
_LONGEST_FILE_BYTES = 64 << 20
_DIRECTORIES = ("HOME", "TMPDIR", "XDG_CACHE_HOME")


def require(command: str) -> None:
    """Raise what is wrong with the surroundings.

    Args:
        command: the command's name.

    Raises:
        UsageError: a name is no text, or the working directory is gone.
        SetupError: a limit of the shell is too low, or a part of the system is missing.
    """
    _require_text(command)
    n_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= n_files < _LEAST_FILES:
        raise SetupError(
            f"no more than {n_files} files may be open at the same time", "ulimit -n 1024"
        )
    n_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= n_bytes < _LEAST_MEMORY_BYTES:
        raise SetupError(
            f"no more than {n_bytes >> 20} MiB of memory may be used", "ulimit -v unlimited"
        )
    if command in _ON_FILES:
        return
    n_bytes, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if 0 <= n_bytes < _LONGEST_FILE_BYTES:
        raise SetupError(f"no file may be longer than {n_bytes >> 10} KiB", "ulimit -f unlimited")
    if not Path("/proc/self/stat").exists():
        raise SetupError(
            "/proc is missing: without it no process can be followed",
            "mount -t proc proc /proc; or have the container mount it",
        )
    if not os.uname().nodename:
        raise SetupError("this machine has no host name", "give it one: hostname NAME")


def working_directory() -> Path | None:
    """Where we are; None if that directory is gone, here or on its server."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno != errno.ESTALE:
            raise
        return None


def directory_gone() -> UsageError:
    """The error to raise where the working directory is needed and gone."""
    return UsageError("the working directory is gone", "cd to one that is there")


def _require_text(command: str) -> None:
    """Names go into records, which are text: one that is none could not be read again."""
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
                f"{what} is no text in UTF-8: {shown}",
                "rename the file or directory, or name another",
            )
