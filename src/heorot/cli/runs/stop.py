"""`heorot stop`: ends what a run has running; it can be gone on with."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.session import watch
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.throughput.session import day_status

_EPILOG = """\b
Examples:
  heorot stop runs/first                     from another terminal, or after this one was closed
  heorot stop ~eve/run --trust               end the jobs that a run of another names
  heorot evaluate --resume runs/first        go on later
"""


@click.command(name="stop", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@options.trust
def command(run: Path, trust: bool) -> int:
    """End what RUN has running on this machine; finished steps stay, and it can be gone on with."""
    end = day_status.stop_day if day_status.is_day(run) else watch.stop
    if end(run, trust=trust):
        go_on = suggest(RunDirectory(run).command, "--resume", run)
        click.echo(f"stopped; go on with: {go_on}")
    else:
        click.echo(f"nothing of {run} runs on this machine")
    return 0
