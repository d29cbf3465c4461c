"""What the nodes did while jobs ran on them, as columns over time, and what was made of it.

All arrays of one node have the same length: one entry for each interval between two samples of it.
NaN is what is not known. Times are Unix times; each node's own clock is believed, but not its
steps.
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
"""Why samples of a node end; silent: without a word."""


@dataclass(frozen=True, eq=False)
class Uses:
    """What groups of processes used, a row for each group, node and interval in which it was there.

    Attributes:
        names: of the groups: marks of jobs, or numbers of users.
        group: index in `names`.
        node: index in `Monitoring.nodes`.
        interval: index in the columns of that node.
        busy: CPUs.
        memory: resident memory, pages that processes share counted for each [B].
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
    """What one node did.

    Attributes:
        cpus: that it has, or may use.
        contained: whether its figures of CPUs, memory, load and disks are those of a computer that
            it shares with other nodes; `busy` and `memory` are then sums over its processes.
        interval_seconds: between two samples, as asked for [s].
        times: end of each interval, Unix time [s].
        seconds: how long each is, by a clock that nobody sets [s].
        busy: CPUs that worked.
        stolen: CPUs that a hypervisor gave to others.
        waiting: CPUs that were idle while a disk was waited for.
        load: processes that want a CPU or wait for a disk, averaged over a minute.
        memory: bytes in use that could not be given to others [B].
        memory_bytes: that the node has [B].
        swap: bytes that were swapped out [B].
        paged: bytes read and written because of paging, files included [B/s].
        swapped: bytes swapped in and out [B/s].
        kills: processes that the kernel ended for want of memory.
        received, sent: by network [B/s].
        errors, drops: packets, of all adapters.
        read, written: by disks [B/s].
        own: CPUs that the sampler itself took.
        cores: share of time that each CPU worked, shape (n, cpus); no columns if contained.
        clock_steps: how far its time was set, and when, Unix time [s].
        offset_seconds: how far its clock is ahead of the one where Heorot ran; None if not known.
        offset_error_seconds: by how much `offset_seconds` may be wrong: half the time that asking
            took [s].
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
    """What passed a port of a switch, or of an adapter as a site's command sees it.

    Attributes:
        times: end of each interval, Unix time [s].
        received, sent: as the port sees it [B/s].
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
    """What all nodes did.

    Attributes:
        nodes: in the order of the machine.
        jobs: what processes of jobs used, by the marks of the jobs.
        users: what all other processes used, by the numbers of their users.
        unwatched: nodes that could not be looked at, and why.
        complaints: lines of files that could not be read, as `FILE:LINE: what`.
    """

    nodes: tuple[NodeLoad, ...] = ()
    jobs: Uses = field(default_factory=Uses)
    users: Uses = field(default_factory=Uses)
    ports: tuple[PortLoad, ...] = ()
    unwatched: dict[str, str] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


def joined(arrays: Sequence[Floats]) -> Floats:
    """Arrays one behind the other; there may be none."""
    return np.concatenate([np.empty(0), *arrays])


def binned(times: Floats, seconds: Floats, values: Floats, edges: Floats) -> Floats:
    """The mean of a quantity over each span, weighted by time; NaN where nothing is known.

    Args:
        times: end of each interval, ascending, shape (n,) [s].
        seconds: how long each is [s].
        values: of each; NaN is not known.
        edges: of the spans, ascending, shape (m + 1,) [s].

    Returns:
        shape (m,), in the unit of the values.
    """
    known = np.isfinite(values)
    ends, lengths, heights = times[known], seconds[known], values[known]
    if not len(ends):
        return np.full(len(edges) - 1, np.nan)
    # A clock that was set may have intervals overlap: none begins before the last one has ended.
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
    """What one job used, by the samples of its nodes.

    Attributes:
        job: its label, or its mark where nobody knows it.
        cpu_seconds: processor time of its processes [s].
        peak_memory_bytes: the most that its processes had at once, over all nodes [B].
        peak_node_bytes: the same on one node [B].
        processes: the most at once.
        read_bytes, written_bytes: by disks [B].
        network_bytes: received and sent by its nodes while no other job used them; None if there
            was no such time [B].
        shared_network_bytes: the same while others did, too [B].
        seconds: for which it was seen [s].
        busy: CPUs that it kept busy on average.
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
    """How many CPUs of all nodes worked over the day.

    Attributes:
        cpus: of all nodes that were watched.
        mean, least, most: busy CPUs over intervals in which all watched nodes answered.
        seconds: of these intervals [s].
        sampler: CPUs that the samplers took, all of them.
    """

    cpus: Count
    mean: NonNegative
    least: NonNegative
    most: NonNegative
    seconds: Seconds
    sampler: NonNegative = 0.0


@dataclass(frozen=True)
class Exported:
    """What the exporter of a node says at one moment.

    Attributes:
        time: its time, Unix time; None if it does not say [s].
        cpu_seconds: that all CPUs have worked [s].
        memory_bytes: in use that could not be given to others; None if it does not say [B].
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
    """What Slurm's accounts say of a job.

    Attributes:
        cpu_seconds: processor time of its steps; None if it was not gathered [s].
        task_bytes: the most memory that one of its tasks had; None if it was not gathered [B].
    """

    cpu_seconds: float | None = None
    task_bytes: float | None = None


class Crossing(Record):
    """One quantity as two of us saw it.

    Attributes:
        what: quantity and whose, such as `CPU seconds of adf3`.
        ours: by the sampler.
        theirs: by the other.
        source: who the other is, such as `sacct`.
    """

    what: str
    ours: NonNegative
    theirs: NonNegative
    source: str
    unit: str
    agrees: bool


class MonitoringStudy(Record):
    """What was made of the samples.

    Attributes:
        busy: CPUs that worked; None without samples.
        jobs: what each job used, those of the day first, in their order.
        findings: most severe first.
    """

    busy: BusyCpus | None = None
    jobs: tuple[JobUse, ...] = ()
    findings: tuple[Finding, ...] = ()
    crossings: tuple[Crossing, ...] = ()
