"""Jobs of a workload as rows, for comparisons."""

from __future__ import annotations

import numpy as np

from heorot.throughput.model.workload import COLUMNS, JOB, Jobs, Table


def table_of(jobs: Jobs) -> Table:
    """The jobs as an array of type `JOB`."""
    table = np.empty(jobs.size, dtype=JOB)
    for name in COLUMNS:
        table[name] = jobs[name]
    return table
