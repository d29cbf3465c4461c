"""`heorot stop`: stops the jobs of a run, which can be resumed."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.suggestion import suggest

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
    from heorot.session import run_status
    from heorot.store.directory import RunDirectory
    from heorot.throughput.session import throughput_status

    end = (
        throughput_status.stop_throughput
        if throughput_status.is_throughput_test(run)
        else run_status.stop
    )
    if end(run, trust=trust):
        go_on = suggest(RunDirectory(run).command, "--resume", run)
        click.echo(f"stopped; resume with: {go_on}")
    else:
        click.echo(f"no job of {run} is running on this machine")
    return 0
