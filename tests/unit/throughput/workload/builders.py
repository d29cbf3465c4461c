"""Traces for the tests of workloads."""

from __future__ import annotations

import numpy as np

from heorot.throughput.model.workload import JOB, UNKNOWN, Table


def trace(n: int, seed: int = 1) -> Table:
    """Table with plausible numbers in all columns, some of them unknown, in order."""
    rng = np.random.default_rng(seed)
    jobs = np.full(n, UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, n + 1)
    jobs["submit"] = np.sort(rng.integers(0, 1_000_000, n))
    jobs["wait"] = rng.integers(-1, 1000, n)
    jobs["run"] = rng.integers(-1, 100_000, n)
    jobs["processors"] = rng.integers(1, 129, n)
    jobs["cpu_seconds"] = np.round(rng.random(n) * 1000, 2)
    jobs["memory_kib"] = rng.random(n)
    jobs["requested_processors"] = jobs["processors"]
    jobs["status"] = rng.choice([-1, 0, 1, 5], n)  # 2, 3 and 4 are of parts of jobs
    jobs["user"] = rng.integers(1, 50, n)
    return jobs
