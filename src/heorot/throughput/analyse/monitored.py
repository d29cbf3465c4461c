"""Samples of the nodes during a test: resources used by jobs, and contradictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from heorot.analyse.templates.quantities import exactly, limit
from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.busy_cpus import AllNodes, all_nodes_of, busy_cpus
from heorot.monitoring.analyse.crossings import cross_accounts, cross_exporter
from heorot.monitoring.analyse.job_uses import job_names, job_uses
from heorot.monitoring.analyse.resources import find_resources
from heorot.monitoring.analyse.templates import Row, Truths, describe
from heorot.monitoring.analyse.unreliable import find_unreliable
from heorot.monitoring.model import (
    Accounted,
    Crossing,
    Exported,
    Floats,
    Monitoring,
    MonitoringStudy,
)
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest
from heorot.units import format_duration, format_quantity

_ORDER = {"error": 0, "warning": 1, "note": 2}
_IDLE_SHARE = 0.10
_MUCH_IDLE_SHARE = 0.25
_WAITING_SECONDS = 5.0
# Processes may need a moment to end, and batch systems to clean up [s].
_GRACE_SECONDS = 5.0
_GRACE_INTERVALS = 3.0


def analyse_monitoring(
    monitoring: Monitoring,
    test: ThroughputTest | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    accounts: Mapping[str, Accounted] | None = None,
    pages: Mapping[str, Mapping[str, tuple[Exported, Exported]]] | None = None,
) -> MonitoringStudy:
    """Analyse the samples.

    Args:
        labels: of jobs, by their marks or the names of their directories; the directory names a
            job without one.
        accounts: of Slurm, by label of the job.
        pages: of each other monitor, by its name: for each node its values at begin and end.
    """
    labels = labels or {}
    facts = test.facts if test else None
    whole = all_nodes_of(monitoring, facts.begun if facts else None, facts.ended if facts else None)
    order = [job.label for job in test.jobs] if test else []
    uses = job_uses(monitoring, labels, order)
    crossings = [
        *cross_accounts(uses, accounts or {}, "sacct"),
        *(
            crossing
            for name, exported in (pages or {}).items()
            for crossing in cross_exporter(monitoring, exported, name)
        ),
    ]
    findings = [*find_unreliable(monitoring), *find_resources(monitoring), *_disputes(crossings)]
    if test is not None:
        if whole is not None:
            findings += _find_idle(test, whole, [node.name for node in monitoring.nodes])
        findings += _find_out_of_place(test, monitoring, labels)
    return MonitoringStudy(
        busy=busy_cpus(whole, monitoring) if whole else None,
        jobs=uses,
        findings=tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity])),
        crossings=tuple(crossings),
    )


def _disputes(crossings: Sequence[Crossing]) -> list[Finding]:
    rows = [
        (
            crossing.what,
            format_quantity(crossing.ours, crossing.unit),
            format_quantity(crossing.theirs, crossing.unit),
            crossing.source,
        )
        for crossing in crossings
        if not crossing.agrees
    ]
    return describe(templates.DIFFERENT, rows)


def _find_idle(test: ThroughputTest, whole: AllNodes, names: Sequence[str]) -> list[Finding]:
    """CPUs idle while jobs waited: those without a job, and those of running jobs."""
    lengths = np.diff(whole.edges)
    counts = whole.complete & (_waiting(test, whole.middles) > 0)
    seconds = float(lengths[counts].sum())
    if seconds < _WAITING_SECONDS:
        return []
    idle = np.maximum(0.0, whole.cpus - whole.busy)[:, counts]
    held = _held(test, whole.middles, names)[:, counts]
    weights = lengths[counts]
    free = float(np.average((idle * ~held).sum(axis=0), weights=weights))
    under_jobs = float(np.average((idle * held).sum(axis=0), weights=weights))
    cpus = float(np.average(whole.cpus.sum(axis=0)[counts], weights=weights))
    share = (free + under_jobs) / cpus
    if share < _IDLE_SHARE:
        return []
    return [
        templates.IDLE(
            severity="warning" if share >= _MUCH_IDLE_SHARE else "note",
            evidence=(f"{format_duration(seconds)} with waiting jobs",),
            idle=exactly(free + under_jobs),
            cpus=exactly(cpus),
            free=exactly(free),
            under_jobs=exactly(under_jobs),
            seconds=exactly(seconds, "s"),
            least=limit(_IDLE_SHARE),
        )
    ]


def _waiting(test: ThroughputTest, moments: Floats) -> Floats:
    """Number of eligible waiting jobs at each time."""
    waiting = np.zeros(len(moments))
    for job in test.jobs:
        since = job.eligible if job.eligible is not None else job.submitted
        if since is not None:
            until = job.start if job.start is not None else job.end
            waiting += (moments >= since) & (moments < (np.inf if until is None else until))
    return waiting


def _held(test: ThroughputTest, moments: Floats, names: Sequence[str]) -> Truths:
    """Whether each node had a job at each time, shape (nodes, times)."""
    held = np.zeros((len(names), len(moments)), dtype=bool)
    index = {name: number for number, name in enumerate(names)}
    for job in test.jobs:
        if job.start is None:
            continue
        end = np.inf if job.end is None else job.end
        for host in job.hosts:
            if host in index:
                held[index[host]] |= (moments >= job.start) & (moments < end)
    return held


def _find_out_of_place(
    test: ThroughputTest, monitoring: Monitoring, labels: Mapping[str, str]
) -> list[Finding]:
    """Processes of jobs after their end or on nodes of other jobs."""
    jobs = {job.label: job for job in test.jobs}
    uses = monitoring.jobs
    leftovers: list[Row] = []
    strays: list[Row] = []
    for group, name in enumerate(job_names(uses.names, labels)):
        if name not in jobs:
            continue
        for number, node in enumerate(monitoring.nodes):
            here = (uses.group == group) & (uses.node == number) & (uses.n > 0)
            if not here.any():
                continue
            times = node.times[uses.interval[here]]
            job, n, busy = jobs[name], uses.n[here], uses.busy[here]
            late = _late(job, times, node.interval_seconds)
            if late.any() and job.end is not None:
                spent = float((busy * node.seconds[uses.interval[here]])[late].sum())
                left = format_duration(float(times[late].max()) - job.end)
                most, took = f"{n[late].max():.0f}", format_quantity(spent, "s")
                leftovers.append((node.name, name, most, left, took))
            if job.hosts and node.name not in job.hosts:
                strays.append((node.name, name, f"{n.max():.0f}"))
    return [
        *describe(templates.LEFT_OVER, leftovers, n=len({row[1] for row in leftovers})),
        *describe(templates.STRAYED, strays, n=len({row[1] for row in strays})),
    ]


def _late(job: ThroughputJob, times: Floats, interval: float) -> Truths:
    """Which times are after the end of a job, with a tolerance."""
    if job.end is None:
        return np.zeros(len(times), dtype=bool)
    grace = max(_GRACE_SECONDS, _GRACE_INTERVALS * interval)
    return np.asarray(times > job.end + grace)
