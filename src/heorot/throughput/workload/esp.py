"""The job mix of ESP-2, the Effective System Performance benchmark: 230 jobs of 14 types.

Each type has a fraction of the machine, a count and a target run time; two jobs, Z, want all of it.
The target times are those of the reference: jobs that only keep their processors busy for so long
make the mix a test of the scheduler alone. The efficiency of the test is the work of all jobs by
the machine's nodes and the time from first submission to last end.

Variant   The throughput test: all 230 jobs are submitted in random order, Z among them, at once
          or in blocks. The order is drawn by a seed: the reference order belongs to the generator
          of the original. In the multimode test the Z jobs come at given moments and have to run
          before all that waits. That needs priorities of the batch system: here their moments can
          be given, and their urgency is the site's.
Source: A. T. Wong, L. Oliker, W. T. C. Kramer, T. L. Kaltz, D. H. Bailey, ESP: a system utilization
benchmark, SC 2000; W. T. C. Kramer, PERCU: a holistic method for evaluating high performance
computing systems, PhD thesis, UC Berkeley (2008), for the types of ESP-2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from heorot.errors import UsageError
from heorot.throughput.model.workload import JOB, UNKNOWN, Workload

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
_WHOLE = "Z"


def esp_mix(
    n_nodes: int,
    *,
    seed: int = 0,
    block_jobs: int = 0,
    block_seconds: float = 0.0,
    whole_at: Sequence[float] = (),
) -> Workload:
    """The jobs of ESP-2 on a machine.

    Args:
        n_nodes: of the machine; a job's processors are nodes, as many as come nearest to its
            fraction, and at least one.
        block_jobs: so many jobs are submitted at once; 0 for all.
        block_seconds: between two such blocks [s].
        whole_at: moments at which the two jobs that want the whole machine are submitted [s]; none
            if they are anywhere among the others.

    Raises:
        UsageError: a number cannot be.
    """
    n_whole = next(count for name, _, count, _ in TYPES if name == _WHOLE)
    if n_nodes < 1 or block_jobs < 0 or not block_seconds >= 0:
        hint = "give at least one node, and blocks of some jobs, some seconds apart"
        raise UsageError("there is no such job mix", hint)
    if whole_at and (len(whole_at) != n_whole or not all(moment >= 0 for moment in whole_at)):
        hint = f"give {n_whole} moments, in seconds after the begin"
        raise UsageError("the jobs on the whole machine need a moment each", hint)
    kinds = [number for number, (_, _, count, _) in enumerate(TYPES) for _ in range(count)]
    whole = next(number for number, each in enumerate(TYPES) if each[0] == _WHOLE)
    if whole_at:
        kinds = [kind for kind in kinds if kind != whole]
    order = np.random.default_rng(seed).permutation(np.array(kinds))
    block = np.arange(len(order)) // (block_jobs or len(order))
    submit: npt.NDArray[np.float64] = np.multiply(block, block_seconds, dtype=np.float64)
    if whole_at:
        order = np.concatenate([order, np.full(n_whole, whole)])
        submit = np.concatenate([submit, np.array(whole_at, dtype=np.float64)])
        by_time = np.argsort(submit, kind="stable")
        order, submit = order[by_time], submit[by_time]
    return _workload(order, submit, n_nodes, seed)


def _workload(
    order: npt.NDArray[np.int64],
    submit: npt.NDArray[np.float64],
    n_nodes: int,
    seed: int,
) -> Workload:
    fractions, seconds = (np.array([each[place] for each in TYPES]) for place in (1, 3))
    jobs = np.full(len(order), UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, len(order) + 1)
    jobs["submit"] = submit
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
    return Workload(jobs, header, names, source="esp")
