"""The clock of waits and time limits: an argument, so that tests can set it instead of waiting."""

from __future__ import annotations

import threading
import time
from typing import Final, Protocol


class Clock(Protocol):
    """A source of time, and of waits."""

    def time(self) -> float:
        """Unix time [s]."""

    def monotonic(self) -> float:
        """Monotonic time since an arbitrary point [s]."""

    def sleep(self, seconds: float) -> None:
        """Wait for a time [s]."""

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait until an event is set, at most for a time [s]; returns whether it is set."""


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
