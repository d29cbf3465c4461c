"""Estimates a test: jobs, nodes, time of dedicated runs and of the load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from heorot.launch.target import ExecutionTarget
from heorot.model.machine.machine import Machine
from heorot.session.cluster.sites import read_site_file
from heorot.session.inspection import describe_machine
from heorot.throughput.analyse.packing import MOST_JOBS, Work, pack
from heorot.throughput.model.kinds import Arrival, JobKind, JobsFile
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session.conclude import single_user_medians
from heorot.throughput.session.prepare import gather
from heorot.throughput.session.schedulers.node_inventory import resolve_for_throughput, system_of
from heorot.throughput.session.source import find_source, the_jobs
from heorot.throughput.session.work import foreseen
from heorot.throughput.store import ThroughputDirectory
from heorot.throughput.workload.arrivals import check_fits, kind_of
from heorot.units import format_duration, plural

# Time of a job outside its programs: its script, and the batch system [s].
_JOB_SECONDS = 2.0


@dataclass(frozen=True)
class Forecast:
    """Estimate of a test.

    Attributes:
        kinds: of each job class: name, jobs, nodes, seconds of a job or None [s].
        n_alone: dedicated runs before the load.
        system: the batch system that allocates its nodes.
        last: submission of the last job, after the begin [s].
        alone_seconds: of the dedicated runs with an estimate [s].
        load_seconds: of the load, likewise; None without any estimate [s].
        notes: changes made to the jobs.
    """

    kinds: tuple[tuple[str, int, int, float | None], ...]
    n_alone: int
    n_nodes: int
    system: str
    last: float
    alone_seconds: float
    load_seconds: float | None
    notes: tuple[str, ...] = ()
    expected: Mapping[str, float] = field(default_factory=dict)

    @property
    def n_jobs(self) -> int:
        """Jobs of the load."""
        return sum(n for _, n, _, _ in self.kinds)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Job classes without an estimate."""
        return tuple(name for name, _, _, seconds in self.kinds if seconds is None)

    @property
    def lines(self) -> tuple[str, ...]:
        """The estimate in words."""
        single = f"{plural(self.n_alone, 'dedicated run')} first"
        load = f"then {plural(self.n_jobs, 'job')} on {plural(self.n_nodes, 'node')}"
        if not self.n_alone:
            single, load = "no dedicated runs", load.removeprefix("then ")
        elif self.alone_seconds:
            single += f", about {format_duration(self.alone_seconds)}"
        load += f", the last due after {format_duration(self.last)}"
        if self.load_seconds is not None:
            load += f": about {format_duration(self.load_seconds)}"
        lines = [f"{single}; {load}"]
        if self.unknown:
            names = ", ".join(self.unknown[:8])
            lines.append(f"not estimated, and not in these times: {names}")
        return (*self.notes, *lines)


def foresee(
    arrivals: Sequence[Arrival],
    kinds: JobsFile,
    alone: Mapping[str, int],
    machine: Machine,
    n_nodes: int,
    system: str,
    known: Mapping[str, float],
    notes: tuple[str, ...] = (),
) -> Forecast:
    """Estimate a test.

    Args:
        alone: number of dedicated runs of each job class.
        machine: whose nodes the jobs get, or one with equal nodes.
        system: the batch system that allocates its nodes.
        known: single-user times by job class, of an earlier test [s].
        notes: changes made to the jobs.
    """
    times = Counter(arrival.kind for arrival in arrivals)
    jobs = {arrival.kind: kind_of(arrival, kinds) for arrival in reversed(arrivals)}
    seconds = {name: known.get(name, _seconds(kind, machine)) for name, kind in jobs.items()}
    expected = {name: each for name, each in seconds.items() if each is not None}
    return Forecast(
        kinds=tuple((name, n, jobs[name].nodes, seconds[name]) for name, n in times.items()),
        n_alone=sum(alone.values()),
        n_nodes=n_nodes,
        system=system,
        last=max((arrival.at_seconds for arrival in arrivals), default=0.0),
        alone_seconds=sum(n * expected.get(name, 0.0) for name, n in alone.items()),
        load_seconds=_load_seconds(arrivals, jobs, expected, n_nodes),
        notes=notes,
        expected=expected,
    )


def foresee_request(request: ThroughputRequest) -> Forecast:
    """Estimate a test before its directory is written, with nodes like this machine.

    Raises:
        HeorotError: as `throughput`, as far as detectable without a job.
    """
    source = find_source(request)
    site = read_site_file(request.site).site
    target = resolve_for_throughput(request, site)
    machine = describe_machine(None, site)
    n_cores, n_nodes = _cores(target, machine), target.nodes
    arrivals, kinds, notes, _ = the_jobs(source, request, n_nodes, n_cores)
    check_fits(kinds, arrivals, n_nodes, n_cores, jobs_file=source.jobs)
    repeats = 0 if request.alone_from else request.alone
    alone = Counter({arrival.kind: repeats for arrival in arrivals})
    known: dict[str, float] = {}
    if request.alone_from is not None:
        earlier = ThroughputDirectory.open_prepared(request.alone_from)
        known = single_user_medians(earlier, gather(earlier))
    return foresee(arrivals, kinds, alone, machine, n_nodes, system_of(target), known, notes)


def _cores(target: ExecutionTarget, machine: Machine) -> int:
    """Cores of a node in its batch system; else those of this machine."""
    notes = (node.cores for node in target.node_states() if node.takes_jobs and node.cores)
    return min(notes, default=machine.node.limits.n_usable_cores)


def _load_seconds(
    arrivals: Sequence[Arrival],
    jobs: Mapping[str, JobKind],
    expected: Mapping[str, float],
    n_nodes: int,
) -> float | None:
    chosen = [arrival for arrival in arrivals if arrival.kind in expected]
    if not chosen or len(chosen) > MOST_JOBS:
        return None
    submit = np.array([arrival.at_seconds for arrival in chosen])
    run = np.array([expected[arrival.kind] for arrival in chosen])
    nodes = [arrival.nodes or jobs[arrival.kind].nodes for arrival in chosen]
    width = np.minimum(n_nodes, nodes)
    first = float(submit.min())
    packed = pack(Work(submit, run, width, n_nodes), np.arange(len(chosen)))
    return max(first + packed, arrivals[-1].at_seconds)


def _seconds(kind: JobKind, machine: Machine) -> float | None:
    """Dedicated run time of a job, if all its programs have estimates [s]."""
    parts = [foreseen(part, kind, machine) for part in kind.parts]
    if any(each is None for each in parts):
        return None
    total = _JOB_SECONDS + sum(each.needs.seconds for each in parts if each is not None)
    return min(total, kind.time_limit_seconds or total)
