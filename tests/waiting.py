"""Waits for a condition; a timeout reports the last value."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

_POLL_SECONDS = 0.01


def wait_until(
    holds: Callable[[], object], seconds: float = 30.0, seen: Callable[[], object] | None = None
) -> None:
    """Wait for a condition.

    Args:
        holds: the condition.
        seconds: time limit [s].
        seen: value to show after a timeout; by default the last result of `holds`.
    """
    deadline = time.monotonic() + seconds
    while not (last := holds()):
        if time.monotonic() > deadline:
            shown = seen() if seen else last
            raise AssertionError(f"not within {seconds:g} s, there is: {shown!r}")
        time.sleep(_POLL_SECONDS)


def text_of(path: Path) -> str:
    """The content of a file; empty if it does not exist yet, or is of a process that has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
