"""`heorot list`: the catalogue, readable without any build."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from heorot.suggestion import suggest

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Benchmark, Header

_EPILOG = """\b
Examples:
  heorot list                        one line per benchmark
  heorot list memory                 one family; also 'memory/s*'
  heorot list memory/stream          method, counts, verification, source
  heorot list --long                 question, metrics, source of each
  heorot list --family compute --json
"""
_MOST_COLUMNS = 100
# Narrower descriptions are useless.
_LEAST_COLUMNS = 12


@click.command(name="list", epilog=_EPILOG)
@click.argument("benchmark", required=False)
@click.option(
    "--family", help="Only this family: compute, memory, algorithms, messages, npb, storage."
)
@click.option("--long", "is_long", is_flag=True, help="Question, metrics, comparability, source.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(benchmark: str | None, family: str | None, is_long: bool, as_json: bool) -> int:
    """List the benchmarks: name and what each measures.

    BENCHMARK is a name, a family or a glob pattern. A single benchmark is shown in full.
    """
    from heorot.families import select

    chosen = select(family, benchmark)
    if as_json:
        click.echo(json.dumps([_record(each) for each in chosen], indent=1))
    elif is_long or chosen[0].name == benchmark:
        for each in chosen:
            _print_whole(each, sections=each.name == benchmark)
    else:
        _print_lines(chosen)
    return 0


def _print_lines(benchmarks: Sequence[Benchmark]) -> None:
    """A line for each below the title of its family, cut to the width of a terminal."""
    from heorot.families import FAMILIES
    from heorot.model.grouping import group_by

    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    titles = {family.name: family.title for family in FAMILIES}
    for family, each_of in group_by(benchmarks, lambda each: each.family).items():
        click.secho(titles[family], bold=True)
        width = max(len(each.name) for each in each_of)
        room = max(_LEAST_COLUMNS, columns - width - 4)
        for each in each_of:
            text = textwrap.shorten(each.measures, room, placeholder=" ...")
            click.echo(f"  {each.name:{width}}  {text if columns else each.measures}")
    if len(benchmarks) > 1:
        click.echo(f"in full: {suggest('list', benchmarks[0].name)}")


def _print_whole(each: Benchmark, *, sections: bool) -> None:
    """Question and metrics, with all sections of the source or a few of them."""
    header = _header(each)
    click.secho(each.name, bold=True)
    click.echo(f"  {header.question}")
    click.echo(f"  metrics  {', '.join(f'{one.name} [{one.unit}]' for one in each.metrics)}")
    if sections:
        _print_sections(header)
    else:
        click.echo(f"  compares {header.comparable.lower()}")
        click.echo(f"  source   {header.sections.get('Source', '')}")


def _header(benchmark: Benchmark) -> Header:
    from heorot.build.sources import native_directory
    from heorot.catalogue.header import read_header

    return read_header(native_directory(), benchmark.name)


def _record(benchmark: Benchmark) -> dict[str, object]:
    """A program as JSON has it."""
    header = _header(benchmark)
    return {
        "name": benchmark.name,
        "family": benchmark.family,
        "measures": benchmark.measures,
        "question": header.question,
        "metrics": [metric.model_dump() for metric in benchmark.metrics],
        "tiny": {"options": benchmark.tiny.options, "ranks": benchmark.tiny.ranks},
        **{name.lower(): text for name, text in header.sections.items()},
    }


def _print_sections(header: Header) -> None:
    """The sections under their names; equations and regions keep lines of their own."""
    from heorot.model.catalogue.benchmark import OWN_LINE

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
