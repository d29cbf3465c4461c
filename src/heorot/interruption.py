"""Signals that end Heorot: each raises KeyboardInterrupt, and none is lost.

Python drops an exception that a signal raises while a finalizer or the callback of a weak reference
runs ("Exception ignored in", https://docs.python.org/3/library/signal.html, "Note on Signal
Handlers and Exceptions"); importing and joining threads run such callbacks. Therefore signals are
also recorded, and functions that start or follow processes check the record.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Received signals. Without a lock: a second signal may interrupt the first one's handler.
_came: list[int] = []


def listen() -> None:
    """Let Ctrl-C, unless the shell makes us ignore it, and SIGTERM end the program."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)


def listen_for_hang_up() -> None:
    """Let a closed terminal end the program, too, unless it was started by nohup."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _interrupt)


def raise_if_asked() -> None:
    """Raise an interruption that was lost.

    Raises:
        KeyboardInterrupt: a signal was received, noticed or not.
    """
    if _came:
        raise KeyboardInterrupt


@contextmanager
def finishing() -> Iterator[None]:
    """Let a clean-up run to its end: only a further signal interrupts it.

    Earlier signals count again afterwards.
    """
    came = _came.copy()
    _came.clear()
    try:
        yield
    finally:
        _came[:0] = came


def _interrupt(number: int, frame: FrameType | None) -> None:
    del frame
    _came.append(number)
    raise KeyboardInterrupt
