"""Shows the progress of a run: a live bar on a terminal, plain lines in a log."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, TextIO

from heorot.cli.terminal.above import print_bad, print_stage
from heorot.cli.terminal.streams import write_line
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.model.run.outcome import Exit, State
from heorot.model.run.plan import Plan, Step
from heorot.printable import printable
from heorot.session.progress import Progress
from heorot.units import format_duration, plural

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class _Pace:
    """Estimates the remaining time from times of earlier steps and their estimates."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started = clock.monotonic()
        self._planned = 0.0
        self._done = 0.0
        self._first = True

    def begin(self, plan: Plan) -> None:
        self._started = self._clock.monotonic()
        self._planned = sum(step.seconds for step in plan.steps)

    def finish(self, step: Step) -> None:
        self._done += step.seconds

    def skip(self, step: Step) -> None:
        """Leave the step out of the estimate: it was done earlier, or will not run."""
        self._planned -= step.seconds

    @property
    def remaining_seconds(self) -> float:
        elapsed = self._clock.monotonic() - self._started
        pace = elapsed / self._done if self._done > 0.0 else 1.0
        return max(0.0, (self._planned - self._done) * min(max(pace, 0.2), 5.0))


def name_of(step: Step) -> str:
    """A step as text."""
    layout = f"{step.ranks} x {step.threads}" if step.ranks * step.threads > 1 else "1 core"
    again = ", again" if step.attempt > 1 else ""
    return f"{step.benchmark} {step.case} ({layout}, launch {step.launch}{again})"


def _left(seconds: float) -> str:
    """A remaining time in whole seconds, since it is an estimate."""
    return format_duration(math.ceil(seconds)) if seconds >= 1.0 else "less than 1 s"


def _ending(exit_: Exit, state: State) -> str:
    """The state of a step as text; empty if it completed."""
    failed = f"failed, exit code {exit_.code}" if exit_.code else "failed, despite exit code 0"
    words = {"completed": "", "timed_out": "timed out", "refused": "cannot run here"}
    return words.get(state, failed)


class Lines(Progress):
    """One plain line per step, for logs."""

    def __init__(self, stream: TextIO, clock: Clock = SYSTEM_CLOCK) -> None:
        self._stream = stream
        self._clock, self._pace = clock, _Pace(clock)
        self._count = 0
        self._total = 0
        self._began = 0.0

    def stage(self, text: str) -> None:
        self._write(text)

    def begin(self, plan: Plan) -> None:
        self._pace.begin(plan)
        self._began = self._clock.time()
        self._total = len(plan.steps)
        self._write(f"{plural(self._total, 'launch')}, about {format_duration(plan.seconds)}")

    def finished(self, step: Step, exit_: Exit, state: State) -> None:
        self._count += 1
        self._total = max(self._total, self._count)
        if exit_.ended < self._began:
            self._pace.skip(step)
            return
        self._pace.finish(step)
        took = format_duration(exit_.ended - exit_.started)
        left = _left(self._pace.remaining_seconds)
        ending = _ending(exit_, state) or took
        self._write(f"[{self._count}/{self._total}] {name_of(step)}: {ending}; {left} left")

    def dropped(self, step: Step) -> None:
        self._pace.skip(step)
        self._total -= 1

    def _write(self, text: str) -> None:
        write_line(self._stream, f"heorot: {printable(text)}")


class Bars(Progress):
    """A live bar with the present step and the remaining time."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._clock, self._pace = clock, _Pace(clock)
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._began = 0.0
        self._total = 0

    def stage(self, text: str) -> None:
        print_stage(self._console, text)

    def begin(self, plan: Plan) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._pace.begin(plan)
        self._began = self._clock.time()
        self._total = len(plan.steps)
        self._bar = RichProgress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.description}"),
            console=self._console,
            transient=True,
        )
        self._task = self._bar.add_task(
            "starting", total=self._total, left=format_duration(plan.seconds)
        )
        self._bar.start()

    def started(self, step: Step) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=name_of(step))

    def finished(self, step: Step, exit_: Exit, state: State) -> None:
        if self._bar is None or self._task is None:
            return
        if exit_.ended < self._began:
            self._pace.skip(step)
        else:
            self._pace.finish(step)
        left = _left(self._pace.remaining_seconds)
        self._bar.update(self._task, advance=1, left=left)
        ending = _ending(exit_, state)
        if ending:
            colour = "yellow" if state == "refused" else "red"
            print_bad(self._console, f"{name_of(step)}: {ending}", colour)

    def dropped(self, step: Step) -> None:
        self._pace.skip(step)
        self._total -= 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=self._total)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def choose(quiet: bool) -> Progress:
    """The appropriate progress display: none, live, or lines."""
    if quiet:
        return Progress()
    return Bars() if sys.stderr.isatty() else Lines(sys.stderr)
