"""`heorot references`: published machines and their figures."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options

if TYPE_CHECKING:
    from heorot.references.counterparts import Meeting
    from heorot.references.records import PublishedNetwork, PublishedSystem, Quoted, Source

_EPILOG = """\b
Examples:
  heorot references list
  heorot references show steen2000:xp1000
  heorot references show saini2006:altix-bx2 --all
  heorot references add runs/first --name 'Cluster A'
  heorot compare runs/first steen2000:xp1000
"""


@click.group(name="references", cls=options.Commands, epilog=_EPILOG)
def command() -> None:
    """Show published machines and their figures, and publish own runs."""


@command.command(name="list", epilog=_EPILOG)
def show_list() -> None:
    """List the published sources with their systems, and own files."""
    from heorot.references import library
    from heorot.references.counterparts import meetings

    for name in library.source_names():
        source = library.shipped_source(name)
        click.secho(name, bold=True)
        click.echo(f"  {source.document}")
        for system in source.systems:
            met = list(meetings(source, system.name))
            compared = sum(each.quantity is not None for each in met)
            click.echo(
                f"  {name}:{system.name:24} {len(met):4} figures, {compared:3} with a counterpart"
            )
    own = list(library.own_files())
    click.secho(f"own files in {library.own_directory()}", bold=True)
    click.echo("\n".join(f"  {file}" for file in own) or "  none")


@command.command(name="show", epilog=_EPILOG)
@click.argument("name", metavar="SOURCE:SYSTEM")
@click.option("--all", "everything", is_flag=True, help="Also list the figures of context.")
def show(name: str, everything: bool) -> None:
    """Show a published system: attributes, figures, what they are compared with, and why not."""
    from heorot.references.counterparts import meetings
    from heorot.references.library import find_system
    from heorot.report.wording import count

    source, system = find_system(name)
    _print_system(source, system)
    met = list(meetings(source, system.name))
    click.secho("Compared with Heorot's results", bold=True)
    for each in met:
        if each.quantity is not None:
            one = each.quantity
            place = f"{one.benchmark} {one.region} {one.metric}"
            click.echo(f"  {_figure(each)}: {each.relation}, {place}")
    click.secho("Context only, in no ratio", bold=True)
    context = sorted((each for each in met if each.quantity is None), key=lambda one: one.reason)
    for reason, group in groupby(context, key=lambda one: one.reason):
        figures = list(group)
        click.echo(f"  {count(len(figures), 'figure')}: {reason}")
        if everything:
            for each in figures:
                click.echo(f"    {_figure(each)}")


@command.command(name="add", epilog=_EPILOG)
@click.argument("run", type=options.RUN)
@click.option("--name", required=True, help="Name of the machine in comparisons.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file. Default: NAME.yaml among the own files.",
)
def add(run: Path, name: str, out: Path | None) -> None:
    """Publish the headlines of RUN in a small file, without samples and names of hosts."""
    from heorot.references.library import own_file
    from heorot.session.verification.publishing import as_yaml, publish
    from heorot.store.atomic import write_bytes

    text = as_yaml(publish(run, name))
    file = out or own_file(name)
    write_bytes(file, text.encode())
    click.echo(file)


def _print_system(source: Source, system: PublishedSystem) -> None:
    click.secho(system.title, bold=True)
    click.echo(f"  {source.document}")
    special = {"name", "title", "networks", "compilers", "caches", "notes", "mpi"}
    units = {"clock": " Hz", "total_peak": " flop/s", "peak_per_processor": " flop/s"}
    units |= {"memory": " B", "memory_per_node": " B"}
    for key, value in system.model_dump(exclude=special, exclude_none=True).items():
        if value != "":
            text = f"{value:.6g}" if isinstance(value, float) else value
            click.echo(f"  {key.replace('_', ' '):20} {text}{units.get(key, '')}")
    for level, text in system.caches.items():
        click.echo(f"  {level:20} {text}")
    for one in system.compilers:
        text = " ".join(filter(None, (one.name, one.version, one.flags)))
        click.echo(f"  {one.language:20} {text}{f' ({one.note})' if one.note else ''}")
    for mpi in system.mpi:
        click.echo(f"  {'message passing':20} {mpi}")
    for network in system.networks:
        _print_network(network)
    for note in system.notes:
        click.echo(f"  {'note':20} {note}")


def _print_network(network: PublishedNetwork) -> None:
    parts = [
        "" if network.tested else "not tested",
        network.topology,
        _quote("quoted", network.quoted_bandwidth),
        _quote("quoted", network.quoted_latency),
        _quote("measured", network.measured_bandwidth),
        _quote("measured", network.measured_latency),
        network.detail,
    ]
    click.echo(f"  {network.type:20} {'; '.join(filter(None, parts))}")


def _quote(what: str, quoted: Quoted | None) -> str:
    if quoted is None:
        return ""
    note = f" ({quoted.note})" if quoted.note else ""
    return f"{what} {quoted.value} {quoted.unit}{note}"


def _figure(meeting: Meeting) -> str:
    from heorot.report.wording import count

    figure = meeting.figure
    words = (figure.program, figure.variant, figure.metric, figure.network)
    processes = count(figure.processes, "process") if figure.processes else ""
    printed = f"{figure.qualifier} {figure.printed or '-'} {figure.unit}".strip()
    reported = "second-hand" if figure.second_hand else ""
    place = figure.table if figure.table.startswith("text") else f"table {figure.table}"
    parts = (printed, " ".join(filter(None, words)), processes, place, reported, figure.note)
    return ", ".join(filter(None, parts))
