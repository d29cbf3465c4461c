"""The streams of the command line, whatever the shell has made of them: closed, full, cut off."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

_IN, _OUT, _ERR = 0, 1, 2
_silent: set[int] = set()


def open_closed() -> None:
    """Open to nothing what is closed: the next file opened would take its place."""
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
    """Whether anybody can hear of results."""
    return _OUT not in _silent


def silence(number: int = _OUT) -> None:
    """Send a stream to nothing: what it still holds is not tried again."""
    _silent.add(number)
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number:
        os.dup2(nothing, number)
        os.close(nothing)


def flush() -> None:
    """Write what the streams still hold; an error stream that is full loses it.

    Raises:
        OSError: the output cannot be written.
    """
    try:
        sys.stderr.flush()
    except OSError:
        silence(_ERR)
    sys.stdout.flush()


def write_line(stream: TextIO, line: str) -> None:
    """Write a line of a log; a disk that is full under it ends no run.

    Raises:
        BrokenPipeError: nobody reads the log any more.
    """
    try:
        stream.write(line + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError:
        pass


def say(text: str) -> None:
    """Say on standard error what went wrong, or where results go if that cannot be written."""
    for number, stream in ((_ERR, sys.stderr), (_OUT, sys.stdout)):
        if number in _silent:
            continue
        with suppress(OSError, ValueError):
            stream.write(text)
            stream.flush()
            return
        silence(number)
