"""Synthetic timelines from a few rows, throughput tests from a few jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heorot.throughput.model.throughput import ThroughputFacts, ThroughputJob, ThroughputTest
from heorot.throughput.model.timeline import Timeline

BEGUN = 1_000_000.0
"""Unix time of the start of every synthetic test [s]."""

FOUR = (
    # submit, start, end, nodes, places
    (0.0, 0.0, 100.0, 1, (0,)),
    (10.0, 100.0, 150.0, 2, (0, 1)),
    (20.0, 20.0, 60.0, 1, (1,)),
    (30.0, 150.0, 170.0, 1, (0,)),
)
"""Four jobs on two nodes with one core each; the third overtakes the second.

Node 0: job 1 from 0 to 100, job 2 until 150, job 4 until 170. Node 1: job 3 from 20 to 60, job 2
from 100 to 150.
"""


def make_timeline(
    rows: Sequence[tuple[float, float, float, int, tuple[int, ...]]],
    *,
    n_nodes: int = 2,
    cores_per_node: int = 1,
    placed: bool = True,
    **columns: Any,
) -> Timeline:
    """A timeline of one job class, all jobs completed, unless columns override this."""
    n = len(rows)
    submit, start, end = (np.array([row[i] for row in rows], dtype=float) for i in range(3))
    nodes = np.array([row[3] for row in rows], dtype=np.int64)
    known: dict[str, Any] = {
        "kinds": np.zeros(n, dtype=np.int64),
        "kind_names": ("solo",),
        "submit": submit,
        "eligible": submit,
        "start": start,
        "end": end,
        "nodes": nodes,
        "cores": nodes * cores_per_node,
        "limit": np.full(n, np.nan),
        "states": np.zeros(n, dtype=np.int64),
        "state_names": ("ok", "failed", "unfinished", "rejected"),
    }
    if placed:
        known["places"] = np.array([p for row in rows for p in row[4]], dtype=np.int64)
        known["offsets"] = np.cumsum([0, *(len(row[4]) for row in rows)])
    return Timeline(**(known | columns), n_nodes=n_nodes, cores_per_node=cores_per_node)


def make_job(serial: int, kind: str, submit: float, **fields: Any) -> ThroughputJob:
    """A job on one node; times count from the start of the test."""
    moments = (
        *("scheduled", "submitted", "eligible", "allocated", "own_start", "own_end"),
        *("application_start", "application_end", "batch_end"),
    )
    known: dict[str, Any] = {"scheduled": submit, "submitted": submit} | fields
    known = {
        name: BEGUN + value if name in moments and value is not None else value
        for name, value in known.items()
    }
    sizes: dict[str, Any] = {"nodes": 1, "cores": 1}
    return ThroughputJob(serial=serial, label=f"{kind}{serial}", kind=kind, **(sizes | known))


def ran(
    serial: int, kind: str, submit: float, start: float, end: float, **fields: Any
) -> ThroughputJob:
    """A job that started and, by default, ended well."""
    times = {
        "own_start": start,
        "application_start": start,
        "application_end": end,
        "own_end": end,
        "fate": "ok",
    }
    return make_job(serial, kind, submit, **(times | fields))


def make_throughput(
    jobs: Sequence[ThroughputJob], *, n_nodes: int = 2, **fields: Any
) -> ThroughputTest:
    """A test on nodes n0, n1... with one core each."""
    facts = {
        "name": "tuesday",
        "heorot_version": "1",
        "schedule": "schedule.txt",
        "system": "slurm",
        "n_nodes": n_nodes,
        "node_names": tuple(f"n{i}" for i in range(n_nodes)),
        "begun": BEGUN,
    } | fields.pop("facts", {})
    return ThroughputTest(facts=ThroughputFacts(**facts), jobs=tuple(jobs), **fields)
