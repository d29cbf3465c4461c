"""Reads all samples in a directory: nodes, ports of switches, and unmonitored nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from heorot.model.base import Record, UnixTime
from heorot.monitoring.collect.loads import Spent, load_of
from heorot.monitoring.collect.ports import PORTS, read_ports
from heorot.monitoring.collect.samples import read_samples
from heorot.monitoring.model import Monitoring, NodeLoad, Uses
from heorot.store.documents import read_lines

SUFFIX = ".samples"
"""Suffix of the file of a node's samples."""
CLOCKS = "clocks.jsonl"
"""File of the answers of the nodes' clocks, in the directory of the samples."""

_NO_SAMPLES = "it left no samples"


class ClockAnswer(Record):
    """Answer of a node's clock.

    Attributes:
        `asked`, `told`: times of query and answer by the collector's clock, Unix time [s].
        time: the node's clock, Unix time [s].
    """

    node: str
    asked: UnixTime
    time: UnixTime
    told: UnixTime


def read_monitoring(
    directory: Path,
    nodes: Sequence[str] = (),
    *,
    unwatched: Mapping[str, str] | None = None,
    latest: int | None = None,
) -> Monitoring:
    """The activity of the nodes.

    Args:
        nodes: the expected nodes, in order; all others with samples follow.
        unwatched: nodes that were certainly not monitored, and why.
        latest: number of last lines of each node to read; None reads all.
    """
    there = sorted(path.name.removesuffix(SUFFIX) for path in directory.glob(f"*{SUFFIX}"))
    missing = dict(unwatched or {})
    loads: list[NodeLoad] = []
    spent: list[list[Spent]] = []
    ports, complaints = read_ports(directory / PORTS)
    clocks = read_clocks(directory)
    for name in dict.fromkeys([*nodes, *there]):
        samples = read_samples(directory / f"{name}{SUFFIX}", latest)
        complaints += samples.complaints
        if not any(len(segment.rows) > 1 for segment in samples.segments):
            missing.setdefault(name, _NO_SAMPLES)
            continue
        load, groups = load_of(name, samples)
        offset, error = clocks.get(name, (None, 0.0))
        loads.append(replace(load, offset_seconds=offset, offset_error_seconds=error))
        spent.append(groups)
    watched = {load.name for load in loads}
    return Monitoring(
        nodes=tuple(loads),
        jobs=_uses(spent, {"j"}),
        users=_uses(spent, {"u", "k"}),
        ports=ports,
        unwatched={name: why for name, why in missing.items() if name not in watched},
        complaints=tuple(complaints),
    )


def _uses(spent: Sequence[Sequence[Spent]], kinds: set[str]) -> Uses:
    """Columns of the groups of some kinds; `spent` is by node."""
    rows = [
        (node, each) for node, groups in enumerate(spent) for each in groups if each.kind in kinds
    ]
    # The kernel is not a user; it has no number.
    named = [each.name if each.kind != "k" else "kernel" for _, each in rows]
    names = tuple(dict.fromkeys(named))
    index = {name: i for i, name in enumerate(names)}

    def column(what: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([getattr(each, what) for _, each in rows], dtype=np.float64)

    return Uses(
        names=names,
        group=np.array([index[name] for name in named], dtype=np.int64),
        node=np.array([node for node, _ in rows], dtype=np.int64),
        interval=np.array([each.interval for _, each in rows], dtype=np.int64),
        busy=column("busy"),
        memory=column("memory"),
        n=column("n"),
        read=column("read"),
        written=column("written"),
    )


def read_clocks(directory: Path) -> dict[str, tuple[float, float]]:
    """Each node's clock minus the collector's, and its error [s].

    The offset is the node's time minus the middle between query and answer, with an error of half
    the time between them. Of several answers the fastest is used.
    Source: F. Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989.
    """
    best: dict[str, tuple[float, float]] = {}
    for answer in read_lines(directory / CLOCKS, ClockAnswer):
        error = 0.5 * (answer.told - answer.asked)
        # Our own clock was set meanwhile: the offset is unknown.
        if error < 0:
            continue
        if answer.node not in best or error < best[answer.node][1]:
            best[answer.node] = (answer.time - 0.5 * (answer.asked + answer.told), error)
    return best
