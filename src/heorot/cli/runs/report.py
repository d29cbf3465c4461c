"""`heorot report`: writes the report of a run again from its records."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.terminal.above import print_disagreements
from heorot.errors import UsageError

_EPILOG = """\b
Examples:
  heorot report runs/first
  heorot report runs/first --out r.html
  heorot report runs/first --summary --out first-page.html
"""


@click.command(name="report", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="HTML file. Default: RUN/report.html.",
)
@click.option(
    "--summary", is_flag=True, help="Write the first page alone. Default: RUN/summary.html."
)
def command(run: Path, out: Path | None, *, summary: bool) -> int:
    """Analyse the records of RUN again and write the report.

    Exit code 1: a case failed, or stored files of the run do not agree.
    """
    from heorot.store.directory import RunDirectory

    if RunDirectory(run).command == "throughput":
        if summary:
            raise UsageError(
                f"{run} is a throughput test: it has no separate summary",
                hint="leave --summary out",
            )
        from heorot.throughput.session import conclude
        from heorot.throughput.session.view import ThroughputView

        ended = conclude.reopen(run, ThroughputView(), out)
        print_disagreements(ended.disagreements)
        click.echo(ended.report)
        return ended.code
    from heorot.session.verification.reported import report

    found, page = report(run, out, summary=summary)
    print_disagreements(found.lines)
    click.echo(page)
    return found.code
