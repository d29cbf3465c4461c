"""`heorot doctor`: installed and missing parts, and settings that spoil measurements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.errors import UsageError

if TYPE_CHECKING:
    from heorot.session import inspection

_EPILOG = """\b
Examples:
  heorot doctor
  heorot doctor --site lyra.yaml            check a site file
  heorot doctor --site lyra.yaml --probe    also submit a job of a minute
  heorot doctor --site ~eve/lyra.yaml --trust
                                            with another user's commands
"""


@click.command(name="doctor", epilog=_EPILOG)
@options.site
@options.trust_site
@click.option(
    "--probe", is_flag=True, help="Submit a job of a minute; its nodes are checked as well."
)
def command(site: Path | None, probe: bool) -> int:
    """Check the installation, the machine's settings and a site file.

    Exit code 0: evaluate can run, possibly with notes; 2: a required part is missing.
    """
    from heorot.session import inspection
    from heorot.session.cluster import checkup, sites

    if probe and site is None:
        raise UsageError("--probe submits a job to a site", "name it: --site FILE")
    known = sites.read_site_file(site).site
    machine = inspection.describe_machine(None, known)
    parts = list(inspection.diagnose(machine))
    click.echo("installation:")
    _show(parts)
    click.echo("\nmeasuring conditions of this machine (a note never stops a run):")
    _show_conditions(inspection.conditions_here(machine.node))
    if site is not None:
        click.echo(f"\nsite file {site}:")
        checked = checkup.check_site(site, known, probe=probe)
        _show(checked.claims)
        parts += checked.claims
        for names, conditions in inspection.conditions_of(checked.nodes).items():
            click.echo(f"\nmeasuring conditions of {names}:")
            _show_conditions(conditions)
    click.echo("\ntoolchains, the default first:")
    for toolchain in inspection.list_toolchains(machine, known):
        click.echo(f"        {toolchain.name}")
    return 0 if all(part.ok for part in parts) else 2


def _show(parts: Sequence[inspection.Diagnosis]) -> None:
    width = max((len(part.part) for part in parts), default=0)
    for part in parts:
        mark = "ok" if part.found else ("none" if part.ok else "MISSING")
        click.echo(f"{mark:7} {part.part:{width}}  {part.found or part.remedy}")


def _show_conditions(conditions: Sequence[inspection.Condition]) -> None:
    width = max(len(each.what) for each in conditions)
    for each in conditions:
        click.echo(f"{each.state:7} {each.what:{width}}  {each.found}")
        if each.advice:
            click.echo(f"{'':8}{'':{width}}  -> {each.advice}")
