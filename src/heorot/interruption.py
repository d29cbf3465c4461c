"""Signals that end Heorot: each raises KeyboardInterrupt, and none gets lost.

Python drops what a signal raises while a finalizer or the callback of a weak reference runs
("Exception ignored in", https://docs.python.org/3/library/signal.html, "Note on Signal Handlers
and Exceptions"); importing and joining threads run such callbacks. Therefore the wish to end is
kept, too, and whoever starts or follows a process asks for it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Those that came. Nothing with a lock: a second signal may come amid the first one's handler.
_came: list[int] = []


def listen() -> None:
    """From now on Ctrl-C, unless the shell has us ignore it, and SIGTERM end the program."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)


def listen_for_hang_up() -> None:
    """From now on a terminal that closes ends the program, too; one started by nohup goes on."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _interrupt)


def raise_if_asked() -> None:
    """Take up an interruption that was lost.

    Raises:
        KeyboardInterrupt: a signal asked for the end, whether or not that was noticed.
    """
    if _came:
        raise KeyboardInterrupt


@contextmanager
def finishing() -> Iterator[None]:
    """Let what ends things run to its end: only a further signal interrupts it.

    What came before counts again behind it.
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
