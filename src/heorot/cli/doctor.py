"""`heorot doctor`: what is here, what is missing, how to get it."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.session import inspection


@click.command(name="doctor", epilog="Example: heorot doctor")
def command() -> int:
    """Say what is here, what is missing and how to get it; exit 0 if evaluate can run."""
    machine = inspection.describe_machine(Path.cwd(), None)
    parts = inspection.diagnose(machine)
    width = max(len(part.part) for part in parts)
    for part in parts:
        mark = "ok " if part.found else ("no " if part.ok else "MISSING")
        click.echo(f"{mark:7} {part.part:{width}}  {part.found or part.remedy}")
    click.echo()
    click.echo("toolchains, the default first:")
    for toolchain in inspection.list_toolchains(machine, None):
        click.echo(f"        {toolchain.name}")
    return 0 if all(part.ok for part in parts) else 2
