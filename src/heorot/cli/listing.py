"""`heorot list`: the catalogue, readable without any build."""

from __future__ import annotations

import json
import shutil
import textwrap

import click

from heorot.model.catalogue.benchmark import OWN_LINE, Benchmark, Header
from heorot.session import inspection

_EPILOG = "Examples: heorot list; heorot list memory/stream; heorot list --family compute --json"
_MOST_COLUMNS = 100


@click.command(name="list", epilog=_EPILOG)
@click.argument("benchmark", required=False)
@click.option("--family", help=f"Only this family: {', '.join(inspection.family_names())}.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(benchmark: str | None, family: str | None, as_json: bool) -> int:
    """List the benchmarks: question, metrics, comparability, source.

    Of one BENCHMARK all that its source says: what it does, counts and verifies, with an example.
    """
    entries = inspection.catalogue(family, benchmark)
    if as_json:
        click.echo(json.dumps([_record(*entry) for entry in entries], indent=1))
        return 0
    for each, header in entries:
        metrics = ", ".join(f"{metric.name} [{metric.unit}]" for metric in each.metrics)
        click.secho(each.name, bold=True)
        click.echo(f"  {header.question}")
        click.echo(f"  metrics  {metrics}")
        if benchmark:
            _print_sections(header)
        else:
            click.echo(f"  compares {header.comparable.lower()}")
            click.echo(f"  source   {header.sections.get('Source', '')}")
    return 0


def _record(benchmark: Benchmark, header: Header) -> dict[str, object]:
    """A program as JSON has it."""
    return {
        "name": benchmark.name,
        "family": benchmark.family,
        "question": header.question,
        "metrics": [metric.model_dump() for metric in benchmark.metrics],
        "tiny": {"options": benchmark.tiny.options, "ranks": benchmark.tiny.ranks},
        **{name.lower(): text for name, text in header.sections.items()},
    }


def _print_sections(header: Header) -> None:
    """The sections under their names; equations and regions keep lines of their own."""
    columns = min(_MOST_COLUMNS, shutil.get_terminal_size().columns)
    for name, text in header.sections.items():
        click.echo(f"\n  {name}")
        for line in text.splitlines():
            indent = "    " + (OWN_LINE if line.startswith(OWN_LINE) else "")
            click.echo(
                textwrap.fill(
                    line.strip(),
                    columns,
                    initial_indent=indent,
                    subsequent_indent=indent + "    " * line.startswith(OWN_LINE),
                    expand_tabs=False,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
