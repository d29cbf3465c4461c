"""Promised times, kept on any machine: they are those of a quiet core, and tests run anywhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 0.1  # what the work below takes on a quiet core of 2024


def slowness() -> float:
    """Return the processor time of a fixed piece of work over that of a quiet core, at least 1.

    Processor time leaves out that other programs had the core, but not that a host gave less of
    it than the guest believes, nor that a neighbour has the other half of a core or its caches.
    """
    started = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number * number
    return max(1.0, (time.process_time() - started) / _QUIET_SECONDS)


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Fail if what is done inside, children included, takes more than this on a quiet core."""
    slow = slowness()
    started = sum(os.times()[:4])
    yield
    used = sum(os.times()[:4]) - started
    assert used <= seconds * max(slow, slowness())
