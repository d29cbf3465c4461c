"""Short commands beside the load, one after the other, as somebody at a terminal gives them."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import HeorotError
from heorot.jobs.events import StepEnd
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.watch import Patience
from heorot.launch.batch.dialect import Part
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.throughput.model.kinds import Interactive
from heorot.throughput.model.throughput import Response
from heorot.writing import append

# A command that takes longer is no short one [s].
_LONGEST_SECONDS = 300.0
_NO_ANSWER = -1
_PATIENCE = Patience()
Ask = Callable[[Interactive], int]


def ask_here(one: Interactive) -> int:
    """Run a command where Heorot runs; its exit code."""
    return process.run(one.command, timeout_seconds=_LONGEST_SECONDS).code


class Asker:
    """Runs commands where Heorot runs, or each as a job of the batch system."""

    def __init__(
        self, target: ExecutionTarget, directory: Path, patience: Patience = _PATIENCE
    ) -> None:
        self._target, self._directory, self._patience = target, directory, patience
        self._count = itertools.count(1)
        self._under_way: dict[Path, tuple[BatchAdapter, Job]] = {}

    def __call__(self, one: Interactive) -> int:
        """Run a command; its exit code, or -1 if its job did not come to an end.

        Raises:
            SetupError: the batch system refuses its job or does not answer.
        """
        client = self._target.client
        if one.where == "here" or client is None:
            return ask_here(one)
        place = self._directory / f"{one.name}-{os.getpid()}-{next(self._count)}"
        command = StepCommand(
            step="P1",
            argv=one.command,
            cwd=place,
            timeout_seconds=_LONGEST_SECONDS,
            record=place / "records" / "P1.jsonl",
        )
        around = self._target.job_environment(
            one.nodes,
            _LONGEST_SECONDS,
            parts=(Part(nodes=one.nodes),),
            cores_per_node=1,
            exclusive=False,
        )
        job = write_job(place, [command], around)
        codes: list[int] = []
        # One of its own: others may use theirs at this moment.
        adapter = BatchAdapter(client.dialect, client.commands, patience=self._patience)
        self._under_way[place] = adapter, job
        adapter.start(job)
        adapter.follow(
            job, lambda event: codes.extend([event.code] if isinstance(event, StepEnd) else [])
        )
        self._under_way.pop(place, None)
        return codes[-1] if codes else _NO_ANSWER

    def cancel_all(self) -> None:
        """End the jobs of commands that have not ended; whoever asked for them hears of it."""
        for adapter, job in list(self._under_way.values()):
            adapter.cancel(job)


class Typists:
    """Somebody at a terminal for each kind of interactive work; each in a thread of its own.

    Args:
        file: gets a line for each command.
        ask: runs one and returns its exit code; an error counts as no answer.
        loaded: whether jobs of the day are about.
        most: so many commands of each kind; None for as many as there is time for.
        pause: the longest time between two; None for what the kind says [s].
    """

    def __init__(
        self,
        kinds: Sequence[Interactive],
        file: Path,
        ask: Ask,
        *,
        loaded: bool,
        most: int | None = None,
        pause: float | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._clock = clock
        self._file, self._ask, self._loaded = file, ask, loaded
        self._most, self._pause = most, pause
        self._stop = threading.Event()
        self._writing = threading.Lock()
        self._threads = [
            threading.Thread(target=self._type, args=(one,), name=one.name, daemon=True)
            for one in kinds
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if error is None:
            self.wait()

    def wait(self) -> None:
        """Wait until each has typed all that it should."""
        for thread in self._threads:
            thread.join()

    def _type(self, one: Interactive) -> None:
        pause = one.think_seconds if self._pause is None else min(self._pause, one.think_seconds)
        n = 0
        while not self._stop.is_set() and (self._most is None or n < self._most):
            started = self._clock.time()
            before = self._clock.monotonic()
            try:
                code = self._ask(one)
            except HeorotError:  # no answer now is none, and tells nothing of the next
                code = _NO_ANSWER
            except KeyboardInterrupt:
                return
            seconds = self._clock.monotonic() - before
            response = Response(
                name=one.name, started=started, seconds=seconds, code=code, loaded=self._loaded
            )
            with self._writing:
                append(self._file, response.model_dump_json() + "\n")
            n += 1
            self._clock.wait(self._stop, pause)
