"""The switch that delays packets where the kernel cannot: its build, its start, its ports."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heorot import process
from heorot.errors import SetupError
from heorot.lab import requirements
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.model import Laboratory, Link, Wiring
from heorot.lab.network import has_netem
from heorot.units import format_duration
from heorot.writing import write

PROGRAM = "heorot-switch"
_SOURCE = "lab/switch.cpp"
_TABLE = "switch.table"
_LOG = "switch.log"
_COMPILERS = ("c++", "g++", "clang++")
_OPTIONS = ("-std=c++20", "-O2")
_COMPILE_SECONDS = 120.0
_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Switch:
    """The switch program of a lab.

    Attributes:
        cache: directory of built programs; called only if needed.
        compiler_hint: the command that installs a compiler, if there is none.
    """

    native: Path
    cache: Callable[[], Path]
    compiler_hint: Callable[[], str]

    def follow(self, laboratory: Laboratory, client: LabClient) -> None:
        """Update ports and delays of the running switch.

        Args:
            laboratory: the lab; unless its wiring is this program, a running one is ended.

        Raises:
            SetupError: it cannot be built or does not start.
        """
        running = self._running(client)
        if laboratory.wiring != "program":
            self._signal(client, running, signal.SIGKILL)
            self._await(client, "end", lambda: not self._running(client))
            return
        write(client.directory / _TABLE, table(laboratory))
        if running:
            self._signal(client, running, signal.SIGHUP)
        else:
            self._start(client)

    def build(self) -> Path:
        """The program, compiled unless it was before.

        Raises:
            SetupError: there is no compiler, or it fails.
        """
        source = self.native / _SOURCE
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        program = self.cache() / "lab" / digest / PROGRAM
        if program.exists():
            return program
        compiler = next(filter(None, map(requirements.find, _COMPILERS)), None)
        if compiler is None:
            raise SetupError(
                "this kernel has no netem, and there is no C++ compiler to build a switch that"
                " delays packets",
                f"{self.compiler_hint()}; or leave out --latency",
            )
        program.parent.mkdir(parents=True, exist_ok=True)
        part = program.with_name(f".{PROGRAM}.{os.getpid()}")
        done = process.run(
            [compiler, *_OPTIONS, source, "-o", part], timeout_seconds=_COMPILE_SECONDS
        )
        if not done.ok:
            errors = [line for line in done.err.splitlines() if "error" in line]
            errors = errors or [done.err.strip() or f"exit code {done.code}"]
            late = f"not within {format_duration(_COMPILE_SECONDS)}"
            raise SetupError(
                "the switch does not compile: "
                f"{late if done.code == requirements.OUT_OF_TIME else errors[0]}",
                f"{self.compiler_hint()}; or leave out --latency",
            )
        part.replace(program)
        return program

    def _start(self, client: LabClient) -> None:
        command = [str(self.build()), str(client.directory / _TABLE)]
        number = client.detach(SUPERVISOR, command, client.directory / _LOG)
        # Until exec it is a copy of the supervisor, with its name.
        self._await(
            client,
            "start",
            lambda: bool(self._running(client)),
            lambda: not client.has(SUPERVISOR, number),
        )

    def _await(
        self,
        client: LabClient,
        what: str,
        is_so: Callable[[], bool],
        is_vain: Callable[[], bool] = lambda: False,
    ) -> None:
        deadline = client.clock.monotonic() + _PATIENCE_SECONDS
        while not is_so():
            if is_vain() or client.clock.monotonic() > deadline:
                log = client.directory / _LOG
                raise SetupError(f"the switch of the lab does not {what}", f"see {log}")
            client.clock.sleep(_POLL_SECONDS)

    def _running(self, client: LabClient) -> list[int]:
        return client.programs(SUPERVISOR).get(PROGRAM, [])

    def _signal(self, client: LabClient, pids: list[int], number: int) -> None:
        for pid in pids:
            client.command(SUPERVISOR, ["/bin/sh", "-c", f"kill -{int(number)} {pid}"])


def table(laboratory: Laboratory) -> str:
    """The ports with their delays, as the program reads them; a link adds half of its latency."""
    return "".join(
        f"{node.name} {round(node.link.latency_seconds / 2 * 1e9)}\n"
        for node in laboratory.everyone
    )


def wiring_for(client: LabClient, link: Link) -> Wiring:
    """The path of packets that a link requires."""
    if link.latency_seconds == 0:
        return "bridge"
    return "netem" if has_netem(client) else "program"
