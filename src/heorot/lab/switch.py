"""The switch that delays packets where the kernel cannot: builds it, starts it, tells it ports."""

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
from heorot.lab.doors import KEEPER, Doors
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
    """How to get the program, and keep it as the lab says.

    Attributes:
        cache: directory in which built programs are kept; asked for when it is needed.
        compiler_hint: the command that brings a compiler, if there is none.
    """

    native: Path
    cache: Callable[[], Path]
    compiler_hint: Callable[[], str]

    def follow(self, laboratory: Laboratory, doors: Doors) -> None:
        """Make the switch know what is connected to it and how far away that is.

        Args:
            laboratory: the lab; unless its wiring is this program, none is left running.

        Raises:
            SetupError: it cannot be built or does not start.
        """
        running = self._running(doors)
        if laboratory.wiring != "program":
            self._tell(doors, running, signal.SIGKILL)
            self._await(doors, "end", lambda: not self._running(doors))
            return
        write(doors.directory / _TABLE, table(laboratory))
        if running:
            self._tell(doors, running, signal.SIGHUP)
        else:
            self._start(doors)

    def build(self) -> Path:
        """The program, compiled unless it was before.

        Raises:
            SetupError: there is no compiler, or it refuses.
        """
        source = self.native / _SOURCE
        digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
        program = self.cache() / "lab" / digest / PROGRAM
        if program.exists():
            return program
        compiler = next(filter(None, map(requirements.find, _COMPILERS)), None)
        if compiler is None:
            raise SetupError(
                "this kernel has no netem, and no C++ compiler is here to build a switch that"
                " delays packets",
                f"{self.compiler_hint()}; or leave out --latency",
            )
        program.parent.mkdir(parents=True, exist_ok=True)
        part = program.with_name(f".{PROGRAM}.{os.getpid()}")
        done = process.run(
            [compiler, *_OPTIONS, source, "-o", part], timeout_seconds=_COMPILE_SECONDS
        )
        if not done.ok:
            said = [line for line in done.err.splitlines() if "error" in line]
            said = said or [done.err.strip() or f"exit code {done.code}"]
            late = f"not within {format_duration(_COMPILE_SECONDS)}"
            raise SetupError(
                "the switch does not compile: "
                f"{late if done.code == requirements.OUT_OF_TIME else said[0]}",
                f"{self.compiler_hint()}; or leave out --latency",
            )
        part.replace(program)
        return program

    def _start(self, doors: Doors) -> None:
        command = [str(self.build()), str(doors.directory / _TABLE)]
        number = doors.detach(KEEPER, command, doors.directory / _LOG)
        # Until then it is a copy of the keeper, by its name.
        self._await(
            doors,
            "start",
            lambda: bool(self._running(doors)),
            lambda: not doors.has(KEEPER, number),
        )

    def _await(
        self,
        doors: Doors,
        what: str,
        is_so: Callable[[], bool],
        is_vain: Callable[[], bool] = lambda: False,
    ) -> None:
        deadline = doors.clock.monotonic() + _PATIENCE_SECONDS
        while not is_so():
            if is_vain() or doors.clock.monotonic() > deadline:
                log = doors.directory / _LOG
                raise SetupError(f"the switch of the lab does not {what}", f"look into {log}")
            doors.clock.sleep(_POLL_SECONDS)

    def _running(self, doors: Doors) -> list[int]:
        return doors.programs(KEEPER).get(PROGRAM, [])

    def _tell(self, doors: Doors, pids: list[int], number: int) -> None:
        for pid in pids:
            doors.command(KEEPER, ["/bin/sh", "-c", f"kill -{int(number)} {pid}"])


def table(laboratory: Laboratory) -> str:
    """The ports with their delays, as the program reads them; a cable adds half of its latency."""
    return "".join(
        f"{node.name} {round(node.link.latency_seconds / 2 * 1e9)}\n"
        for node in laboratory.everyone
    )


def wiring_for(doors: Doors, link: Link) -> Wiring:
    """How packets must pass for a link to be as it is wanted."""
    if link.latency_seconds == 0:
        return "bridge"
    return "netem" if has_netem(doors) else "program"
