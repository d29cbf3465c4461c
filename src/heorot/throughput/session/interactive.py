"""Short commands during the load, in sequence, like those of a user at a terminal."""

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

# Time limit of a short command [s].
_LONGEST_SECONDS = 300.0
_NO_ANSWER = -1
_PATIENCE = Patience()
Ask = Callable[[Interactive], int]


def ask_here(one: Interactive) -> int:
    """Run a command on the host of Heorot; its exit code."""
    return process.run(one.command, timeout_seconds=_LONGEST_SECONDS).code


class CommandRunner:
    """Runs commands on the host of Heorot, or each as a job of the batch system."""

    def __init__(
        self, target: ExecutionTarget, directory: Path, patience: Patience = _PATIENCE
    ) -> None:
        self._target, self._directory, self._patience = target, directory, patience
        self._count = itertools.count(1)
        self._under_way: dict[Path, tuple[BatchAdapter, Job]] = {}

    def __call__(self, one: Interactive) -> int:
        """Run a command; its exit code, or -1 if its job did not end.

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
        # An adapter of its own: other threads may use theirs at the same time.
        adapter = BatchAdapter(client.dialect, client.commands, patience=self._patience)
        self._under_way[place] = adapter, job
        adapter.start(job)
        adapter.follow(
            job, lambda event: codes.extend([event.code] if isinstance(event, StepEnd) else [])
        )
        self._under_way.pop(place, None)
        return codes[-1] if codes else _NO_ANSWER

    def cancel_all(self) -> None:
        """End the unended jobs of commands; their callers get an error."""
        for adapter, job in list(self._under_way.values()):
            adapter.cancel(job)


class InteractiveUsers:
    """Simulated users at terminals, a thread for each interactive command.

    Args:
        file: gets a line for each response.
        ask: runs a command and returns its exit code; an error counts as no response.
        loaded: whether jobs of the test are waiting or running.
        most: maximum number of commands of each kind; None for no limit.
        pause: longest pause between two; None for that of the kind [s].
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
        """Wait until all commands have run."""
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
            except HeorotError:  # later commands may still get a response
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
