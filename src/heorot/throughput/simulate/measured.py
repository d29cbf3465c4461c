"""The jobs of a real test as a workload, with the measured run times."""

from __future__ import annotations

import numpy as np

from heorot.throughput.model.timeline import Taken, Timeline
from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload
from heorot.throughput.simulate.setting import Reservation


def workload_from_timeline(timeline: Timeline, source: str = "") -> Workload:
    """The jobs of a test as a workload: the same sizes, limits and run times.

    Jobs count as submitted when they became eligible. A job that never started or ended has no run
    time and is left out of simulations.
    """
    order = np.argsort(timeline.eligible, kind="stable")
    jobs = np.zeros(order.size, dtype=JOB)
    for name in JOB.names or ():
        jobs[name] = UNKNOWN
    submit, start, end = (each[order] for each in (timeline.eligible, timeline.start, timeline.end))
    jobs["number"] = order + 1
    jobs["submit"] = np.nan_to_num(submit, nan=np.inf)
    jobs["wait"] = _known(start - submit)
    jobs["run"] = _known(end - start)
    jobs["processors"] = jobs["requested_processors"] = timeline.cores[order]
    jobs["requested_seconds"] = _known(timeline.limit[order])
    jobs["executable"] = timeline.kinds[order] + 1
    # A job that was never eligible has no time of submission.
    keep = np.isfinite(jobs["submit"])
    return Workload(
        jobs=Jobs.of(jobs[keep]),
        names={"executable": {i + 1: name for i, name in enumerate(timeline.kind_names)}},
        processors_per_node=timeline.cores_per_node,
        source=source,
        nodes=timeline.nodes[order][keep],
    )


def reservations_of(taken: Taken, n_nodes: int, begin: float) -> tuple[Reservation, ...]:
    """Nodes held by others during a test, as reservations.

    Args:
        taken: with numbered nodes; parts of nodes are rounded.
        begin: start of the workload, on the clock of the test [s].
    """
    found: list[Reservation] = []
    for since, until, share in zip(taken.begin, taken.end, taken.share, strict=True):
        nodes = min(n_nodes, round(float(share)))
        first, last = max(0.0, float(since) - begin), float(until) - begin
        if not nodes or last <= first:
            continue
        if found and found[-1].nodes == nodes and found[-1].end >= first:
            found[-1] = Reservation(found[-1].begin, last, nodes)
        else:
            found.append(Reservation(first, last, nodes))
    return tuple(found)


def _known(seconds: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
    """Times in the workload's format: -1 for unknown and negative ones [s]."""
    return np.where(np.nan_to_num(seconds, nan=-1.0) >= 0.0, seconds, float(UNKNOWN))
