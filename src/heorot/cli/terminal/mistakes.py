"""Reports an error in one line with a hint; a bug of Heorot keeps its traceback."""

from __future__ import annotations

import errno
import os

import click

from heorot.cli.terminal import prerequisites, streams
from heorot.errors import HINTS, MORE_MEMORY, MORE_THREADS, HeorotError, Interrupted
from heorot.printable import printable
from heorot.suggestion import nearest, suggest

ALL = (
    *(click.exceptions.Abort, click.ClickException, HeorotError),
    *(KeyboardInterrupt, OSError, MemoryError, RuntimeError),
)
"""The exceptions that `print_error` accepts."""

_MISTAKE, _INTERRUPTED = 2, 130
_NO_THREAD = "can't start new thread"
# Errors of the operating system that the user can remedy.
_SITE_ERRORS = HINTS | {
    errno.ENOSPC: "free some disk space, then resume the run: evaluate --resume DIR",
    errno.EDQUOT: "free some of your disk quota, then resume the run: evaluate --resume DIR",
}


def print_error(error: BaseException) -> int:
    """Print an error.

    Args:
        error: one of `ALL`.

    Returns:
        The exit code: 2 for an error, 130 for an interruption, 0 if the reader of the output left.

    Raises:
        BaseException: the error itself, if it is a bug.
    """
    if isinstance(error, click.exceptions.Abort | KeyboardInterrupt):
        _say_how_to_go_on(error.__cause__)
        return _INTERRUPTED
    if isinstance(error, BrokenPipeError):
        # The reader of our output has exited, like `head`: no error.
        streams.silence()
        return 0
    worded = _of_user(error) or _of_system(error)
    if worded is None:
        raise error
    message, hint = worded
    streams.say(f"heorot: {' '.join(message.split())}\nhint: {hint}\n")
    return _MISTAKE


def _say_how_to_go_on(interrupted: BaseException | None) -> None:
    """Print how to resume, unless the run was in a temporary directory, which is gone."""
    if isinstance(interrupted, Interrupted) and interrupted.run.is_dir():
        go_on = suggest(interrupted.command, "--resume", interrupted.run)
        streams.say(f"heorot: resume with: {go_on}\n")


def _of_user(error: BaseException) -> tuple[str, str] | None:
    """Message and hint of a usage, file or site error."""
    if isinstance(error, HeorotError):
        return str(error), error.hint
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return "a command is missing", _usage_hint(error)
    if isinstance(error, click.NoSuchOption | click.exceptions.NoSuchCommand):
        return error.message, _usage_hint(error)
    if isinstance(error, click.UsageError):
        return error.format_message(), _usage_hint(error)
    if isinstance(error, click.ClickException):
        return error.format_message(), suggest("--help")
    return None


def _usage_hint(error: click.UsageError) -> str:
    near = _meant(error)
    if near:
        return f"did you mean {near}?"
    return f"{error.ctx.command_path} --help" if error.ctx else suggest("--help")


def _meant(error: click.UsageError) -> str | None:
    """The option or command most similar to an unknown one."""
    command = error.ctx.command if error.ctx else None
    if isinstance(error, click.NoSuchOption) and command and error.ctx:
        options = [each for each in command.get_params(error.ctx) if not getattr(each, "hidden", 0)]
        names = [name for each in options for name in (*each.opts, *each.secondary_opts)]
        return nearest(error.option_name, [name for name in names if name.startswith("--")])
    if isinstance(error, click.exceptions.NoSuchCommand) and isinstance(command, click.Group):
        return nearest(error.command_name, command.commands)
    return None


def _of_system(error: BaseException) -> tuple[str, str] | None:
    """Message and hint of an error of the operating system."""
    if isinstance(error, MemoryError):
        return "there is not enough memory", MORE_MEMORY
    if isinstance(error, RuntimeError) and _NO_THREAD in str(error):
        return "no more threads can be started", MORE_THREADS
    if not isinstance(error, OSError):
        return None
    if isinstance(error, FileNotFoundError) and prerequisites.working_directory() is None:
        gone = prerequisites.directory_gone()  # it makes every relative path fail
        return str(gone), gone.hint
    if error.errno not in _SITE_ERRORS:
        return None
    if error.filename is None:
        streams.silence()  # our output is full: the rest would fail, too
    what = "output" if error.filename is None else printable(os.fsdecode(error.filename))
    return f"{error.strerror}: {what}", _SITE_ERRORS[error.errno]
