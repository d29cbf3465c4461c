"""`heorot throughput`: a day of batch work, from a schedule to a report on every job."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.cli.terminal.day import choose, print_day, print_forecast
from heorot.errors import UsageError
from heorot.session.beside import neighbours
from heorot.throughput.model.day import DayRequest
from heorot.throughput.session import conduct
from heorot.throughput.session.forecast import foresee_request

_EPILOG = """\b
Examples:
  heorot throughput steen2000 --site lab --time-scale 0.1
                                             the published schedule in a cluster in this computer
  heorot throughput steen2000 --site lab --dry-run     its jobs, nodes and expected time
  heorot throughput my.schedule --jobs my.yaml --batch slurm --nodes 16
  heorot throughput trace.swf --jobs my.yaml --most 200 --time-scale 0.01
  heorot throughput esp --jobs my.yaml --batch slurm --exclusive
  heorot throughput --resume runs/day        go on after a kill or Ctrl-C
  heorot throughput --resume ~eve/day --trust
                                             whose programs and site file are another's

A schedule has lines such as `300: 3 * rboltz_run`: seconds after the begin, copies,
a name; JOBS.yaml says what the names stand for. Every kind of job runs alone first, so
that it is known what sharing costs it.
"""


@click.command(name="throughput", epilog=_EPILOG)
@click.argument("schedule", required=False)
@click.option(
    "--jobs",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="JOBS.yaml",
    help="What the names of the schedule stand for; shipped schedules have one.",
)
@options.batch
@options.site
@options.trust
@click.option("--nodes", type=options.SEVERAL, help="Nodes of the machine; default: all.")
@click.option(
    "--time-scale",
    type=options.between(1e-6, 1e6),
    default=1.0,
    show_default=True,
    help="Times of the schedule are multiplied by it.",
)
@click.option("--most", type=options.SEVERAL, help="The first so many jobs of a workload.")
@click.option("--seed", type=options.SEED, default=0, show_default=True, help="Of what is drawn.")
@click.option(
    "--alone",
    type=click.IntRange(0, 1000),
    default=3,
    show_default=True,
    help="Times that every kind of job runs with the system to itself before; 0 for none.",
)
@click.option(
    "--alone-from", type=options.RUN, metavar="DIR", help="Take those times from an earlier day."
)
@click.option(
    "--exclusive/--shared",
    default=None,
    help="Whether jobs have their nodes to themselves; default: what JOBS.yaml says.",
)
@click.option(
    "--interval",
    "interval_seconds",
    type=options.between(0.0, 3600.0),
    default=1.0,
    show_default=True,
    help="Seconds between two samples of every node; 0: none are taken.",
)
@options.toolchain
@options.source
@click.option("--out", type=click.Path(path_type=Path), help="Directory; default runs/day-TIME.")
@click.option("--resume", type=options.RUN, metavar="DIR", help="Go on with a day.")
@click.option("--dry-run", is_flag=True, help="Print jobs, nodes and expected time, and stop.")
@options.anyway
@options.quiet
def command(
    schedule: str | None,
    trust: bool,
    resume: Path | None,
    dry_run: bool,
    anyway: bool,
    quiet: bool,
    **asked: object,
) -> int:
    """Have the jobs of SCHEDULE run as a mixed load, and report what became of each.

    Exit code 0: every job came back well; 1: one did not, the report says which; 2: a usage or
    site mistake.
    """
    if resume is None and schedule is None:
        raise UsageError(
            "a schedule is missing", "name a file, or one that comes with Heorot: steen2000"
        )
    if resume is not None:
        options.require_nothing_beside_resume()
    request = options.request_of(DayRequest, asked, schedule=schedule or "")
    if dry_run:
        print_forecast(foresee_request(request))
        return 0
    if not anyway:
        neighbours.require_quiet(resume)
    view = choose(quiet=quiet)
    if resume is not None:
        ended = conduct.resume(resume, view, trust=trust, anyway=anyway)
    else:
        ended = conduct.throughput(request, view, anyway=anyway)
    print_day(ended)
    return ended.code
