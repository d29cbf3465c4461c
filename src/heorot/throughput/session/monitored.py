"""Monitors the nodes while the jobs of a test run, and analyses the samples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from heorot.errors import HeorotError, RunError
from heorot.jobs.facts import read_facts
from heorot.launch.target import ExecutionTarget
from heorot.monitoring.model import Monitoring, MonitoringStudy
from heorot.monitoring.session.external_monitors import (
    accounts,
    note_accounts,
    note_watchers,
    watchers,
)
from heorot.monitoring.session.sampled_hosts import Watch
from heorot.monitoring.session.sampling import find_monitor, start, stop
from heorot.monitoring.store import has_monitoring, read_monitoring, write_monitoring
from heorot.throughput.analyse.monitored import analyse_monitoring
from heorot.throughput.model.throughput import ThroughputTest
from heorot.throughput.session.view import ThroughputView
from heorot.throughput.store import ThroughputDirectory

# Samplers end by themselves at this time after the last submission, times the factor by which a
# test may exceed its schedule [s].
_SPARE_SECONDS = 4 * 3600.0
_LONGER = 4.0


@contextmanager
def monitored(
    directory: ThroughputDirectory, target: ExecutionTarget, view: ThroughputView
) -> Iterator[Watch | None]:
    """Run samplers on all nodes meanwhile; without them the test runs all the same."""
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
        directory.throughput_facts().node_names,
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


def _note_accounts(directory: ThroughputDirectory, target: ExecutionTarget) -> None:
    """Store Slurm's accounts of all jobs with the samples."""
    if target.client is None or target.client.dialect.system != "slurm":
        return
    known: dict[str, float] = {}
    for number in directory.job_numbers():
        with suppress(RunError):  # it was never written
            facts = read_facts(directory.job(number))
            # The id of a lost job may have been reused.
            lost = facts is not None and facts.state == "vanished"
            if facts and facts.id and facts.submitted is not None and not lost:
                known[facts.id] = facts.submitted
    if known:
        begun = min(known.values())
        note_accounts(target.client, directory.monitoring, set(known), begun)


def watched(
    directory: ThroughputDirectory, test: ThroughputTest
) -> tuple[Monitoring | None, MonitoringStudy | None]:
    """The samples of a test, and their analysis; None if there are none."""
    if not has_monitoring(directory.monitoring):
        return None, None
    monitoring = read_monitoring(directory.monitoring)
    labels = {directory.job(job.serial).name: job.label for job in test.jobs}
    accounted = accounts(directory.monitoring)
    by_label = {
        job.label: accounted[job.number]
        for job in test.jobs
        if job.number and job.number in accounted and job.fate != "vanished"
    }
    nodes = [node.name for node in monitoring.nodes]
    return monitoring, analyse_monitoring(
        monitoring,
        test,
        labels=labels,
        accounts=by_label,
        pages=watchers(directory.monitoring, nodes),
    )
