"""`heorot list`: the catalogue, readable without any build."""

from __future__ import annotations

import json

import click

from heorot.session import inspection


@click.command(name="list", epilog="Examples: heorot list; heorot list --family compute --json")
@click.option("--family", help=f"Only this family: {', '.join(inspection.family_names())}.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(family: str | None, as_json: bool) -> int:
    """List the benchmarks: question, metrics, comparability, source."""
    entries = inspection.catalogue(family)
    if as_json:
        click.echo(
            json.dumps(
                [
                    {
                        "name": benchmark.name,
                        "family": benchmark.family,
                        "question": header.question,
                        "metrics": [metric.model_dump() for metric in benchmark.metrics],
                        "tiny": {
                            "options": benchmark.tiny.options,
                            "ranks": benchmark.tiny.ranks,
                        },
                        **{name.lower(): text for name, text in header.sections.items()},
                    }
                    for benchmark, header in entries
                ],
                indent=1,
            )
        )
        return 0
    for benchmark, header in entries:
        metrics = ", ".join(f"{metric.name} [{metric.unit}]" for metric in benchmark.metrics)
        click.secho(benchmark.name, bold=True)
        click.echo(f"  {header.question}")
        click.echo(f"  metrics  {metrics}")
        click.echo(f"  compares {header.comparable.lower()}")
        click.echo(f"  source   {header.sections.get('Source', '')}")
    return 0
