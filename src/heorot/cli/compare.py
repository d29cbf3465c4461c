"""`heorot compare`: two runs side by side, with tests of significance."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.tables import comparison_table
from heorot.session import runs


@click.command(
    name="compare", epilog="Example: heorot compare runs/before runs/after --out difference.html"
)
@click.argument("a", type=options.RUN)
@click.argument("b", type=options.RUN)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the comparison as an HTML page.",
)
@click.option("--all", "everything", is_flag=True, help="List all metrics, not only changed ones.")
def command(a: Path, b: Path, out: Path | None, everything: bool) -> int:
    """Compare run B with run A: ratios with intervals; above 1 means that B is better."""
    comparison = runs.compare(a, b)
    comparison_table(comparison, everything)
    if out is not None:
        runs.write_comparison(comparison, out)
        click.echo(out)
    return 0
