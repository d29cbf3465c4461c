"""`heorot evaluate`: the main job, from a bare machine to a verified, explained report."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.terminal.progress import choose
from heorot.cli.terminal.summary import print_plan, print_summary
from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import PROFILES
from heorot.model.run.request import Request
from heorot.session import conductor, preparation
from heorot.session.beside import neighbours
from heorot.suggestion import suggest

_EPILOG = """\b
Examples:
  heorot evaluate --profile smoke            a first look, under a minute
  heorot evaluate                            the quick profile, under five minutes
  heorot evaluate --only 'memory/*' --launches 5
  heorot evaluate --toolchain '*openmpi*' --toolchain '*mpich*'
  heorot evaluate --source npb=~/NPB3.4-MPI --only 'npb/*' --only 'others/*'
  heorot evaluate --nodes 1,2,4 --batch slurm --out runs/four-nodes
  heorot evaluate --nodes 1,2,4 --per-node 1,2,4,all --batch slurm   4 ranks on 1, 2, 4 nodes
  heorot evaluate --site lab --nodes 1,2     a cluster in this computer: heorot lab --help
  heorot evaluate --dry-run                  what would run, and how long it would take
  heorot evaluate --resume runs/first        go on after a kill or Ctrl-C
  heorot evaluate --resume ~eve/run --trust  whose programs and site file are another's
"""


@click.command(name="evaluate", epilog=_EPILOG)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="quick",
    show_default=True,
    help="How thorough: under 1 min, 5 min, 1 h, or all there is. Each further number of nodes "
    "adds half, over each network.",
)
@click.option("--only", multiple=True, metavar="GLOB", help="Benchmarks to run, repeatable.")
@options.toolchain
@click.option(
    "--nodes",
    type=options.NODES,
    default="1",
    show_default=True,
    help="Numbers of nodes to run on, such as 1,2,4.",
)
@click.option(
    "--per-node",
    type=options.PER_NODE,
    default=(),
    help="Ranks that each node gets in turn, such as 1,2,4,all; default: all cores, then one.",
)
@click.option(
    "--launches",
    type=click.IntRange(1, 1000),
    help="Launches of every case, with time in proportion.",
)
@click.option(
    "--budget",
    "budget_seconds",
    type=options.DURATION,
    help="Measure for no longer than this, such as 30min, instead of the profile's time.",
)
@options.timeout
@click.option("--seed", type=options.SEED, help="Seed of shuffling; drawn if not given.")
@options.batch
@options.site
@options.trust
@click.option("--out", type=click.Path(path_type=Path), help="Run directory; default runs/TIME.")
@click.option(
    "--resume", type=options.RUN, metavar="DIR", help="Go on with a run that was cut off."
)
@click.option(
    "--wait/--no-wait",
    default=True,
    help="Follow the jobs to the report, or submit all of them and return.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan with its estimated time and stop.")
@options.recipe
@options.source
@options.anyway
@options.quiet
def command(
    trust: bool,
    resume: Path | None,
    wait: bool,
    dry_run: bool,
    anyway: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Evaluate this machine: plan, build, measure, analyse, write the report.

    Exit code 0: all well; 1: a verification or a case failed, the report says which; 2: a usage or
    site mistake.
    """
    if resume is not None and not wait:
        raise UsageError("--resume collects what was submitted", "leave --no-wait out")
    if resume is not None:
        options.require_nothing_beside_resume()
    request = options.request_of(Request, asked)
    if dry_run:
        print_plan(*preparation.dry_run(request))
        return 0
    if not anyway:
        neighbours.require_quiet(resume)
    progress = choose(quiet)
    if not wait:
        sent = conductor.submit(request, progress)
        click.echo(f"{sent.n_jobs} jobs are submitted")
        click.echo(f"how far they are: {suggest('status', sent.directory)}")
        click.echo(f"collect them: {suggest('evaluate', '--resume', sent.directory)}")
        return 0
    if resume is not None:
        ended = conductor.resume(resume, progress, trust=trust, anyway=anyway)
    else:
        ended = conductor.evaluate(request, progress, anyway=anyway)
    print_summary(ended)
    return ended.code
