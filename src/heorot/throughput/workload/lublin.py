"""Synthetic workloads by the model of Lublin and Feitelson: batch jobs of a parallel machine.

Size      With probability 0.2927 one node. Else 2^u nodes, where u is uniform in [1.2, m] with
          probability 0.875 and in [m, h] otherwise; h is log2 of the machine's nodes, m = h - 2 as
          in the authors' parameters for 128 nodes (they recommend h - 3.5 to h - 1.5). For 0.6686
          of all jobs u is rounded: a power of two.
Run time  exp(x) seconds, x from gamma(6.57, 0.823) with probability p, else from
          gamma(639.1, 0.0156); p = 0.6986 - 0.003 nodes, kept within [0, 1]. Values of x above 12
          (45 hours) are drawn again.
Arrivals  Gaps of exp(x) seconds in a time scaled by the arrival rate, x from
          gamma(6.0415 * 1.0519, 0.8531), drawn again above 13; the daily cycle from
          gamma(6.1271, 5.2740 half hours).
Load      Work of all jobs over the capacity of the machine until the last arrival. For a given load
          all gaps are scaled by the same factor, and the length of the cycle with them.

Requested times are not part of the model: jobs request their run times.
Source: U. Lublin, D. G. Feitelson, The workload on parallel supercomputers: modeling the
characteristics of rigid jobs, J. Parallel and Distributed Computing 63 (2003) 1105-1122; parameters
of batch jobs as in the authors' program lublin99, which generates them separately, too.
"""

from __future__ import annotations

import numpy as np

from heorot.errors import UsageError
from heorot.throughput.model.timeline import Floats, Integers
from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload
from heorot.throughput.workload.poisson import BUCKET_SECONDS, by_the_clock

_SERIAL, _POWER_OF_TWO = 0.2927, 0.6686
_LOW, _BELOW_HIGH, _FIRST_STAGE = 1.2, 2.0, 0.875
_RUN = ((6.57, 0.823), (639.1, 0.0156))
_RUN_SLOPE, _RUN_SHARE, _LONGEST_RUN = -0.003, 0.6986, 12.0
_GAP, _LONGEST_GAP = (6.0415 * 1.0519, 0.8531), 13.0
_MOST_JOBS = 100_000_000


def lublin(n_jobs: int, n_nodes: int, seed: int, load: float | None = None) -> Workload:
    """Draw jobs from the model.

    Args:
        n_nodes: of the machine; a job's processors are nodes.
        seed: of the generator; equal seeds give equal jobs.
        load: offered load as a share of capacity, 0.87 for 87 %; None for the load that the model
            yields.

    Raises:
        UsageError: a number is out of bounds.
    """
    if not 1 <= n_jobs <= _MOST_JOBS or n_nodes < 1:
        hint = f"1 to {_MOST_JOBS} jobs on at least one node"
        raise UsageError(f"there is no workload of {n_jobs} jobs on {n_nodes} nodes", hint)
    if load is not None and not 0.0 < load < 1e6:  # noqa: PLR2004 (a larger one is an error)
        raise UsageError(f"the load {load} cannot be", "give a positive number, such as 0.87")
    rng = np.random.default_rng(seed)
    nodes = _sizes(rng, n_jobs, n_nodes)
    run = _run_times(rng, nodes)
    gaps = np.exp(_gamma_below(rng, np.full((n_jobs, 2), _GAP), _LONGEST_GAP))
    submit = by_the_clock(np.cumsum(gaps) / BUCKET_SECONDS)
    submit -= submit[0]
    if load is not None and submit[-1] > 0:
        submit *= float(nodes @ run) / n_nodes / submit[-1] / load
    jobs = np.full(n_jobs, UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, n_jobs + 1)
    jobs["submit"] = np.round(submit, 3)
    jobs["run"] = jobs["requested_seconds"] = run
    jobs["processors"] = jobs["requested_processors"] = nodes
    jobs["status"] = 1
    header = {
        "Version": "2.2",
        "Computer": "none: the model of Lublin and Feitelson, 2003, batch jobs",
        "MaxJobs": str(n_jobs),
        "MaxNodes": str(n_nodes),
        "MaxProcs": str(n_nodes),
        "Note": f"seed {seed}, load {'as it comes' if load is None else f'{load:g}'}",
    }
    return Workload(Jobs.of(jobs), header, source="lublin")


def _sizes(rng: np.random.Generator, n: int, n_nodes: int) -> Integers:
    high = np.log2(n_nodes)
    low = min(_LOW, high)
    middle = max(low, high - _BELOW_HIGH)
    sort, stage, place = rng.random(n), rng.random(n), rng.random(n)
    first = stage <= _FIRST_STAGE
    exponent = np.where(first, low + place * (middle - low), middle + place * (high - middle))
    exponent = np.where(sort <= _SERIAL + _POWER_OF_TWO, np.floor(exponent + 0.5), exponent)
    nodes = np.clip(np.floor(2.0**exponent + 0.5), 1, n_nodes)
    serial = (sort <= _SERIAL) | (n_nodes == 1)
    return np.where(serial, 1, nodes).astype(np.int64)


def _run_times(rng: np.random.Generator, nodes: Integers) -> Floats:
    share = np.clip(_RUN_SLOPE * nodes + _RUN_SHARE, 0.0, 1.0)
    which = (rng.random(len(nodes)) > share).astype(np.int64)
    logarithms = _gamma_below(rng, np.array(_RUN)[which], _LONGEST_RUN)
    return np.maximum(1.0, np.floor(np.exp(logarithms)))


def _gamma_below(rng: np.random.Generator, parameters: Floats, most: float) -> Floats:
    """Random numbers with gamma distributions; values above a bound are drawn again.

    Args:
        parameters: shape and scale of each, shape (n, 2).
    """
    values = rng.gamma(parameters[:, 0], parameters[:, 1])
    while (above := np.flatnonzero(values > most)).size:
        values[above] = rng.gamma(parameters[above, 0], parameters[above, 1])
    return values
