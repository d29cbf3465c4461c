"""Synthetic nodes and throughput tests, as simple as possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heorot.monitoring.model import Floats, NodeLoad, Uses
from heorot.throughput.model.throughput import ThroughputFacts, ThroughputJob, ThroughputTest

BEGIN = 1_700_000_000.0


def make_node(name: str = "n1", n: int = 10, **columns: Any) -> NodeLoad:
    """A node of four CPUs that is idle for a number of intervals of a second.

    Args:
        name: of the node.
        n: intervals.
        columns: what else it does; a single number stands for all intervals.
    """
    times = BEGIN + 1.0 + np.arange(n)
    zeros = np.zeros(n)
    fields: dict[str, Any] = {
        "name": name,
        "cpus": 4,
        "contained": False,
        "interval_seconds": 1.0,
        "ending": "stop",
        "times": times,
        "seconds": np.ones(n),
        "memory_bytes": 100.0,
        "cores": np.zeros((n, 4)),
    }
    for column in (
        *("busy", "stolen", "waiting", "load", "memory", "swap", "paged", "swapped", "kills"),
        *("received", "sent", "errors", "drops", "read", "written", "own"),
    ):
        value = columns.pop(column, zeros)
        several = isinstance(value, list | np.ndarray)
        fields[column] = np.asarray(value, float) if several else np.full(n, float(value))
    return NodeLoad(**fields | columns)


def make_uses(names: Sequence[str], rows: Sequence[tuple[int, int, int, float, float]]) -> Uses:
    """Resources used by groups.

    Args:
        names: of the groups.
        rows: group, node, interval, busy CPUs, memory; each has one process and moves 8 bytes.
    """
    table: Floats = np.array(rows, dtype=float).reshape(-1, 5)
    ones = np.ones(len(table))
    return Uses(
        names=tuple(names),
        group=table[:, 0].astype(int),
        node=table[:, 1].astype(int),
        interval=table[:, 2].astype(int),
        busy=table[:, 3],
        memory=table[:, 4],
        n=ones,
        read=8 * ones,
        written=8 * ones,
    )


def make_job(
    label: str, submitted: float, start: float | None, end: float | None, **more: Any
) -> ThroughputJob:
    """A job; times count from the begin of the test [s]."""

    def moment(seconds: float | None) -> float | None:
        return None if seconds is None else BEGIN + seconds

    facts: dict[str, Any] = {"serial": 1, "kind": "k", "nodes": 1, "cores": 4, "fate": "ok"}
    return ThroughputJob(
        label=label,
        scheduled=BEGIN + submitted,
        submitted=BEGIN + submitted,
        own_start=moment(start),
        own_end=moment(end),
        **facts | more,
    )


def make_throughput(*jobs: ThroughputJob) -> ThroughputTest:
    """A throughput test with these jobs."""
    return ThroughputTest(
        facts=ThroughputFacts(name="d", heorot_version="1", schedule="s", begun=BEGIN), jobs=jobs
    )
