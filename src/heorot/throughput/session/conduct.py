"""Conducts a test: preparation, dedicated runs, load, conclusion."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path

from heorot.errors import HeorotError
from heorot.launch.target import ExecutionTarget
from heorot.launch.temporary import require_temporary_directory
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.monitoring.session.sampling import look
from heorot.session.cluster.sites import read_site_file
from heorot.session.exclusive_use.concurrent_runs import alone_unless
from heorot.session.programs import find_programs
from heorot.session.run_start import first_facts, new_run, resumed
from heorot.session.verification.disagreements import resume_concluded
from heorot.store.digests import check_digests
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session.conclude import (
    ConcludedTest,
    conclude,
    files_left,
    single_user_medians,
)
from heorot.throughput.session.forecast import foresee
from heorot.throughput.session.interactive import CommandRunner, InteractiveUsers
from heorot.throughput.session.job_outcomes import describe_outcome, reset_if_cancelled
from heorot.throughput.session.load_run import LoadRun, run_alone
from heorot.throughput.session.monitored import monitored
from heorot.throughput.session.prepare import (
    Prepared,
    all_steps,
    as_evaluation,
    gather,
    prepare_throughput,
    require_inputs_of,
)
from heorot.throughput.session.schedulers.node_inventory import resolve_for_throughput, scheduler_of
from heorot.throughput.session.schedulers.scheduler import Scheduler
from heorot.throughput.session.schedulers.watched_scheduler import (
    job_names,
    require_no_other,
    watched_scheduler,
    watching,
)
from heorot.throughput.session.source import find_source, read_kinds
from heorot.throughput.session.view import ThroughputView
from heorot.throughput.store import ThroughputDirectory
from heorot.units import plural

# Number of response times on the empty system, and the longest pause between two [s].
_EMPTY_TIMES = 10
_EMPTY_PAUSE_SECONDS = 1.0


def throughput(
    request: ThroughputRequest, view: ThroughputView, *, anyway: bool = False
) -> ConcludedTest:
    """Conduct a throughput test from its schedule to its report.

    Args:
        anyway: whether to run next to other measurements on this machine.

    Raises:
        HeorotError: the request is wrong, or nothing can run.
    """
    if request.alone_from is not None:
        ThroughputDirectory.open_prepared(request.alone_from)  # fail now, not after the load
    source = find_source(request)
    kinds = read_kinds(source, None)
    used = read_site_file(request.site)
    target = resolve_for_throughput(request, used.site)
    if not anyway:
        require_no_other(target, ())
    name = time.strftime("day-%Y%m%d-%H%M%S", time.localtime())
    with new_run(ThroughputDirectory, request.out, name, used, target, view) as directory:
        try:
            directory.write_request(request)  # first: with run.json only it would be an evaluation
            facts = first_facts(directory.path.name, as_evaluation(request, kinds))
            directory.write_facts(facts)
            require_temporary_directory()
            prepare_throughput(directory, source, target, view)
        except HeorotError:
            (directory.path / directory.resumed_by).unlink(missing_ok=True)
            raise
        return _conduct(directory, target, view, anyway=anyway)


def resume(
    path: Path, view: ThroughputView, *, trust: bool = False, anyway: bool = False
) -> ConcludedTest:
    """Resume a test: submitted jobs are followed, the others submitted.

    Args:
        trust: whether it and its site file may belong to another user, whose programs are run.

    Raises:
        RunError: there is no test, or it belongs to another user.
        SiteError: its site file belongs to another user.
    """
    directory = ThroughputDirectory.open_prepared(path)
    request = directory.request()
    sites = request.site, directory.facts().request.site
    with resumed(directory, path, sites, view, trust=trust) as site:
        target = resolve_for_throughput(request, site)
        if not anyway and directory.throughput_facts().ended is None:
            require_no_other(target, job_names(path))
        return _conduct(directory, target, view, anyway=anyway)


def _conduct(
    directory: ThroughputDirectory, target: ExecutionTarget, view: ThroughputView, *, anyway: bool
) -> ConcludedTest:
    """Run the remaining phases of a test."""
    prepared = gather(directory)
    resume_concluded(directory, check_digests(directory.path, files_left(prepared)))
    if directory.throughput_facts().ended is not None:
        return conclude(directory, prepared, view)
    steps = all_steps(prepared)
    require_inputs_of(directory, prepared)
    programs = find_programs(directory, steps, target, view)
    scheduler = watched_scheduler(scheduler_of(directory, target, programs), target, directory.path)
    ask = CommandRunner(target, directory.path / "interactive")
    try:
        with alone_unless(anyway, target, directory.path, view):
            _before(directory, prepared, scheduler, ask, view)
            with monitored(directory, target, view) as watch, watching(scheduler):
                if directory.throughput_facts().begun is None:
                    directory.write_throughput_facts(
                        directory.throughput_facts().model_copy(update={"begun": time.time()})
                    )
                _load(directory, prepared, scheduler, ask, view, watch)
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            view.close()
            view.stage("ending all jobs of this test")
        scheduler.cancel_all()
        ask.cancel_all()
        raise
    finally:
        view.close()
    directory.write_throughput_facts(
        directory.throughput_facts().model_copy(update={"ended": time.time()})
    )
    return conclude(directory, prepared, view)


def _before(
    directory: ThroughputDirectory,
    prepared: Prepared,
    scheduler: Scheduler,
    ask: CommandRunner,
    view: ThroughputView,
) -> None:
    """Measure on the empty system: single-user times and response times."""
    if directory.throughput_facts().begun is not None:
        return
    facts = directory.throughput_facts()
    medians = single_user_medians(directory, prepared)
    ahead = foresee(
        prepared.arrivals,
        prepared.kinds,
        Counter(work.name for work in prepared.alone),
        directory.machine(),
        facts.n_nodes,
        facts.system,
        medians,
    )
    for line in ahead.lines:
        view.stage(line)
    expected = {**ahead.expected, **medians}
    if prepared.alone:
        for work in prepared.alone:
            reset_if_cancelled(work)
        view.stage(f"{plural(len(prepared.alone), 'dedicated run')}")
        run_alone(prepared.alone, scheduler, view, describe_outcome, expected=expected)
    if prepared.kinds.interactive:
        view.stage("response times of the empty system")
        with InteractiveUsers(
            prepared.kinds.interactive,
            directory.responses_file,
            ask,
            loaded=False,
            most=_EMPTY_TIMES,
            pause=_EMPTY_PAUSE_SECONDS,
        ) as typists:
            typists.wait()


def _load(
    directory: ThroughputDirectory,
    prepared: Prepared,
    scheduler: Scheduler,
    ask: CommandRunner,
    view: ThroughputView,
    watch: Watch | None,
) -> None:
    begun = directory.throughput_facts().begun or time.time()
    n_jobs, n_nodes = len(prepared.arrivals), directory.throughput_facts().n_nodes
    view.stage(f"{plural(n_jobs, 'job')} on {plural(n_nodes, 'node')}")
    test = LoadRun(
        prepared.arrivals,
        prepared.works,
        scheduler,
        view,
        begun=begun,
        describe=describe_outcome,
        expected=single_user_medians(directory, prepared),
        n_nodes=n_nodes,
        look=partial(look, watch) if watch and view.wants_load else None,
    )
    with InteractiveUsers(prepared.kinds.interactive, directory.responses_file, ask, loaded=True):
        test.carry_out()
