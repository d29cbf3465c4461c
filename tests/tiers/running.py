"""Runs the parts of a tier, several at a time as processors allow; keeps their output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.tiers import processes
from tests.tiers.part import Part
from tests.tiers.results import FILE

ROOT = Path(__file__).resolve().parents[2]
MARGIN = 1.25  # factor of the budget at which a part fails
_HANGS = 4.0  # factor of the budget at which it is ended
_TURN_SECONDS = 0.2
_LOOK_SECONDS = 2.0
_LEAST_SECONDS = 10.0  # least time for measuring other load
_GRACE_SECONDS = 30.0
# Parts that mostly wait run at the same time as computing ones, but not all of them at once.
_MOST_WAITING = 2


@dataclass
class Ran:
    """A part that runs or has run.

    Attributes:
        part: the part.
        folder: folder of its log and results.
        seconds: its duration [s].
        code: its exit code; None while it runs.
        slowdown: factor by which other load on this machine has slowed it down, at least 1.
    """

    part: Part
    folder: Path
    child: subprocess.Popen[bytes]
    started: float
    at_start: tuple[float, float]
    seconds: float = 0.0
    code: int | None = None
    slowdown: float = 1.0
    _read: int = field(default=0, repr=False)

    @property
    def log(self) -> Path:
        """All its output."""
        return self.folder / f"{self.part.name}.txt"

    @property
    def results(self) -> list[dict[str, Any]]:
        """What pytest has written so far."""
        return list(read_results(self.folder / f"{self.part.name}.jsonl"))

    @property
    def late(self) -> bool:
        """Whether it has taken more than its budget allows."""
        return self.seconds > MARGIN * self.part.budget * self.slowdown

    def progress(self) -> tuple[int, int]:
        """How many of its tests are over, and how many there are; zeros if it has none."""
        lines = self.results
        total = max((int(line["tests"]) for line in lines if "tests" in line), default=0)
        return sum("test" in line for line in lines), total

    def fresh(self) -> list[str]:
        """Whole lines of output since the last call."""
        with self.log.open("rb") as file:
            file.seek(self._read)
            text = file.read()
        whole = text if self.code is not None else text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole.decode(errors="replace").splitlines()


def read_results(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of results; an incomplete one is left out."""
    with suppress(FileNotFoundError):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):
                yield json.loads(line)


class Runner:
    """Runs parts.

    Args:
        folder: for logs and results.
        environment: of all parts.
        tick: called several times a second with running and waiting parts.
        over: called when a part has ended.
    """

    def __init__(
        self,
        folder: Path,
        environment: dict[str, str],
        tick: Callable[[Sequence[Ran], Sequence[Part]], None],
        over: Callable[[Ran], None],
    ) -> None:
        self._folder, self._environment = folder, environment
        self._tick, self._over = tick, over
        self._n_processors = len(os.sched_getaffinity(0))
        self._used = 0.0, processes.busy_seconds()

    def run(self, parts: Sequence[Part]) -> list[Ran]:
        """Run all of them in a possible order; returns how they ended.

        A part that needs a failed one does not run.

        Raises:
            KeyboardInterrupt: a signal was received; nothing runs any more.
        """
        waiting, running, ended = list(parts), list[Ran](), list[Ran]()
        try:
            while waiting or running:
                for part in self._ready(waiting, running, ended):
                    waiting.remove(part)
                    running.append(self._start(part))
                time.sleep(_TURN_SECONDS)
                for ran in [one for one in running if self._has_ended(one)]:
                    running.remove(ran)
                    ended.append(ran)
                    self._over(ran)
                    if ran.code:
                        waiting = [part for part in waiting if ran.part.name not in part.after]
                processes.reap([ran.child.pid for ran in running])
                self._tick(running, waiting)
        finally:
            self.end(running)
        return ended

    def _ready(
        self, waiting: Sequence[Part], running: Sequence[Ran], ended: Sequence[Ran]
    ) -> Iterator[Part]:
        """The part that can start now; one at a time, since each takes processors."""
        over = {ran.part.name for ran in ended}
        for part in waiting:
            others = {other.name for other in (*waiting, *(ran.part for ran in running))}
            if not any(name in others - over for name in part.after) and self._fits(
                part, waiting, running
            ):
                yield part
                return

    def _fits(self, part: Part, waiting: Sequence[Part], running: Sequence[Ran]) -> bool:
        """Whether processors suffice for a part; parts that must run by themselves come last."""
        if part.alone:
            return not running and all(other.alone for other in waiting)
        if any(ran.part.alone for ran in running):
            return False
        if not part.cores:
            return sum(not ran.part.cores for ran in running) < _MOST_WAITING
        busy = sum(ran.part.cores for ran in running)
        return not busy or busy + part.cores <= self._n_processors

    def _start(self, part: Part) -> Ran:
        environment = {**self._environment, **part.environment}
        words = part.command
        if part.runs_tests:
            environment[FILE] = str(self._folder / f"{part.name}.jsonl")
            words = (*words, f"--junitxml={self._folder / part.name}.xml")
        with (self._folder / f"{part.name}.txt").open("wb") as log:
            child = subprocess.Popen(
                words,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Ran(part, self._folder, child, time.monotonic(), processes.busy_seconds())

    def _has_ended(self, ran: Ran) -> bool:
        ran.seconds = time.monotonic() - ran.started
        ran.code = ran.child.poll()
        ran.slowdown = self._slowdown(ran)
        if ran.code is None and ran.seconds > _HANGS * ran.part.budget * ran.slowdown:
            # It prints the stacks of all its threads, and dies.
            signal_group(ran, signal.SIGABRT)
            with suppress(subprocess.TimeoutExpired):
                ran.child.wait(_GRACE_SECONDS)
            signal_group(ran, signal.SIGKILL)
            ran.code = ran.child.wait()
        return ran.code is not None

    def _slowdown(self, ran: Ran) -> float:
        """The inverse of the share of processors that other load left to all parts."""
        if time.monotonic() - self._used[0] > _LOOK_SECONDS:
            self._used = time.monotonic(), processes.busy_seconds()
        if self._used[0] - ran.started < _LEAST_SECONDS:
            return 1.0
        everybody, ours = (
            now - then for now, then in zip(self._used[1], ran.at_start, strict=True)
        )
        capacity = (self._used[0] - ran.started) * (os.cpu_count() or 1)
        return 1.0 / max(0.1, 1.0 - max(0.0, everybody - ours) / capacity)

    def end(self, running: Sequence[Ran]) -> None:
        """End parts that run, by SIGTERM first: tests clean up.

        Args:
            running: the parts.
        """
        for ran in running:
            ran.child.terminate()
        for ran in running:
            with suppress(subprocess.TimeoutExpired):
                ran.child.wait(_GRACE_SECONDS)
            signal_group(ran, signal.SIGKILL)
            ran.code = ran.child.wait()


def signal_group(ran: Ran, number: int) -> None:
    """Send a signal to a part and to the processes of its session."""
    with suppress(ProcessLookupError):
        os.killpg(ran.child.pid, number)
