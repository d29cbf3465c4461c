"""Polls counters of switches while jobs run, by a command of the site."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.model.machine.site import SiteCounters
from heorot.monitoring.collect.ports import PORTS, PortsLine, parse_ports
from heorot.writing import append, write

_LONGEST_ANSWER_SECONDS = 30.0
_LONGEST_COMPLAINT = 120
_LAST = "ports.txt"


class Counters:
    """Polls in a thread of its own."""

    def __init__(
        self, counters: SiteCounters, directory: Path, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._counters, self._directory, self._clock = counters, directory, clock
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="counters", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Query once more, and end."""
        if self._over.is_set():
            return
        self._over.set()
        self._thread.join()  # concurrent queries would mix their answers
        with suppress(OSError):
            self._ask()

    def _run(self) -> None:
        while not self._over.is_set():
            # On a full disk or an interruption the process that started this thread ends it.
            with suppress(OSError, KeyboardInterrupt):
                self._ask()
            self._clock.wait(self._over, self._counters.interval_seconds)

    def _ask(self) -> None:
        ended = process.run(self._counters.command, timeout_seconds=_LONGEST_ANSWER_SECONDS)
        line = PortsLine(time=self._clock.time())
        try:
            if not ended.ok:
                raise ValueError(f"exit code {ended.code}: {ended.err.strip()}")  # noqa: TRY301
            line = line.model_copy(update={"ports": parse_ports(self._counters.kind, ended.out)})
        except ValueError as error:
            complaint = " ".join(str(error).split())[:_LONGEST_COMPLAINT]
            line = line.model_copy(update={"complaint": complaint})
        # Keep the output that was not understood.
        write(self._directory / _LAST, ended.out, sync=False)
        append(self._directory / PORTS, line.model_dump_json() + "\n")
