"""The streams of the command line, also if closed, full or cut off."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

_IN, _OUT, _ERR = 0, 1, 2
_silent: set[int] = set()


def open_closed() -> None:
    """Open closed streams to /dev/null: otherwise the next opened file would take their place."""
    _silent.clear()
    for number in (_IN, _OUT, _ERR):
        try:
            os.fstat(number)
        except OSError:
            silence(number)
    if sys.stdout is None:
        sys.stdout = open(_OUT, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(_ERR, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def is_open() -> bool:
    """Whether standard output is open."""
    return _OUT not in _silent


def silence(number: int = _OUT) -> None:
    """Redirect a stream to /dev/null, so that its buffer is not written again."""
    _silent.add(number)
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number:
        os.dup2(nothing, number)
        os.close(nothing)


def flush() -> None:
    """Write the buffers of the streams; a full error stream is ignored.

    Raises:
        OSError: the output cannot be written.
    """
    try:
        sys.stderr.flush()
    except OSError:
        silence(_ERR)
    sys.stdout.flush()


def write_line(stream: TextIO, line: str) -> None:
    """Write a line of a log; a full disk is ignored.

    Raises:
        BrokenPipeError: the reader of the log has exited.
    """
    try:
        stream.write(line + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError:
        pass


def say(text: str) -> None:
    """Print an error on standard error, or on standard output if that fails."""
    for number, stream in ((_ERR, sys.stderr), (_OUT, sys.stdout)):
        if number in _silent:
            continue
        with suppress(OSError, ValueError):
            stream.write(text)
            stream.flush()
            return
        silence(number)
