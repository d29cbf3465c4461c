"""`heorot stop`: stops the jobs of a run, which can be resumed."""

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
  heorot stop runs/first                     from any terminal
  heorot stop ~eve/run --trust               a run of another user
  heorot evaluate --resume runs/first        continue later
"""


@click.command(name="stop", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@options.trust
def command(run: Path, trust: bool) -> int:
    """Stop the jobs of RUN on this machine. Finished steps are kept; the run can be resumed."""
    end = day_status.stop_day if day_status.is_day(run) else watch.stop
    if end(run, trust=trust):
        go_on = suggest(RunDirectory(run).command, "--resume", run)
        click.echo(f"stopped; resume with: {go_on}")
    else:
        click.echo(f"no job of {run} is running on this machine")
    return 0
