"""`heorot evaluate`: from a bare machine to a verified report that compares with bounds."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.errors import UsageError
from heorot.suggestion import suggest

_EPILOG = """\b
Examples:
  heorot evaluate --profile smoke            a first look, under a minute
  heorot evaluate                            quick profile, under 5 minutes
  heorot evaluate --only 'memory/*' --launches 5
  heorot evaluate --toolchain '*openmpi*' --toolchain '*mpich*'
  heorot evaluate --source npb=~/NPB3.4-MPI --only 'npb/*' --only 'others/*'
  heorot evaluate --nodes 1,2,4 --batch slurm --out runs/four-nodes
  heorot evaluate --nodes 1,2,4 --per-node 1,2,4,all --batch slurm
  heorot evaluate --site lab --nodes 1,2     on a virtual cluster
  heorot evaluate --dry-run                  the plan and its time
  heorot evaluate --resume runs/first        continue after a kill or Ctrl-C
  heorot evaluate --resume ~eve/run --trust  a run of another user
"""


@click.command(name="evaluate", epilog=_EPILOG)
@click.option(
    "--profile",
    type=click.Choice(["smoke", "quick", "standard", "full"]),
    default="quick",
    show_default=True,
    help="Measuring time: under 1 min, 5 min, 1 h, or all cases. Each further node count adds "
    "half of it, on each network.",
)
@click.option("--only", multiple=True, metavar="GLOB", help="Benchmarks to run; repeatable.")
@options.toolchain
@click.option(
    "--nodes",
    type=options.NODES,
    default="1",
    show_default=True,
    help="Node counts to run on, such as 1,2,4.",
)
@click.option(
    "--per-node",
    type=options.PER_NODE,
    default=(),
    help="Ranks per node, such as 1,2,4,all. Default: all cores, then one.",
)
@click.option(
    "--launches",
    type=click.IntRange(1, 1000),
    help="Launches of each case; the measuring time scales with it.",
)
@click.option(
    "--budget",
    "budget_seconds",
    type=options.DURATION,
    help="Measuring time instead of the profile's, such as 30min. Launches are cut to one "
    "before any case is dropped.",
)
@options.timeout
@click.option("--seed", type=options.SEED, help="Seed of the order of cases. Default: random.")
@options.batch
@options.site
@options.trust
@click.option("--out", type=click.Path(path_type=Path), help="Run directory. Default: runs/TIME.")
@click.option("--resume", type=options.RUN, metavar="DIR", help="Resume an interrupted run.")
@click.option(
    "--wait/--no-wait",
    default=True,
    help="Wait for all jobs and write the report, or submit them and return.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan and its estimated time, run nothing.")
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
    """Evaluate this machine: plan, build, measure, analyse, report.

    Exit code 0: success; 1: a verification or a case failed, the report lists it; 2: a usage or
    site error.
    """
    from heorot.cli.terminal.progress import choose
    from heorot.cli.terminal.summary import print_plan, print_summary
    from heorot.model.run.request import Request
    from heorot.session import conductor, preparation
    from heorot.session.exclusive_use import concurrent_runs

    if resume is not None and not wait:
        raise UsageError("--resume waits for the jobs of the run", "leave --no-wait out")
    if resume is not None:
        options.require_nothing_beside_resume()
    request = options.request_of(Request, asked)
    if dry_run:
        print_plan(*preparation.dry_run(request))
        return 0
    if not anyway:
        concurrent_runs.require_quiet(resume)
    progress = choose(quiet)
    if not wait:
        sent = conductor.submit(request, progress)
        click.echo(f"{sent.n_jobs} jobs submitted")
        click.echo(f"progress: {suggest('status', sent.directory)}")
        click.echo(f"report:   {suggest('evaluate', '--resume', sent.directory)}")
        return 0
    if resume is not None:
        ended = conductor.resume(resume, progress, trust=trust, anyway=anyway)
    else:
        ended = conductor.evaluate(request, progress, anyway=anyway)
    print_summary(ended)
    return ended.code
