"""`heorot export`: all results of a run for other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.cli.terminal.above import print_disagreements

if TYPE_CHECKING:
    from heorot.store.results import ExportFormat

_EPILOG = """\b
Examples:
  heorot export runs/first --format csv > r.csv
  heorot export runs/first --format parquet --out r.parquet
"""


@click.command(name="export", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["csv", "json", "parquet"]),
    default="csv",
    show_default=True,
    help="Format of the file.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Output file. Default: standard output.",
)
def command(run: Path, format_: ExportFormat, out: Path | None) -> int:
    """Export the results of RUN: one row per case, region, point and metric; costs of jobs."""
    from heorot.session.verification.exported import export, write_export

    if out is not None:
        print_disagreements(write_export(run, format_, out))
    else:
        content, lines = export(run, format_)
        print_disagreements(lines)
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    return 0
