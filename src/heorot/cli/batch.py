"""`heorot batch`: functional acceptance test of a batch system."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from heorot.cli import options

_EPILOG = """\b
Examples:
  heorot batch check --batch slurm --nodes 4    asks before it starts
  heorot batch check --site lab --yes           on the Slurm of a lab
  heorot batch check --only backfill --only '*-limit'
  heorot batch check --list                     features that are tested
"""


@click.group(name="batch", cls=options.Commands, epilog=_EPILOG)
def command() -> None:
    """Test the functions of a batch system (acceptance)."""


@command.command(name="check", epilog=_EPILOG)
@options.batch
@options.site
@options.trust_site
@click.option(
    "--nodes", type=click.IntRange(1, 64),
    help="Most nodes to use at the same time. Default: 4, or all if fewer.",
)  # fmt: skip
@click.option(
    "--minutes", type=options.between(0.5, 240.0), default=10.0, show_default=True,
    help="Time limit of the test, 0.5 to 240; features that do not fit are not tested.",
)  # fmt: skip
@click.option("--only", multiple=True, metavar="GLOB", help="Features to test; repeatable.")
@click.option(
    "--admin",
    is_flag=True,
    help="As administrator: also drain a node and set one down, for a short time.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Output directory. Default: acceptance/TIME."
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option("--yes", is_flag=True, help="Start without confirmation.")
@click.option("--list", "listing", is_flag=True, help="List the features, test nothing.")
@options.quiet
def check(
    as_json: bool,
    yes: bool,
    listing: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Test the features of a batch system with small jobs.

    Only jobs of this test are cancelled. Exit code 0: no feature failed; 1: a feature failed; 2: a
    usage or site error.
    """
    from heorot.acceptance.session import check as acceptance
    from heorot.cli.terminal.acceptance import VerdictPrinter, print_intent, print_outcome
    from heorot.model.batch.acceptance import CheckRequest

    request = options.request_of(CheckRequest, asked)
    if listing:
        for feature in acceptance.chosen(request.only):
            click.echo(f"{feature.name:15} {feature.question}")
        return 0
    intent = acceptance.intend(request)
    if not quiet or not yes:
        print_intent(intent)
    if not yes and is_asked() and not click.confirm("Start?", default=True, err=True):
        return 0
    printer = VerdictPrinter(quiet=quiet or as_json)
    found, directory = acceptance.accept(intent, printer.reporter)
    if as_json:
        click.echo(found.model_dump_json(indent=1))
    print_outcome(found, directory)
    return found.code


def is_asked() -> bool:
    """Whether the terminal can answer a question."""
    return sys.stdin.isatty()
