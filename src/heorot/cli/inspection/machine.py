"""`heorot machine`: the description of this machine, as a table or as YAML."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options

_EPILOG = """\b
Examples:
  heorot machine
  heorot machine --write site.yaml
  heorot machine --write -
"""


@click.command(name="machine", epilog=_EPILOG)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write YAML to FILE (- for standard output) instead of a table.",
)
@options.site
@options.trust_site
def command(write: str | None, site: Path | None) -> int:
    """Describe this machine: processor, memory, settings, network, batch system, MPI, compilers."""
    from heorot.cli.terminal.tables import print_pairs
    from heorot.session import inspection
    from heorot.session.cluster.sites import read_site_file

    machine = inspection.describe_machine(None, read_site_file(site).site)
    if write is None:
        print_pairs(inspection.summary_rows(machine))
    elif write == "-":
        click.echo(inspection.to_yaml(machine), nl=False)
    else:
        inspection.write_machine(machine, Path(write))
    return 0
