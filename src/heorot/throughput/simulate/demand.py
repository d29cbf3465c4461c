"""Resource demands of jobs on the simulated machine, as input of the native core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from heorot.errors import UsageError
from heorot.throughput.model.timeline import Floats, Integers
from heorot.throughput.model.workload import Jobs, Workload
from heorot.throughput.simulate.setting import Setting

MICROSECONDS = 1e6
USES_NETWORK = 1
"""Flag of a job that takes a port on each of its nodes."""
_LONGEST = 1 << 52  # half the range of the core, as times are added
_MOST_NODES = (1 << 31) - 1

NATIVE = np.dtype(
    [
        ("submit", "<i8"),
        ("run", "<i8"),
        ("estimate", "<i8"),
        ("think", "<i8"),
        ("preceding", "<i4"),
        ("nodes", "<i4"),
        ("cores", "<i4"),
        ("user", "<i4"),
        ("priority", "<f4"),
        ("share", "<f4"),
        ("flags", "<u4"),
        ("unused", "<u4"),
    ]
)
"""One job as `native/scheduler/setting.hpp` defines it."""


@dataclass(frozen=True, eq=False)
class Demand:
    """The jobs of a workload that can be simulated; arrays over these, shape (m,), unless stated.

    Attributes:
        jobs: type `NATIVE`; none after the core has them.
        run: run times [us].
        which: indices in the workload.
        nodes: of all jobs of the workload, at least 0, shape (n,).
        cores: of all jobs, at least 0, shape (n,).
        limit: of all jobs, NaN for none [s], shape (n,).
        killed: whether a job is ended at its limit.
    """

    jobs: npt.NDArray[np.void]
    run: Integers
    which: Integers
    nodes: Integers
    cores: Integers
    limit: Floats
    killed: npt.NDArray[np.bool_]

    def without_jobs(self) -> Demand:
        """The same without the input of the core, which is large."""
        return replace(self, jobs=np.empty(0, dtype=NATIVE))


def demand_of(workload: Workload, setting: Setting) -> Demand:
    """Demands of a workload on the simulated machine.

    Jobs without a run time or a size cannot be simulated. A job of p processors takes the nodes
    that these fill, unless the workload has its number of nodes.

    Raises:
        UsageError: a time exceeds the range of the simulation.
    """
    jobs = workload.jobs
    size = np.where(jobs["requested_processors"] > 0, jobs["requested_processors"], 0)
    size = np.where(size > 0, size, np.maximum(0, jobs["processors"]))
    nodes = workload.nodes if workload.nodes.size else -(-size // setting.cores_per_node)
    limit = np.where(jobs["requested_seconds"] > 0, jobs["requested_seconds"], np.nan)
    which = np.flatnonzero((jobs["run"] >= 0) & (size > 0) & (nodes > 0))
    chosen = jobs if which.size == jobs.size else jobs.chosen(which)
    own_limit = limit[which]
    seconds = chosen["run"].astype(np.float64)
    killed = np.zeros(which.size, dtype=np.bool_)
    if setting.kill_at_limit:
        killed = seconds > own_limit
        seconds = np.where(killed, own_limit, seconds)
    native = np.zeros(which.size, dtype=NATIVE)
    native["submit"] = _ticks(chosen["submit"] - begin_of(jobs))
    native["run"] = _ticks(seconds)
    native["estimate"] = np.maximum(
        np.maximum(native["run"], _ticks(_estimates(seconds, own_limit, setting))), 1
    )
    native["preceding"] = _preceding(chosen)
    native["think"] = np.where(
        native["preceding"] >= 0, _ticks(np.maximum(0.0, chosen["think_seconds"])), 0
    )
    native["nodes"] = np.minimum(nodes[which], _MOST_NODES)
    cores = nodes if (size <= nodes).all() else np.maximum(size, nodes)
    native["cores"] = np.minimum(cores[which], _MOST_NODES)
    native["flags"] = np.where(nodes[which] > 1, USES_NETWORK, 0)
    native["user"] = np.unique(chosen["user"], return_inverse=True)[1]
    native["priority"] = _looked_up(chosen["queue"], setting.priorities, 0.0)
    native["share"] = _looked_up(chosen["user"], setting.shares, 1.0)
    return Demand(native, native["run"].copy(), which, nodes, cores, limit, killed)


def begin_of(jobs: Jobs) -> float:
    """Start of a simulation: 0, or the first submission if that is earlier [s]."""
    return min(0.0, float(np.min(jobs["submit"], initial=0.0)))


def _ticks(seconds: Floats) -> Integers:
    """Whole microseconds of times [s].

    Raises:
        UsageError: one is out of range, or NaN.
    """
    ticks = np.rint(np.asarray(seconds, dtype=np.float64) * MICROSECONDS)
    if not np.all(np.abs(ticks) <= _LONGEST):
        raise UsageError(
            f"the workload has a time of {np.max(np.abs(seconds)):g} s",
            f"times up to {_LONGEST / MICROSECONDS:.0f} s can be simulated",
        )
    return ticks.astype(np.int64)


def _estimates(run: Floats, limit: Floats, setting: Setting) -> Floats:
    """Run times as the scheduler estimates them [s]."""
    match setting.estimates.kind:
        case "limit":
            return np.where(np.isnan(limit), run, limit)
        case "factor":
            return run * setting.estimates.factor
        case "uniform":
            drawn = np.random.default_rng(setting.seed)
            return run * drawn.uniform(1.0, setting.estimates.factor, run.size)
        case "exact":
            return run


def _preceding(jobs: Jobs) -> Integers:
    """Index of the preceding job of each; -1 for none, an unknown or a later one."""
    if not np.any(jobs["preceding"] >= 0):
        return np.full(jobs.size, -1)
    order = np.argsort(jobs["number"], kind="stable")
    numbers = jobs["number"][order]
    found = np.minimum(np.searchsorted(numbers, jobs["preceding"]), max(0, numbers.size - 1))
    own = np.arange(jobs.size)
    index = order[found] if jobs.size else own
    is_there = (jobs["preceding"] >= 0) & (jobs["number"][index] == jobs["preceding"])
    return np.where(is_there & (index < own), index, -1)


def _looked_up(numbers: Integers, values: Mapping[int, float], otherwise: float) -> Floats:
    found = np.full(numbers.size, otherwise)
    for number, value in values.items():
        found[numbers == number] = value
    return found
