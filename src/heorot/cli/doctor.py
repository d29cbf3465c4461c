"""`heorot doctor`: what is here, what is missing, how to get it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from heorot.cli import options
from heorot.errors import UsageError
from heorot.session import inspection
from heorot.session.cluster import checkup, sites

_EPILOG = """\b
Examples:
  heorot doctor
  heorot doctor --site lyra.yaml            what the site file says, against what is there
  heorot doctor --site lyra.yaml --probe    and a job of a minute
  heorot doctor --site ~eve/lyra.yaml --trust
                                            with the commands that another's file names
"""


@click.command(name="doctor", epilog=_EPILOG)
@options.site
@options.trust_site
@click.option("--probe", is_flag=True, help="Submit a job of a minute to the site, too.")
def command(site: Path | None, probe: bool) -> int:
    """Say what is here, what is missing and how to get it; exit 0 if evaluate can run."""
    if probe and site is None:
        raise UsageError("--probe submits a job to a site", "name it: --site FILE")
    known = sites.read_site_file(site).site
    machine = inspection.describe_machine(None, known)
    parts = list(inspection.diagnose(machine))
    _show(parts)
    if site is not None:
        click.echo()
        click.echo(f"what {site} says:")
        claims = checkup.check_site(site, known, probe=probe)
        _show(claims)
        parts += claims
    click.echo()
    click.echo("toolchains, the default first:")
    for toolchain in inspection.list_toolchains(machine, known):
        click.echo(f"        {toolchain.name}")
    return 0 if all(part.ok for part in parts) else 2


def _show(parts: Sequence[inspection.Diagnosis]) -> None:
    width = max((len(part.part) for part in parts), default=0)
    for part in parts:
        mark = "ok " if part.found else ("no " if part.ok else "MISSING")
        click.echo(f"{mark:7} {part.part:{width}}  {part.found or part.remedy}")
