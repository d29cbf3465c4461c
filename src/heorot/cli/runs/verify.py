"""`heorot verify`: whether what a run has stored follows from its records."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.printable import printable
from heorot.session.verification.verify import verify
from heorot.throughput.session import day_status
from heorot.throughput.verification import verify_day

_EPILOG = """What is said:

\b
  digests   which files changed, are missing or were added since the run was concluded
  samples   where samples.parquet is not what the records say
  results   where results.parquet is not what follows from the records
  jobs      of a day of batch work, in place of the last two: settled.json

Of a check of a batch system (heorot batch) there are digests only.

Whoever can change a run can change its digests, and its records. Only a signature of digests.json
that was made where the run was made shows that: docs/running.md has the commands.

\b
Exit codes: 0 all agrees, 1 something differs, 2 it is no run that has ended.

\b
Examples:
  heorot verify runs/first
  heorot verify runs/first && heorot compare runs/mine runs/first
"""


@click.command(name="verify", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
def command(run: Path) -> int:
    """Read the records of RUN again, recompute everything and say what differs; writes nothing."""
    told = verify_day(run) if day_status.is_day(run) else verify(run)
    for one in told:
        click.echo(f"{one.what:<8} {printable(one.said)}")
        for line in one.lines:
            click.echo(f"  {printable(line)}")
    return 0 if all(one.agrees for one in told) else 1
