"""Resources used by each job, from the samples of its nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from heorot.monitoring.analyse.templates import Truths
from heorot.monitoring.model import Floats, Integers, JobUse, Monitoring

# The random suffix that makes the mark of a job unique among jobs of its name.
_UNIQUE = re.compile(r"-[0-9a-f]{12}$")


def job_names(marks: Sequence[str], labels: Mapping[str, str]) -> tuple[str, ...]:
    """The labels of jobs, by their marks.

    Args:
        labels: of jobs, by their marks or the names of their directories.
    """
    directories = [_UNIQUE.sub("", mark).rpartition("/")[2] for mark in marks]
    return tuple(
        labels.get(mark, labels.get(directory, directory))
        for mark, directory in zip(marks, directories, strict=True)
    )


def job_uses(
    monitoring: Monitoring, labels: Mapping[str, str], order: Sequence[str] = ()
) -> tuple[JobUse, ...]:
    """Resources used by each job; jobs with several marks, as after a requeue, are merged.

    Args:
        order: labels of jobs that come first, in their order.
    """
    uses = monitoring.jobs
    names = job_names(uses.names, labels)
    seen = [name for name in order if name in set(names)]
    every = tuple(dict.fromkeys([*seen, *names]))
    numbers = np.array([every.index(name) for name in names], dtype=np.int64)
    job = numbers[uses.group] if len(names) else np.empty(0, dtype=np.int64)
    crowds = _crowds(job, monitoring)
    return tuple(_use(name, job == number, crowds, monitoring) for number, name in enumerate(every))


def _use(name: str, mine: Truths, crowds: Sequence[Integers], whole: Monitoring) -> JobUse:
    uses = whole.jobs
    seconds = _of_nodes(whole, "seconds", uses.node[mine], uses.interval[mine])
    cpu_seconds = float(np.nansum(uses.busy[mine] * seconds))
    moments = np.round(_of_nodes(whole, "times", uses.node[mine], uses.interval[mine]))
    running = uses.n[mine] > 0
    span = float(np.ptp(moments[running]) + np.median(seconds[running])) if running.any() else 0.0
    alone, shared = _network(mine, crowds, whole)
    # The same job on the same node may have two samples of about the same time.
    place = uses.group[mine] * len(whole.nodes) + uses.node[mine]
    return JobUse(
        job=name,
        cpu_seconds=cpu_seconds,
        peak_memory_bytes=_peak(moments, place, uses.memory[mine]),
        peak_node_bytes=float(uses.memory[mine].max(initial=0.0)),
        processes=int(_peak(moments, place, uses.n[mine])),
        read_bytes=float(np.nansum(uses.read[mine])),
        written_bytes=float(np.nansum(uses.written[mine])),
        network_bytes=alone,
        shared_network_bytes=shared,
        seconds=span,
        busy=cpu_seconds / span if span > 0 else 0.0,
    )


def _peak(moments: Floats, place: Integers, amounts: Floats) -> float:
    """The largest sum over all nodes at about the same time, from each node's maximum then."""
    if not len(amounts):
        return 0.0
    order = np.lexsort((place, moments))
    moments, place, amounts = moments[order], place[order], amounts[order]
    is_new = np.concatenate([[True], (np.diff(moments) != 0) | (np.diff(place) != 0)])
    largest = np.maximum.reduceat(amounts, np.flatnonzero(is_new))
    _, moment = np.unique(moments[is_new], return_inverse=True)
    return float(np.bincount(moment, weights=largest).max())


def _of_nodes(whole: Monitoring, column: str, node: Integers, interval: Integers) -> Floats:
    """A column of the nodes for some rows of the groups' uses."""
    values = np.full(len(node), np.nan)
    for number, load in enumerate(whole.nodes):
        mine = node == number
        values[mine] = getattr(load, column)[interval[mine]]
    return values


def _crowds(job: Integers, whole: Monitoring) -> list[Integers]:
    """The number of jobs on each node in each of its intervals."""
    uses = whole.jobs
    crowds = []
    for number, load in enumerate(whole.nodes):
        here = uses.node == number
        pairs = np.unique(np.column_stack([uses.interval[here], job[here]]), axis=0)
        crowds.append(np.bincount(pairs[:, 0], minlength=len(load.times)))
    return crowds


def _network(
    mine: Truths, crowds: Sequence[Integers], whole: Monitoring
) -> tuple[float | None, float]:
    """Bytes of nodes received and sent while only this job used them, and while others did [B]."""
    uses = whole.jobs
    alone, shared, was_alone = 0.0, 0.0, False
    for number, load in enumerate(whole.nodes):
        intervals = np.unique(uses.interval[mine & (uses.node == number)])
        passed = (load.received + load.sent)[intervals] * load.seconds[intervals]
        passed = np.nan_to_num(passed)
        only = crowds[number][intervals] == 1
        alone += float(passed[only].sum())
        shared += float(passed[~only].sum())
        was_alone = was_alone or bool(only.any())
    return (alone if was_alone else None), shared
