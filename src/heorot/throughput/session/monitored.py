"""Monitors the nodes while the jobs of a test run, and analyses the samples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from heorot.errors import HeorotError, RunError
from heorot.jobs.facts import read_facts
from heorot.launch.target import ExecutionTarget
from heorot.monitoring.model import Monitoring, MonitoringStudy
from heorot.monitoring.session.ask_watchers import accounts, note_accounts, note_watchers, watchers
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.monitoring.session.sampling import find_monitor, start, stop
from heorot.monitoring.store import has_monitoring, read_monitoring, write_monitoring
from heorot.throughput.analyse.monitored import study
from heorot.throughput.model.day import Day
from heorot.throughput.session.view import DayView
from heorot.throughput.store import DayDirectory

# Samplers end by themselves so long after the last job was to be submitted, times what a day may
# take longer than its schedule [s].
_SPARE_SECONDS = 4 * 3600.0
_LONGER = 4.0


@contextmanager
def monitored(
    directory: DayDirectory, target: ExecutionTarget, view: DayView
) -> Iterator[Watch | None]:
    """Have samplers on all nodes as long as this lasts; a day without them is a day, too."""
    interval = directory.request().interval_seconds
    if not interval:
        yield None
        return
    try:
        program = find_monitor(directory.facts().toolchains, directory.machine())
    except HeorotError as error:
        view.stage(f"the nodes are not monitored: {error}")
        yield None
        return
    last = max(arrival.at_seconds for arrival in directory.arrivals())
    watch = start(
        directory.day().node_names,
        target.agent if target.elsewhere else (),
        program,
        directory.monitoring,
        interval,
        longest_seconds=_SPARE_SECONDS + _LONGER * last,
        counters=next((each.counters for each in target.site.networks if each.counters), None),
    )
    for host, why in watch.unwatched.items():
        view.stage(f"{host} is not monitored: {why}")
    try:
        note_watchers(watch, "begin")
        yield watch
        note_watchers(watch, "end")
        _note_accounts(directory, target)
    finally:
        write_monitoring(directory.monitoring, stop(watch))


def _note_accounts(directory: DayDirectory, target: ExecutionTarget) -> None:
    """Have Slurm's accounts of all jobs kept with the samples."""
    if target.caller is None or target.caller.dialect.system != "slurm":
        return
    known: dict[str, float] = {}
    for number in directory.job_numbers():
        with suppress(RunError):  # it was never written
            facts = read_facts(directory.job(number))
            # The id of one that was lost may be another's by now.
            lost = facts is not None and facts.state == "vanished"
            if facts and facts.id and facts.submitted is not None and not lost:
                known[facts.id] = facts.submitted
    if known:
        begun = min(known.values())
        note_accounts(target.caller, directory.monitoring, set(known), begun)


def watched(directory: DayDirectory, day: Day) -> tuple[Monitoring | None, MonitoringStudy | None]:
    """What the samplers of a day saw, and what follows from it; None if there were none."""
    if not has_monitoring(directory.monitoring):
        return None, None
    monitoring = read_monitoring(directory.monitoring)
    labels = {directory.job(job.serial).name: job.label for job in day.jobs}
    told = accounts(directory.monitoring)
    by_label = {
        job.label: told[job.number]
        for job in day.jobs
        if job.number and job.number in told and job.fate != "vanished"
    }
    nodes = [node.name for node in monitoring.nodes]
    return monitoring, study(
        monitoring,
        day,
        labels=labels,
        accounts=by_label,
        pages=watchers(directory.monitoring, nodes),
    )
