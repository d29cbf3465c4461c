"""Shows the progress of a throughput test: live on a terminal, a line for each job in a log."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

import click

from heorot.cli.terminal.above import print_bad, print_stage
from heorot.cli.terminal.bars import live_bars
from heorot.cli.terminal.streams import write_line
from heorot.cli.terminal.summary import print_conclusions
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.monitoring.model import Monitoring
from heorot.printable import printable
from heorot.throughput.session.conclude import ConcludedTest
from heorot.throughput.session.forecast import Forecast
from heorot.throughput.session.view import LoadState, ThroughputView
from heorot.units import format_duration, plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

# Columns that fit next to each other and remain readable.
_NAMED = 12
_DRAW_SECONDS = 0.25


class ThroughputLines(ThroughputView):
    """One plain line for each job that has ended, for logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._seen: LoadState | None = None
        self._count = 0

    def stage(self, text: str) -> None:
        self._count = 0
        self._write(text)

    def seen(self, load_state: LoadState) -> None:
        self._seen = load_state

    def settled(self, label: str, text: str) -> None:
        self._count += 1
        total = f"/{self._seen.n_jobs}" if self._seen else ""
        self._write(f"[{self._count}{total}] {label}: {text}{_rest(self._seen)}")

    def _write(self, text: str) -> None:
        write_line(self._stream, f"heorot: {printable(text)}")


def _rest(seen: LoadState | None) -> str:
    if seen is None:
        return ""
    words = f"; {len(seen.running)} running, {len(seen.waiting)} waiting"
    left = seen.left_seconds
    return words + (f", about {format_duration(left)} left" if left else "")


class ThroughputLive(ThroughputView):
    """Live lines: running, waiting and failed jobs, time left, activity of the nodes."""

    wants_load = True

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._live: Live | None = None
        self._clock, self._drawn = clock, -math.inf
        self._bars: RenderableType = ""

    def stage(self, text: str) -> None:
        self.close()
        self._bars = ""
        print_stage(self._console, text)

    def seen(self, load_state: LoadState) -> None:
        from rich.console import Group

        now = self._clock.monotonic()
        if self._live is None:
            from rich.live import Live

            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        if now - self._drawn >= _DRAW_SECONDS:
            self._drawn = now
            self._live.update(Group(drawn(load_state), self._bars), refresh=True)

    def loaded(self, monitoring: Monitoring) -> None:
        nodes = replace(monitoring, nodes=monitoring.nodes[:_NAMED])
        self._bars = live_bars(nodes) if nodes.nodes else ""

    def settled(self, label: str, text: str) -> None:
        if not text.startswith("ok"):
            print_bad(self._console, f"{label}: {text}")

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def drawn(load_state: LoadState) -> RenderableType:
    """The state of a throughput test as a table for the terminal."""
    from rich.table import Table
    from rich.text import Text

    failed = [label for label, well in load_state.ended if not well]
    table = Table.grid(padding=(0, 2))
    left = load_state.left_seconds
    about = f", about {format_duration(left)} left" if left else ""
    table.add_row(
        "time",
        f"{format_duration(load_state.seconds)}{about}",
    )
    table.add_row("ended", f"{len(load_state.ended)} of {load_state.n_jobs}")
    running = [f"{label} {format_duration(seconds)}" for label, seconds in load_state.running]
    rows = {
        f"running {len(running)}": running,
        f"waiting {len(load_state.waiting)}": load_state.waiting,
        f"later {len(load_state.later)}": load_state.later,
    }
    for name, labels in rows.items():
        more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
        table.add_row(name, Text(", ".join(labels[:_NAMED]) + more))
    if failed:
        table.add_row(Text(f"not well {len(failed)}", "red"), Text(", ".join(failed[:_NAMED])))
    return table


def choose(*, quiet: bool) -> ThroughputView:
    """The appropriate display: none, live, or lines."""
    if quiet:
        return ThroughputView()
    return ThroughputLive() if sys.stderr.isatty() else ThroughputLines(sys.stderr)


def print_throughput(ended: ConcludedTest) -> None:
    """Print the verdict of a throughput test, final states of its jobs, and the report's path."""
    explanation = ended.analysis.explanation
    print_conclusions(explanation.verdict, explanation.findings)
    fates = Counter(job.fate for job in ended.record.jobs)
    click.echo()
    counted = ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in fates.most_common())
    click.echo(f"{len(ended.record.jobs)} jobs: {counted}")
    click.echo(f"report: {ended.report}")


def print_forecast(ahead: Forecast) -> None:
    """Print the expected course of a throughput test: each job class, then the times."""
    width = max((len(name) for name, *_ in ahead.kinds), default=0)
    for name, n, nodes, seconds in ahead.kinds:
        takes = "unknown" if seconds is None else f"about {format_duration(seconds)}"
        click.echo(f"{name:{width}}  {plural(n, 'job')} on {plural(nodes, 'node')}, {takes}")
    click.echo(f"\non {ahead.system}; nodes are assumed to equal this machine")
    for line in ahead.lines:
        click.echo(line)
