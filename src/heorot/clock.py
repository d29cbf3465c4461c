"""The clock by which patience is decided: passed in, so that tests turn it and do not wait."""

from __future__ import annotations

import threading
import time
from typing import Final, Protocol


class Clock(Protocol):
    """What tells the time and lets it pass."""

    def time(self) -> float:
        """Unix time [s]."""

    def monotonic(self) -> float:
        """Time since some moment, which nobody sets back [s]."""

    def sleep(self, seconds: float) -> None:
        """Let so much time pass [s]."""

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Let time pass until an event is set, so much at most [s]; returns whether it is set."""


class SystemClock:
    """The clock of this machine."""

    def time(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        return event.wait(seconds)


SYSTEM_CLOCK: Final[Clock] = SystemClock()
