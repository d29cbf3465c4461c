"""`heorot verify`: checks the stored results of a run against its records."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.printable import printable

_EPILOG = """\b
Checks:
  digests   files changed, missing or added since the run ended
  samples   samples.parquet against the records
  results   results.parquet against an analysis of the records
  jobs      settled.json, of a throughput test instead of the last two

A test of a batch system (heorot batch) has digests only.

Digests do not detect manipulation by someone who can write the run directory. For that, sign
digests.json where the run was made: see docs/running.md.

\b
Exit codes: 0 all agree, 1 a difference, 2 not a finished run.

\b
Examples:
  heorot verify runs/first
  heorot verify runs/first && heorot compare runs/mine runs/first
"""


@click.command(name="verify", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
def command(run: Path) -> int:
    """Recompute the results of RUN from its records and print the differences. Writes nothing."""
    from heorot.session.verification.verify import verify
    from heorot.throughput.session import throughput_status
    from heorot.throughput.verification import verify_throughput

    verified = verify_throughput(run) if throughput_status.is_throughput_test(run) else verify(run)
    for one in verified:
        click.echo(f"{one.what:<8} {printable(one.summary)}")
        for line in one.lines:
            click.echo(f"  {printable(line)}")
    return 0 if all(one.agrees for one in verified) else 1
