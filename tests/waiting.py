"""Waits for what has to come true; whoever waits in vain says what was there instead."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

_POLL_SECONDS = 0.01


def wait_until(
    holds: Callable[[], object], seconds: float = 30.0, seen: Callable[[], object] | None = None
) -> None:
    """Wait for something that has to come true.

    Args:
        holds: whether it has.
        seconds: how long at most [s].
        seen: what to show if it has not; without it, what `holds` returned last.
    """
    deadline = time.monotonic() + seconds
    while not (last := holds()):
        if time.monotonic() > deadline:
            shown = seen() if seen else last
            raise AssertionError(f"not within {seconds:g} s, there is: {shown!r}")
        time.sleep(_POLL_SECONDS)


def text_of(path: Path) -> str:
    """What a file holds; empty if it is not there yet, or is of a process that has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
