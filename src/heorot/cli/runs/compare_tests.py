"""Prints comparisons of throughput tests for `heorot compare`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table as Columns
from rich.text import Text

from heorot.cli.terminal.tables import print_table
from heorot.printable import printable
from heorot.report.tables.table import Allowance
from heorot.throughput.report.tables.compared import compared_tables, differing_table
from heorot.throughput.verification import compare_directories, write_comparison


def compare_and_print(systems: Sequence[Sequence[Path]], out: Path | None) -> None:
    """Compare throughput tests and print the result.

    Args:
        systems: directories of the tests of each.
        out: also write an HTML page there.
    """
    comparison, tests = compare_directories(systems)
    for one in comparison.systems:
        names = ", ".join(test.name for test in one.tests)
        click.echo(printable(f"{one.name}  {one.system}; {names}"))
    click.echo("ratios are to the first system\n")
    allowance = Allowance()
    for table in (*compared_tables(comparison, allowance), differing_table(comparison, allowance)):
        if table.rows:
            shown = Columns(box=None, pad_edge=False)
            for column in table.columns:
                title = Text(printable(column.title or table.caption))
                shown.add_column(title, justify="right" if column.numeric else "left")
            for row in table.packed or table.rows:
                shown.add_row(*(Text(printable(cell.text)) for cell in row.cells))
            print_table(shown)
            click.echo()
    for sentence in comparison.sentences:
        click.echo(printable(sentence.text))
    if out is not None:
        write_comparison(comparison, tests, out)
        click.echo(out)
