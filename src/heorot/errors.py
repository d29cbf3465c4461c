"""The errors that a user can cause, each one line with a hint.

HeorotError            a user's or a site's mistake; exit code 2, no traceback
├── UsageError         a wrong argument, name or value on the command line
├── FileError          an error in a file written by a user; has file and line
│   ├── SiteError      a site file
│   ├── RecipeError    the recipe of a third-party program
│   └── WorkloadError  a schedule, a file of jobs, a trace
├── RunError           a run directory that is missing, unreadable or truncated
├── SetupError         a missing part of this machine: compiler, MPI, disk space
└── BuildError         the programs did not compile

A failing, hanging or lost program is no error here but data (see heorot.model.run.outcome).
"""

from __future__ import annotations

import errno
from pathlib import Path

MORE_MEMORY = "allow more memory: ulimit -v and -d unlimited, or a job or container with more"
MORE_THREADS = "allow more processes and memory: ulimit -u, ulimit -v, pids.max of a container"

HINTS = {
    errno.EACCES: "check the permissions, or name another file or directory",
    errno.EROFS: "the file system is read-only: choose another directory with --out",
    errno.EFBIG: "allow longer files: ulimit -f unlimited, or another file system",
    errno.ENAMETOOLONG: "give a shorter name",
    errno.ELOOP: "a link leads to itself: name the file or directory itself",
    errno.EMFILE: "allow more open files: ulimit -n 1024",
    errno.ENFILE: "this system has too many files open: end programs that hold them",
    errno.EAGAIN: MORE_THREADS,
    errno.ENOMEM: MORE_MEMORY,
    errno.EIO: "check the disk, or the terminal, that does not answer",
    errno.ESTALE: "the file system no longer has it: choose another directory with --out",
}
"""By the error's number; the remedy for a full disk depends on the file."""


class HeorotError(Exception):
    """An error that is reported in one line.

    Attributes:
        hint: remedy, one line.
    """

    def __init__(self, message: str, hint: str) -> None:
        # Quoted text, such as a key of a damaged file, may contain line breaks.
        super().__init__(" ".join(message.splitlines()))
        self.hint = hint


class UsageError(HeorotError):
    """A wrong argument, name or value on the command line."""


class FileError(HeorotError):
    """An error in a file written by a user."""

    def __init__(self, message: str, *, file: Path, line: int | None = None, hint: str) -> None:
        where = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{where}: {message}", hint)


class SiteError(FileError):
    """An error in a site file."""


class RecipeError(FileError):
    """An error in a recipe."""


class WorkloadError(FileError):
    """An error in a schedule, file of jobs or trace of a batch system."""


class RunError(HeorotError):
    """A run directory that is missing, unreadable or truncated."""


class SetupError(HeorotError):
    """A part of this machine that Heorot needs is missing."""


class BuildError(HeorotError):
    """The programs did not compile."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or a termination signal during a run that can be resumed.

    Attributes:
        run: its directory.
        command: the command that resumes it with --resume.
    """

    def __init__(self, run: Path, command: str) -> None:
        super().__init__()
        self.run = run
        self.command = command
