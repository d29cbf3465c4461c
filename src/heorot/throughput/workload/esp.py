"""The job mix of ESP-2, the Effective System Performance benchmark: 230 jobs of 14 types.

Each type has a fraction of the machine, a count and a target run time; two jobs, Z, need all of it.
The target times are those of the reference: jobs that keep their processors busy for these times
make the mix a test of the scheduler only. The efficiency of the test is the work of all jobs over
the machine's nodes and the time from first submission to last end.

Variant   The throughput test: all 230 jobs are submitted at once in random order, Z among them.
          The order is drawn by a seed: the reference order belongs to the generator of the
          original. In its multimode test the Z jobs come at given times and must run before all
          waiting jobs, which needs priorities of the batch system; it is not implemented.
Source: A. T. Wong, L. Oliker, W. T. C. Kramer, T. L. Kaltz, D. H. Bailey, ESP: a system utilization
benchmark, SC 2000; W. T. C. Kramer, PERCU: a holistic method for evaluating high performance
computing systems, PhD thesis, UC Berkeley (2008), for the types of ESP-2.
"""

from __future__ import annotations

import numpy as np

from heorot.errors import UsageError
from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload

TYPES: tuple[tuple[str, float, int, float], ...] = (
    ("A", 0.03125, 75, 267.0),
    ("B", 0.06250, 9, 322.0),
    ("C", 0.50000, 3, 534.0),
    ("D", 0.25000, 3, 616.0),
    ("E", 0.50000, 3, 315.0),
    ("F", 0.06250, 9, 1846.0),
    ("G", 0.12500, 6, 1334.0),
    ("H", 0.15820, 6, 1067.0),
    ("I", 0.03125, 24, 1432.0),
    ("J", 0.06250, 24, 725.0),
    ("K", 0.09570, 15, 487.0),
    ("L", 0.12500, 36, 366.0),
    ("M", 0.25000, 15, 187.0),
    ("Z", 1.00000, 2, 100.0),
)
"""Name, fraction of the machine, count, target run time [s] of each type."""


def esp_mix(n_nodes: int, *, seed: int = 0) -> Workload:
    """The jobs of ESP-2 on a machine, all submitted at once.

    Args:
        n_nodes: of the machine; a job's processors are nodes, rounded from its fraction to the
            nearest number, at least one.

    Raises:
        UsageError: there are no nodes.
    """
    if n_nodes < 1:
        raise UsageError("there is no such job mix", "give at least one node")
    kinds = [number for number, (_, _, count, _) in enumerate(TYPES) for _ in range(count)]
    order = np.random.default_rng(seed).permutation(np.array(kinds))
    fractions, seconds = (np.array([each[place] for each in TYPES]) for place in (1, 3))
    jobs = np.full(len(order), UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, len(order) + 1)
    jobs["submit"] = 0.0
    jobs["run"] = jobs["requested_seconds"] = seconds[order]
    jobs["processors"] = np.clip(np.floor(fractions * n_nodes + 0.5), 1, n_nodes)[order]
    jobs["requested_processors"] = jobs["processors"]
    jobs["status"] = 1
    jobs["executable"] = order + 1
    header = {
        "Version": "2.2",
        "Computer": "none: the job mix of ESP-2",
        "MaxJobs": str(len(order)),
        "MaxNodes": str(n_nodes),
        "MaxProcs": str(n_nodes),
        "Note": f"order by seed {seed}",
    }
    names = {"executable": {number: each[0] for number, each in enumerate(TYPES, start=1)}}
    return Workload(Jobs.of(jobs), header, names, source="esp")
