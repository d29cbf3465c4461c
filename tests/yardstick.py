"""Time limits for any machine: they are stated for a quiet core and scaled to the present one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 0.1  # time of the work below on a quiet core of 2024


def speed_factor() -> float:
    """Return the CPU time of a fixed piece of work over that of a quiet core, at least 1.

    CPU time excludes other programs on the core, but not time that a host withheld from the guest,
    nor the load of a neighbour on the same core or caches.
    """
    started = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number * number
    return max(1.0, (time.process_time() - started) / _QUIET_SECONDS)


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Fail if the block, children included, takes more CPU time than this on a quiet core."""
    slow = speed_factor()
    started = sum(os.times()[:4])
    yield
    used = sum(os.times()[:4]) - started
    assert used <= seconds * max(slow, speed_factor())
