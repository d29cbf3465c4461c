"""The activity of nodes while jobs ran on them, as columns over time, and its analysis.

All arrays of one node have the same length: one entry for each interval between two samples. NaN
means unknown. Times are Unix times of the node's own clock, corrected for its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from heorot.model.analysis.result import Finding
from heorot.model.base import Count, NonNegative, Record, Seconds

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Ending = Literal["stop", "time", "signal", "silent"]
"""Why samples of a node end; silent: without an end line."""


@dataclass(frozen=True, eq=False)
class Uses:
    """Resources used by groups of processes, a row for each group, node and interval.

    Attributes:
        names: of the groups: marks of jobs, or numbers of users.
        group: index in `names`.
        node: index in `Monitoring.nodes`.
        interval: index in the columns of that node.
        busy: busy CPUs.
        memory: resident memory; shared pages count for each process [B].
        n: processes.
        read, written: of disks [B].
    """

    names: tuple[str, ...] = ()
    group: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    node: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    interval: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    busy: Floats = field(default_factory=lambda: np.empty(0))
    memory: Floats = field(default_factory=lambda: np.empty(0))
    n: Floats = field(default_factory=lambda: np.empty(0))
    read: Floats = field(default_factory=lambda: np.empty(0))
    written: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, eq=False)
class NodeLoad:
    """The activity of one node.

    Attributes:
        cpus: its CPUs, or those that it may use.
        contained: whether its figures of CPUs, memory, load and disks are those of a computer that
            it shares with other nodes; `busy` and `memory` are then sums over its processes.
        interval_seconds: requested time between two samples [s].
        times: end of each interval, Unix time [s].
        seconds: length of each, by the monotonic clock [s].
        busy: busy CPUs.
        stolen: CPUs that a hypervisor gave to others.
        waiting: CPUs that were idle during disk operations.
        load: processes that need a CPU or wait for a disk, averaged over a minute.
        memory: bytes in use that are not reclaimable [B].
        memory_bytes: memory of the node [B].
        swap: bytes swapped out [B].
        paged: bytes read and written by paging, files included [B/s].
        swapped: bytes swapped in and out [B/s].
        kills: processes killed by the kernel for lack of memory.
        received, sent: by network [B/s].
        errors, drops: packets, of all adapters.
        read, written: by disks [B/s].
        own: CPUs used by the sampler itself.
        cores: busy share of each CPU, shape (n, cpus); no columns if contained.
        clock_steps: steps of its clock, and their times, Unix time [s].
        offset_seconds: its clock minus that of Heorot's host; None if unknown.
        offset_error_seconds: error of `offset_seconds`: half the time between query and answer
            [s].
    """

    name: str
    cpus: int
    contained: bool
    interval_seconds: float
    ending: Ending
    times: Floats
    seconds: Floats
    busy: Floats
    stolen: Floats
    waiting: Floats
    load: Floats
    memory: Floats
    memory_bytes: float
    swap: Floats
    paged: Floats
    swapped: Floats
    kills: Floats
    received: Floats
    sent: Floats
    errors: Floats
    drops: Floats
    read: Floats
    written: Floats
    own: Floats
    cores: Floats
    clock_steps: tuple[tuple[float, float], ...] = ()
    offset_seconds: float | None = None
    offset_error_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class PortLoad:
    """The traffic of a port of a switch, or of an adapter in the output of a site's command.

    Attributes:
        times: end of each interval, Unix time [s].
        received, sent: from the port's point of view [B/s].
        errors, drops: packets.
    """

    name: str
    times: Floats
    received: Floats
    sent: Floats
    errors: Floats
    drops: Floats


@dataclass(frozen=True, eq=False)
class Monitoring:
    """The activity of all nodes.

    Attributes:
        nodes: in the order of the machine.
        jobs: resources used by processes of jobs, by the marks of the jobs.
        users: resources used by all other processes, by the numbers of their users.
        unwatched: nodes that were not monitored, and why.
        complaints: invalid lines of files, as `FILE:LINE: what`.
    """

    nodes: tuple[NodeLoad, ...] = ()
    jobs: Uses = field(default_factory=Uses)
    users: Uses = field(default_factory=Uses)
    ports: tuple[PortLoad, ...] = ()
    unwatched: dict[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


def joined(arrays: Sequence[Floats]) -> Floats:
    """Concatenated arrays; there may be none."""
    return np.concatenate([np.empty(0), *arrays])


def binned(times: Floats, seconds: Floats, values: Floats, edges: Floats) -> Floats:
    """The time-weighted mean of a quantity over intervals; NaN if unknown.

    Args:
        times: end of each interval, ascending, shape (n,) [s].
        seconds: length of each [s].
        values: of each; NaN if unknown.
        edges: of the intervals, ascending, shape (m + 1,) [s].

    Returns:
        shape (m,), in the unit of the values.
    """
    known = np.isfinite(values)
    ends, lengths, heights = times[known], seconds[known], values[known]
    if not len(ends):
        return np.full(len(edges) - 1, np.nan)
    # After a clock step intervals may overlap: none begins before the end of the last one.
    starts = np.maximum(ends - lengths, np.concatenate([[-np.inf], ends[:-1]]))
    lengths = np.maximum(ends - starts, 0.0)
    corners = np.ravel(np.column_stack([starts, ends]))
    covered, sums = (
        np.interp(edges, corners, np.ravel(np.column_stack([total - part, total])))
        for part in (lengths, lengths * heights)
        for total in (np.cumsum(part),)
    )
    span = np.diff(covered)
    seen = span > 1e-9 * np.maximum(1.0, np.diff(edges))
    means = np.full(len(span), np.nan)
    means[seen] = np.diff(sums)[seen] / span[seen]
    return means


class JobUse(Record):
    """The resources used by one job, from the samples of its nodes.

    Attributes:
        job: its label, or its mark if that is unknown.
        cpu_seconds: CPU time of its processes [s].
        peak_memory_bytes: peak over time of the sum over all nodes [B].
        peak_node_bytes: the peak on one node [B].
        processes: largest number at a time.
        read_bytes, written_bytes: by disks [B].
        network_bytes: received and sent by its nodes while no other job used them; None without
            such a time [B].
        shared_network_bytes: the same while other jobs used them, too [B].
        seconds: time for which it was sampled [s].
        busy: mean of its busy CPUs.
    """

    job: str
    cpu_seconds: Seconds
    peak_memory_bytes: NonNegative
    peak_node_bytes: NonNegative
    processes: Count
    read_bytes: NonNegative
    written_bytes: NonNegative
    network_bytes: NonNegative | None = None
    shared_network_bytes: NonNegative = 0.0
    seconds: Seconds = 0.0
    busy: NonNegative = 0.0


class BusyCpus(Record):
    """Busy CPUs of all nodes over the throughput test.

    Attributes:
        cpus: of all monitored nodes.
        mean, least, most: busy CPUs over intervals in which all monitored nodes answered.
        seconds: of these intervals [s].
        sampler: CPUs used by the samplers, all of them.
    """

    cpus: Count
    mean: NonNegative
    least: NonNegative
    most: NonNegative
    seconds: Seconds
    sampler: NonNegative = 0.0


@dataclass(frozen=True)
class Exported:
    """One output of the exporter of a node.

    Attributes:
        time: its time, Unix time; None if it has none [s].
        cpu_seconds: busy time of all CPUs [s].
        memory_bytes: in use and not reclaimable; None if it has none [B].
        received, sent, drops: bytes and lost packets of adapters so far.
    """

    time: float | None = None
    cpu_seconds: float = 0.0
    memory_bytes: float | None = None
    received: float = 0.0
    sent: float = 0.0
    drops: float = 0.0


@dataclass(frozen=True)
class Accounted:
    """The entry of a job in Slurm's accounts.

    Attributes:
        cpu_seconds: processor time of its steps; None if it was not gathered [s].
        task_bytes: largest memory of one of its tasks; None if it was not gathered [B].
    """

    cpu_seconds: float | None = None
    task_bytes: float | None = None


class Crossing(Record):
    """One quantity according to the samplers and to another source.

    Attributes:
        what: quantity and whose, such as `CPU seconds of adf3`.
        ours: according to the samplers.
        theirs: according to the other source.
        source: the other source, such as `sacct`.
    """

    what: str
    ours: NonNegative
    theirs: NonNegative
    source: str
    unit: str
    agrees: bool


class MonitoringStudy(Record):
    """The analysis of the samples.

    Attributes:
        busy: busy CPUs; None without samples.
        jobs: resources used by each job, those of the test first, in their order.
        findings: most severe first.
    """

    busy: BusyCpus | None = None
    jobs: tuple[JobUse, ...] = ()
    findings: tuple[Finding, ...] = ()
    crossings: tuple[Crossing, ...] = ()
