"""`heorot report`: the report again, from the records."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.terminal.above import tell_disagreements
from heorot.errors import UsageError
from heorot.session import runs
from heorot.throughput.session import conclude, day_status
from heorot.throughput.session.view import DayView


@click.command(
    name="report",
    epilog="Examples: heorot report runs/first; heorot report runs/first --summary --out s.html",
)
@click.argument("run", type=options.RUN)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Default: RUN/report.html."
)
@click.option(
    "--summary", is_flag=True, help="Write the first page alone; default: RUN/summary.html."
)
def command(run: Path, out: Path | None, *, summary: bool) -> int:
    """Analyse the records of RUN again and write its report; 1 if its files do not agree."""
    if day_status.is_day(run):
        if summary:
            raise UsageError(
                f"{run} is a throughput test: it has no summary of its own",
                hint="leave --summary out",
            )
        day = conclude.reopen(run, DayView(), out)
        tell_disagreements(day.disagreements)
        click.echo(day.report)
        return day.code
    ended = runs.reopen(run)
    tell_disagreements(ended.evaluation.disagreements)
    click.echo(runs.write_report(ended, out, summary=summary))
    return ended.code
