"""The exceptions a user can cause, each one line with a hint.

HeorotError            a user's or a site's mistake; exit code 2, no traceback
├── UsageError         a wrong argument, name or value on the command line
├── FileError          a wrong file that somebody wrote; knows file and line
│   ├── SiteError      a site file
│   ├── RecipeError    the recipe of a program of others
│   └── WorkloadError  a schedule, a file of jobs, a trace
├── RunError           a run directory that is missing, unreadable or truncated
├── SetupError         a missing part of this machine: compiler, MPI, disk space
└── BuildError         the programs did not compile

A failing, hanging or vanished program is not here: that is data (see heorot.model.run.outcome).
"""

from __future__ import annotations

import errno
from pathlib import Path

MORE_MEMORY = "allow more memory: ulimit -v and -d unlimited, or a job or container with more"
MORE_THREADS = "allow more processes and memory: ulimit -u, ulimit -v, pids.max of a container"

HINTS = {
    errno.EACCES: "check the permissions, or name another file or directory",
    errno.EROFS: "the file system is read-only: choose another directory with --out",
    errno.EFBIG: "files may not be so long: ulimit -f unlimited, or another file system",
    errno.ENAMETOOLONG: "give a shorter name",
    errno.ELOOP: "a link leads to itself: name the file or directory itself",
    errno.EMFILE: "allow more open files: ulimit -n 1024",
    errno.ENFILE: "this system has too many files open: end what holds them",
    errno.EAGAIN: MORE_THREADS,
    errno.ENOMEM: MORE_MEMORY,
    errno.EIO: "look at the disk, or the terminal, that does not answer",
    errno.ESTALE: "the file system has lost it: choose another directory with --out",
}
"""By the error's number; what to do about a full disk depends on what was written."""


class HeorotError(Exception):
    """A mistake to tell its author about in one line.

    Attributes:
        hint: what to do about it, one line.
    """

    def __init__(self, message: str, hint: str) -> None:
        # What a message quotes, such as a key of a damaged file, may hold line breaks.
        super().__init__(" ".join(message.splitlines()))
        self.hint = hint


class UsageError(HeorotError):
    """A wrong argument, name or value on the command line."""


class FileError(HeorotError):
    """A wrong file that somebody wrote by hand."""

    def __init__(self, message: str, *, file: Path, line: int | None = None, hint: str) -> None:
        where = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{where}: {message}", hint)


class SiteError(FileError):
    """A wrong site file."""


class RecipeError(FileError):
    """A wrong recipe."""


class WorkloadError(FileError):
    """A wrong schedule, file of jobs or trace of a batch system."""


class RunError(HeorotError):
    """A run directory that is missing, unreadable or truncated."""


class SetupError(HeorotError):
    """A part of this machine that Heorot needs and does not find."""


class BuildError(HeorotError):
    """The programs did not compile."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or a polite request to end, amid a run that can be gone on with.

    Attributes:
        run: its directory.
        command: that goes on with it, by --resume.
    """

    def __init__(self, run: Path, command: str) -> None:
        super().__init__()
        self.run = run
        self.command = command
