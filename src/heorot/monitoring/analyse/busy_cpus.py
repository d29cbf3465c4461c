"""The load of all nodes over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heorot.monitoring.model import BusyCpus, Floats, Monitoring, binned

_MOST_SPANS = 4000


@dataclass(frozen=True, eq=False)
class AllNodes:
    """All nodes on one time axis.

    Attributes:
        edges: of the intervals, Unix time, shape (m + 1,) [s].
        busy: busy CPUs of each node, shape (nodes, m); NaN if unknown. Nodes that fell silent
            count as idle.
        cpus: of each node, shape (nodes, m); none before its first sample and after its last.
    """

    edges: Floats
    busy: Floats
    cpus: Floats

    @property
    def middles(self) -> Floats:
        """Middle of each interval, Unix time [s]."""
        middles: Floats = 0.5 * (self.edges[:-1] + self.edges[1:])
        return middles

    @property
    def complete(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Intervals for which all present nodes are known."""
        return np.asarray(np.isfinite(self.busy).all(axis=0))


def all_nodes_of(
    monitoring: Monitoring, begin: float | None = None, end: float | None = None
) -> AllNodes | None:
    """All nodes on one time axis; None without samples.

    Args:
        begin: start of the time axis, Unix time; None for the first sample [s].
        end: its end; None for the last sample [s].
    """
    nodes = monitoring.nodes
    if not nodes:
        return None
    first = min(float(node.times[0] - node.seconds[0]) for node in nodes)
    last = max(float(node.times[-1]) for node in nodes)
    begin, end = max(first, begin or first), min(last, end or last)
    if end <= begin:
        return None
    longest = max(node.interval_seconds for node in nodes)
    step = max(longest, (end - begin) / _MOST_SPANS)
    edges = np.linspace(begin, end, max(1, round((end - begin) / step)) + 1)
    middles = 0.5 * (edges[:-1] + edges[1:])
    busy, cpus = [], []
    for node in nodes:
        there = (middles >= node.times[0] - node.seconds[0]) & (middles <= node.times[-1])
        busy.append(np.where(there, binned(node.times, node.seconds, node.busy, edges), 0.0))
        cpus.append(np.where(there, float(node.cpus), 0.0))
    return AllNodes(edges=edges, busy=np.stack(busy), cpus=np.stack(cpus))


def busy_cpus(whole: AllNodes, monitoring: Monitoring) -> BusyCpus | None:
    """Busy CPUs of all nodes; None if the nodes never answered at the same time."""
    complete = whole.complete
    if not complete.any():
        return None
    total = whole.busy.sum(axis=0)[complete]
    lengths = np.diff(whole.edges)[complete]
    own = [np.nanmean(node.own) for node in monitoring.nodes if np.isfinite(node.own).any()]
    return BusyCpus(
        cpus=int(whole.cpus.sum(axis=0).max()),
        mean=float(np.average(total, weights=lengths)),
        least=float(total.min()),
        most=float(total.max()),
        seconds=float(lengths.sum()),
        sampler=float(np.sum(own)),
    )
