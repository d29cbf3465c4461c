"""`heorot status`: progress and state of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.suggestion import suggest
from heorot.units import format_duration

if TYPE_CHECKING:
    from heorot.session.run_status import RunState

_STATES: dict[RunState, str] = {
    "preparing": "preparing: describing the machine, building",
    "measuring": "measuring",
    "alone": "measuring on its own: the heorot that started it is gone",
    "stopped": "stopped",
    "analysing": "analysing",
    "complete": "complete",
}
_NAMED = 12
_EPILOG = """\b
Examples:
  heorot status runs/first                   after the terminal was closed
  heorot status ~eve/run --trust             a run of another user
  watch -n 5 ./heorot status runs/first      every 5 seconds
"""


@click.command(name="status", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@options.trust
def command(run: Path, trust: bool) -> int:
    """Show the state of RUN: steps done, failed and left, and the running step."""
    from heorot.cli.terminal.progress import name_of
    from heorot.session import run_status
    from heorot.throughput.session import throughput_status

    if throughput_status.is_throughput_test(run):
        return _print_throughput(run)
    seen = run_status.status(run, trust=trust)
    click.echo(f"state    {_STATES[seen.state]}")
    if seen.n_steps:
        left = seen.n_steps - seen.n_done
        failed = f", {seen.n_failed} of them failed" if seen.n_failed else ""
        time_left = f", about {format_duration(seen.left_seconds)}" if left else ""
        click.echo(f"steps    {seen.n_done} of {seen.n_steps} done{failed}; {left} left{time_left}")
    if seen.running is not None:
        seconds = format_duration(seen.running_seconds)
        click.echo(f"running  {name_of(seen.running)}, for {seconds}")
    if seen.state in {"alone", "stopped"}:
        click.echo(f"resume   {suggest('evaluate', '--resume', run)}")
    return 0


def _print_throughput(run: Path) -> int:
    """How far a throughput test is."""
    from heorot.throughput.session import throughput_status

    seen = throughput_status.throughput_status(run)
    goes_on = "; submitted jobs continue" if seen.running or seen.waiting else ""
    alone = f"the heorot that followed it is gone{goes_on}"
    click.echo(f"state    {alone if seen.state == 'alone' else seen.state}")
    if seen.seconds is not None:
        click.echo(f"time     {format_duration(seen.seconds)} since the load began")
    counted = [f"{n} {state.replace('_', ' ')}" for state, n in seen.states.items()]
    click.echo(f"ended    {sum(seen.states.values())}{': ' if counted else ''}{', '.join(counted)}")
    click.echo(f"running  {len(seen.running)} {' '.join(seen.running[:_NAMED])}")
    click.echo(f"waiting  {len(seen.waiting)} {' '.join(seen.waiting[:_NAMED])}")
    click.echo(f"later    {seen.later}")
    if seen.state == "alone":
        click.echo(f"resume   {suggest('throughput', '--resume', run)}")
    return 0
