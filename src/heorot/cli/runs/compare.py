"""`heorot compare`: compares runs, with significance tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.errors import UsageError
from heorot.suggestion import suggest

if TYPE_CHECKING:
    from heorot.model.analysis.studies.systems import SideBySide

_EPILOG = """Rows are compared if program, region, coordinates, metric, layout (nodes x ranks x
threads, or copies), problem options and counted work are equal. Names of cases, budgets and numbers
of samples need not be. A row without a partner of its layout is compared with one on the same
number of cores; both layouts are shown.

\b
  4 ranks on 4 cores, 4 ranks on 8 cores    compared as 1x4x1
  4 ranks on one node, 1 rank on each of 4  compared as 1x4x1 / 4x4x1
  all 4 cores, all 8 cores                  "only in A" and "only in B"
  4 ranks, 4 serial copies                  "only in A" and "only in B"
  sweep to 128 MiB, sweep to 1 GiB          compared at common points
  same class, different operation counts    "not the same work"
  two cases of a run for the same row       "several cases": most samples

All systems, up to 12, are compared with the first one, A. Differences between machines and builds
are listed as possible causes.

A system may be the file of a published machine (.yaml, .json; see docs/published-machines.md). It
has no samples, so ratios are shown without verdicts. With three or more systems, A is a run.

Throughput tests are compared with throughput tests; commas join repetitions.

\b
Marks:
  differs: compiler, flags   also layout, node, sources, MPI, BLAS, counts
  worse (B perturbed)        all samples of B were perturbed by other load
  worse (B oversubscribed)   ranks or threads of B shared cores

\b
Examples:
  heorot compare runs/before runs/after --out difference.html
  heorot compare runs/smp runs/sci runs/myrinet --out systems.html
  heorot compare docs/examples/machines/xp1000.yaml runs/after
  heorot compare runs/pbs-1,runs/pbs-2 runs/slurm-1,runs/slurm-2
"""
_PAIR = 2


@click.command(name="compare", epilog=_EPILOG)
@click.argument("systems", nargs=-1, metavar="A B...", type=options.RUN)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the comparison as an HTML file.",
)
@click.option(
    "--all", "everything", is_flag=True, help="List all metrics, not only those that differ."
)
def command(systems: tuple[Path, ...], out: Path | None, everything: bool) -> int:
    """Compare runs with the first one, A. A ratio above 1 means better than A."""
    from heorot.cli.runs.compare_tests import compare_and_print
    from heorot.cli.terminal.tables import comparison_table
    from heorot.session.verification import compared
    from heorot.throughput.session import throughput_status

    tests = [_tests_of(text) for text in systems]
    if any(throughput_status.is_throughput_test(path) for own in tests for path in own):
        compare_and_print(tests, out)
        return 0
    if len(systems) < _PAIR:
        given = f"only {systems[0]} is given" if systems else "no run is given"
        raise UsageError(f"{given}, a comparison needs two", suggest("compare", "--help"))
    if len(systems) == _PAIR and any(map(compared.is_published, systems)):
        comparison = compared.compare(*systems)
        comparison_table(comparison, everything)
        if out is not None:
            compared.write_comparison(comparison, out)
    else:
        side = compared.compare_side_by_side(systems)
        _show(side, everything)
        if out is not None:
            compared.write_systems(side, systems, out)
    if out is not None:
        click.echo(out)
    return 0


def _tests_of(text: Path) -> list[Path]:
    """The throughput tests of a system, separated by commas."""
    return [text] if text.exists() else [Path(one) for one in str(text).split(",") if one]


def _show(side: SideBySide, everything: bool) -> None:
    from heorot.cli.runs.systems_table import print_beside, print_sentences, print_systems
    from heorot.cli.terminal.tables import comparison_table

    if len(side.systems) > _PAIR:
        print_systems(side, everything)
        return
    comparison_table(side.pair, everything)
    print_sentences(side.beside)
    print_beside(side)
