"""`heorot compare`: two runs side by side, with tests of significance."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.terminal.tables import comparison_table
from heorot.session.verification import compared

_EPILOG = """Two rows are compared if they agree in program, region, coordinates, metric, layout
(nodes x ranks x threads, or copies) and the options that define the problem, and if the same work
was counted. Neither the names of cases matter nor the effort: budget, samples, launches.

\b
  4 ranks on 4 cores, 4 ranks on 8 cores    compared as 1x4x1
  all 4 cores, all 8 cores                  "only in A" and "only in B"
  4 ranks, 4 serial copies                  the same: 1x4x1 and "1x4x1 copies"
  sweep to 128 MiB, sweep to 1 GiB          compared where their points meet
  one class, other counts of operations     "not the same work"
  two cases of a run that measure the same  "several cases": best sampled one

A or B may be the file of a published machine (.yaml, .json): numbers without samples, so that there
are ratios and no verdicts. What was not published is left open: docs/published-machines.md.

\b
Marks:
  differs: compiler, flags   or sources, MPI, BLAS, counts per body
  worse (B disturbed)        B has only samples taken while something else ran

\b
Example:
  heorot compare runs/before runs/after --out difference.html
  heorot compare docs/examples/machines/xp1000.yaml runs/after
"""


@click.command(name="compare", epilog=_EPILOG)
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
    comparison = compared.compare(a, b)
    comparison_table(comparison, everything)
    if out is not None:
        compared.write_comparison(comparison, out)
        click.echo(out)
    return 0
