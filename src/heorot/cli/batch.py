"""`heorot batch`: what a batch system can do."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from heorot.acceptance.session import check as acceptance
from heorot.cli import options
from heorot.cli.terminal.acceptance import Teller, print_intent, print_outcome
from heorot.model.batch.acceptance import CheckRequest

_EPILOG = """\b
Examples:
  heorot batch check --batch slurm --nodes 4         on a production system, after a question
  heorot batch check --site lab --yes                on the Slurm of a lab
  heorot batch check --only backfill --only '*-limit'
  heorot batch check --list                          what is tested
"""


@click.group(name="batch", epilog=_EPILOG)
def command() -> None:
    """What a batch system can do: its functional acceptance."""


@command.command(name="check", epilog=_EPILOG)
@options.batch
@options.site
@options.trust_site
@click.option(
    "--nodes", type=click.IntRange(1, 64),
    help="Nodes to take at the same time, at most; 4 unless there are fewer.",
)  # fmt: skip
@click.option(
    "--minutes", type=options.between(0.5, 240.0), default=10.0, show_default=True,
    help="Time to take, at most, 0.5 to 240; what finds none is not tested.",
)  # fmt: skip
@click.option("--only", multiple=True, metavar="GLOB", help="Features to test, repeatable.")
@click.option(
    "--admin", is_flag=True, help="You administer it: drain a node, declare one dead, for a moment."
)
@click.option("--out", type=click.Path(path_type=Path), help="Directory; default acceptance/TIME.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option("--yes", is_flag=True, help="Begin without a question.")
@click.option("--list", "listing", is_flag=True, help="Print the features and stop.")
@options.quiet
def check(
    as_json: bool,
    yes: bool,
    listing: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Test a batch system feature by feature, with small jobs of its own, and say what it found.

    It cancels no jobs but its own, whose names it keeps before it submits them. Exit code 0: no
    feature failed; 1: one did; 2: a usage or site mistake.
    """
    request = options.request_of(CheckRequest, asked)
    if listing:
        for feature in acceptance.chosen(request.only):
            click.echo(f"{feature.name:15} {feature.question}")
        return 0
    intent = acceptance.intend(request)
    if not quiet or not yes:
        print_intent(intent)
    if not yes and is_asked() and not click.confirm("Begin?", default=True, err=True):
        return 0
    teller = Teller(quiet=quiet or as_json)
    found, directory = acceptance.accept(intent, teller.reporter)
    if as_json:
        click.echo(found.model_dump_json(indent=1))
    print_outcome(found, directory)
    return found.code


def is_asked() -> bool:
    """Whether somebody is there who can be asked."""
    return sys.stdin.isatty()
