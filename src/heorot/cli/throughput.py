"""`heorot throughput`: runs a schedule of batch jobs and reports on every job."""

from __future__ import annotations

from pathlib import Path

import click

from heorot.cli import options
from heorot.errors import UsageError

_EPILOG = """\b
Examples:
  heorot throughput steen2000 --site lab --time-scale 0.1
                                             on a virtual cluster
  heorot throughput steen2000 --site lab --dry-run
                                             jobs, nodes, expected time
  heorot throughput my.schedule --jobs my.yaml --batch slurm --nodes 16
  heorot throughput trace.swf --jobs my.yaml --most 200 --time-scale 0.01
  heorot throughput esp --jobs my.yaml --batch slurm --exclusive
  heorot throughput --resume runs/day        continue after a kill or Ctrl-C
  heorot throughput --resume ~eve/day --trust
                                             a test of another user

SCHEDULE is a file, an SWF trace, or a shipped one: steen2000, esp. A line such as `300: 3 *
rboltz_run` submits 3 copies of a job class 300 s after the start. JOBS.yaml defines the job
classes. Each class first runs dedicated, as baseline.
"""


@click.command(name="throughput", epilog=_EPILOG)
@click.argument("schedule", required=False)
@click.option(
    "--jobs",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="JOBS.yaml",
    help="Definition of the job classes; shipped schedules have one.",
)
@options.batch
@options.site
@options.trust
@click.option("--nodes", type=options.SEVERAL, help="Nodes to use. Default: all.")
@click.option(
    "--time-scale",
    type=options.between(1e-6, 1e6),
    default=1.0,
    show_default=True,
    help="Factor on all times of the schedule.",
)
@click.option("--most", type=options.SEVERAL, help="Run only the first N jobs of the workload.")
@click.option("--seed", type=options.SEED, default=0, show_default=True, help="Random seed.")
@click.option(
    "--alone",
    type=click.IntRange(0, 1000),
    default=3,
    show_default=True,
    help="Dedicated baseline runs of each job class; 0: none.",
)
@click.option(
    "--alone-from", type=options.RUN, metavar="DIR", help="Take the baselines from an earlier test."
)
@click.option(
    "--exclusive/--shared",
    default=None,
    help="Exclusive or shared nodes. Default: from JOBS.yaml.",
)
@click.option(
    "--interval",
    "interval_seconds",
    type=options.between(0.0, 3600.0),
    default=1.0,
    show_default=True,
    help="Sampling interval of the nodes in seconds; 0: no sampling.",
)
@options.toolchain
@options.source
@click.option(
    "--out", type=click.Path(path_type=Path), help="Run directory. Default: runs/day-TIME."
)
@click.option("--resume", type=options.RUN, metavar="DIR", help="Resume an interrupted test.")
@click.option("--dry-run", is_flag=True, help="Print jobs, nodes and expected time, run nothing.")
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
    """Run the jobs of SCHEDULE on a batch system and report on each job.

    Exit code 0: all jobs completed; 1: a job did not, the report lists it; 2: a usage or site
    error.
    """
    from heorot.cli.terminal.throughput_progress import choose, print_forecast, print_throughput
    from heorot.session.exclusive_use import concurrent_runs
    from heorot.throughput.model.throughput import ThroughputRequest
    from heorot.throughput.session import conduct
    from heorot.throughput.session.forecast import foresee_request

    if resume is None and schedule is None:
        raise UsageError(
            "a schedule is missing", "name a file, or one that comes with Heorot: steen2000"
        )
    if resume is not None:
        options.require_nothing_beside_resume()
    request = options.request_of(ThroughputRequest, asked, schedule=schedule or "")
    if dry_run:
        print_forecast(foresee_request(request))
        return 0
    if not anyway:
        concurrent_runs.require_quiet(resume)
    view = choose(quiet=quiet)
    if resume is not None:
        ended = conduct.resume(resume, view, trust=trust, anyway=anyway)
    else:
        ended = conduct.throughput(request, view, anyway=anyway)
    print_throughput(ended)
    return ended.code
