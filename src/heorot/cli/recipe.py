"""`heorot recipe`: third-party benchmarks, each described by a recipe: build, run, read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heorot.cli import options
from heorot.cli.run import run_directory
from heorot.errors import UsageError
from heorot.suggestion import name_as_typed, suggest
from heorot.units import plural

if TYPE_CHECKING:
    from heorot.model.recipe import Recipe
    from heorot.model.run.outcome import Outcome
    from heorot.session import recipe_check

_MOST_MATCHES = 5
_EPILOG = """\b
Examples:
  heorot recipe list                          shipped recipes, requirements
  heorot recipe show stream                   print one, to copy and edit
  heorot recipe new mine > mine.yaml          write a commented template
  heorot recipe check mine.yaml --source mine=DIR
                                              build, run once, show matches
"""


@click.group(name="recipe", cls=options.Commands, epilog=_EPILOG)
def command() -> None:
    """Third-party benchmarks: list, show, write and test recipes."""


@command.command(name="list")
def list_recipes() -> int:
    """List the shipped recipes and their requirements."""
    from heorot.recipes.read import read_recipe, shipped

    for recipe in map(read_recipe, shipped().values()):
        click.secho(recipe.name, bold=True)
        click.echo(f"  {recipe.question}")
        click.echo(f"  needs    {_needs(recipe)}")
        if recipe.obtain:
            click.echo(f"  get it   {recipe.obtain}")
        for each in recipe.input_files:
            click.echo(f"  input    {each.path}, sha256 {each.sha256[:12]}...")
        click.echo(f"  source   {recipe.source}")
        click.echo(f"  licence  {recipe.licence}")
    return 0


@command.command(name="show")
@click.argument("name")
def show(name: str) -> int:
    """Print the shipped recipe NAME, to copy and edit."""
    from heorot.recipes.read import find, text_of

    click.echo(text_of(find(name)), nl=False)
    return 0


@command.command(name="new")
@click.argument("name")
def new(name: str) -> int:
    """Print a commented recipe template for the program NAME."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", name):
        raise UsageError(
            f"{name} is not a name of a recipe",
            "lower-case letters, digits, - and _, such as my-solver",
        )
    from heorot.recipes.skeleton import skeleton

    click.echo(skeleton(name, name_as_typed()), nl=False)
    return 0


@command.command(
    name="check",
    epilog="Example: heorot recipe check mine.yaml --source mine=~/mine --case small --ranks 2",
)
@click.argument("recipe")
@click.option("--case", "case_name", help="Case to run. Default: the first one.")
@click.option("--ranks", type=options.SEVERAL, help="MPI ranks instead of the case's.")
@click.option("--threads", type=options.SEVERAL, help="Threads instead of the case's.")
@options.timeout
@options.toolchain
@options.site
@options.trust_site
@options.source
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Keep the run in this directory. Default: delete it.",
)
@options.anyway
@options.quiet
def check(
    recipe: str,
    case_name: str | None,
    ranks: int | None,
    threads: int | None,
    out: Path | None,
    anyway: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Build the program of RECIPE, run one case once, and show the matches of each pattern."""
    from heorot.cli.terminal.progress import choose
    from heorot.model.run.request import Request
    from heorot.recipes.read import find, read_recipe
    from heorot.session import recipe_check
    from heorot.session.exclusive_use import concurrent_runs

    file = find(recipe)
    read = read_recipe(file)
    click.echo(f"{file}: all keys are valid")
    try:
        case = recipe_check.smallest_case(read, case_name, ranks, threads)
    except KeyError:
        names = ", ".join(run.name for run in read.cases)
        raise UsageError(f"{file} has no case {case_name}", f"there are: {names}") from None
    if not anyway:
        concurrent_runs.require_quiet()
    with run_directory(out) as directory:
        own = {"launches": 1, "recipes": (str(file),), "out": directory}
        request = options.request_of(Request, asked, **own)
        tried = recipe_check.attempt(read, case, request, choose(quiet), anyway=anyway)
        return _report(tried, read)


def _report(tried: recipe_check.Trial, recipe: Recipe) -> int:
    for skipped in tried.skipped:
        click.echo(f"not run  {skipped.case}: {skipped.reason}")
    if tried.outcome is None:
        return 1
    outcome = tried.outcome
    for command_line in tried.commands:
        click.echo(f"ran      {command_line}")
    _print_state(outcome)
    if tried.unreadable:
        click.echo(f"output   {tried.unreadable}")
    n_missing = sum(not one.matches for one in tried.tried if one.wanted)
    for one in tried.tried:
        _print_check(one)
    _print_failed(outcome)
    if not recipe.verification:
        click.echo("unverified: no `verification`, results will be marked as unchecked")
    if outcome.state == "completed":
        from heorot.cli.terminal.tables import results_table

        results_table(tried.ended.evaluation.analysis.results)
    elif outcome.last_output:
        click.echo(outcome.last_output, err=True)
    if n_missing:
        click.echo(f"{n_missing} pattern{'s' * (n_missing > 1)} without a match")
    return 0 if outcome.state == "completed" and not n_missing else 1


def _print_state(outcome: Outcome) -> None:
    """Print the state of the launch, and processes that it left."""
    click.echo(f"state    {outcome.state}{f': {outcome.reason}' if outcome.reason else ''}")
    if left := sum(one.n for one in outcome.left):
        click.echo(f"left     {plural(left, 'process')}, which were ended with it")


def _print_failed(outcome: Outcome) -> None:
    """Print failed checks and missing values."""
    for check in outcome.checks:
        if not check.passed:
            where = ", ".join(f"{name} {value}" for name, value in (check.point or {}).items())
            place = " ".join(filter(None, [check.region and f"of {check.region}", where]))
            click.secho(f"failed   {check.name}{f' ({place})' if place else ''}", fg="red")


def _print_check(one: recipe_check.Tried) -> None:
    """Print the first matches of a pattern with their lines."""
    n = len(one.matches)
    count = "no match" if n == 0 else f"{n} match{'es' * (n > 1)}"
    wrong = (n == 0) == one.wanted
    said = ""
    if one.n_declared is not None:
        said = f" of {one.n_declared} declared by the recipe"
    elif one.many:
        said = "; the recipe does not declare their number (`values`)"
    apart = one.n_declared is not None and n != one.n_declared
    click.secho(f"{one.what}: {count}{said}", fg="red" if wrong or apart else None)
    if wrong:
        click.echo(f"  pattern {one.pattern}")
    for match in one.matches[:_MOST_MATCHES]:
        groups = ", ".join(f"{name} = {text}" for name, text in match.groups.items())
        click.echo(f"  line {match.line}: {groups or ' '.join(match.text.split())[:80]}")
    if n > _MOST_MATCHES:
        click.echo(f"  ... and {n - _MOST_MATCHES} more")


def _needs(recipe: Recipe) -> str:
    if recipe.installed is None:
        what = "its sources" if recipe.build else "a directory in which you have built it"
        return f"{what}: --source {recipe.name}=DIR"
    name, package = recipe.installed.command, recipe.installed.package
    if shutil.which(name):
        return f"{name}, which is installed: {suggest('run', recipe.benchmark)}"
    return f"{name}: apt-get install {package}" if package else f"{name} on PATH"
