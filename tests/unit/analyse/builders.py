"""Builds single series, rows, programs, machines and contexts for the tests of the analysis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from heorot.analyse.results import group_series, make_results
from heorot.families import BENCHMARKS
from heorot.model.analysis.breakdown import Breakdown, Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.batch.jobs import JobAccount
from heorot.model.catalogue.benchmark import Benchmark, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Cache, Limits, Machine, Memory, Node, Processor
from heorot.model.point import NO_OPTIONS
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import (
    Clock,
    Disturbance,
    Placement,
    RunLine,
    SecondClock,
)
from heorot.model.run.series import Series
from tests.unit.model.keys import of_key, of_setup

CLOCK_HZ = 3.5e9
FLOPS_PER_CYCLE = 32.0
L1_BYTES, L2_BYTES, L3_BYTES = 48 << 10, 1 << 20, 32 << 20
QUIET = Disturbance(
    involuntary_switches=0,
    steal_seconds=0.0,
    other_cpu_seconds=None,
    window_seconds=0.05,
    sentinel_before=1.0,
    sentinel_after=1.0,
)
# name: flops and operands per element, cycles per element in L1d
OPERATIONS = {
    "broadcast": (1, 1, 0.13),
    "copy": (1, 2, 0.14),
    "add": (1, 3, 0.19),
    "subtract": (1, 3, 0.19),
    "multiply": (1, 3, 0.19),
    "divide": (1, 3, 1.0),
    "dotproduct": (2, 2, 0.14),
    "axpy": (2, 3, 0.19),
    "triad": (2, 3, 0.19),
    "rotation": (3, 5, 0.32),
    "recurrence1": (1, 2, 4.0),
    "recurrence2": (2, 2, 4.0),
    "difference2": (3, 2, 0.25),
    "polynomial9": (18, 2, 0.7),
}
STRIDES = {"contiguous": 1, "stride3": 3, "stride4": 4, "indirect": 1}
MEMORY_BYTES_PER_SECOND = 15e9
READ_BYTES_PER_SECOND = 18e9
N_CORES = 2


def a_series(**changes: Any) -> Series:
    """A quiet, verified series of one launch; any field can be changed."""
    fields: dict[str, Any] = {
        "step": "S0001",
        "launch": 1,
        "attempt": 1,
        "counts": {"bytes": 24000.0},
        "repetitions": 10,
        "seconds": np.full(10, 1e-4),
        "synchronisation": "none",
        "stopped": "precision",
        "elapsed_seconds": 0.05,
        "second_clock": SecondClock(name="monotonic", elapsed_seconds=0.05),
        "disturbance": QUIET,
        "verified": "passed",
    }
    fields.update(of_key(changes, point={"n": 1000}))
    return Series(**fields)


def a_result(**changes: Any) -> Result:
    """A trustworthy row of stream triad; any field can be changed."""
    median: Any = changes.get("median", 15e9)
    fields: dict[str, Any] = {
        "run": "test",
        "system": "here",
        "metric": "bandwidth",
        "unit": "B/s",
        "better": "higher",
        "median": median,
        "ci_low": 0.99 * median,
        "ci_high": 1.01 * median,
        "q10": 0.98 * median,
        "q90": 1.02 * median,
        "min": 0.97 * median,
        "max": 1.03 * median,
        "n": 100,
        "n_launches": 3,
        "verified": "passed",
        "plausible": None,
        "disturbed": False,
        "share_of_ceiling": None,
    }
    fields.update(of_key(changes))
    return Result(**fields)


def a_steady_result(**changes: Any) -> Result:
    """The same with launches that agree: the bound of others is its median."""
    row = a_result(**changes)
    return a_result(**({"ci_low": row.median, "ci_high": row.median} | changes))


def exactly(value: float) -> Middle:
    """A median without a spread."""
    return Middle(median=value, low=value, high=value)


def a_breakdown(**changes: Any) -> Breakdown:
    """The time of one serial launch that only computes; any field can be changed."""
    fields: dict[str, Any] = {
        "verified": "passed",
        "disturbed": False,
        "n_launches": 3,
        "seconds": exactly(1.0),
        "computation": exactly(1.0),
        "imbalance": exactly(0.0),
        "communication": exactly(0.0),
        "load_balance": exactly(1.0),
        "phases": (),
    }
    return Breakdown(**(fields | of_key(changes)))


def a_step(**changes: Any) -> Step:
    """A step of one rank; any field can be changed."""
    fields: dict[str, Any] = {
        "id": "S0001",
        "launch": 1,
        "seconds": 1.0,
        "memory_bytes": 1 << 20,
        "timeout_seconds": 60.0,
    }
    fields.update(of_setup(changes))
    return Step(**fields)


def a_job(**changes: Any) -> JobAccount:
    """A job of two nodes that Slurm ran, and that ended well."""
    fields: dict[str, Any] = {
        "id": "J0001",
        "system": "slurm",
        "number": "7",
        "hosts": ("n1", "n2"),
        "nodes": 2,
        **changes,
    }
    return JobAccount(**fields)


def a_run_line(placement: Sequence[tuple[str, tuple[int, ...]]], threads: int = 1) -> RunLine:
    """The first line of a record of ranks on these hosts and CPUs."""
    return RunLine(
        type="run",
        schema=1,
        benchmark="messages/pingpong",
        options=NO_OPTIONS,
        ranks=len(placement),
        threads=threads,
        placement=tuple(
            Placement(rank=rank, host=host, pid=100 + rank, cpus=cpus)
            for rank, (host, cpus) in enumerate(placement)
        ),
        compiler="GNU 12.2.0",
        flags="-O3",
        mpi_library="Open MPI",
        mpi_standard="3.1",
        clock=Clock(
            name="tsc", resolution_seconds=1e-9, overhead_seconds=1e-8, monotonic=True, others=()
        ),
        started=0.0,
    )


def a_machine(n_cores: int = N_CORES, *, gibibytes: int = 16, **node: object) -> Machine:
    """A machine with 48 KiB, 1 MiB and 32 MiB of cache."""
    caches = (
        Cache(level=1, kind="data", size_bytes=L1_BYTES, n_instances=n_cores),
        Cache(level=1, kind="instruction", size_bytes=32 << 10, n_instances=n_cores),
        Cache(level=2, kind="unified", size_bytes=L2_BYTES, n_instances=n_cores),
        Cache(level=3, kind="unified", size_bytes=L3_BYTES),
    )
    fields: dict[str, Any] = {
        "names": ("here",),
        "processor": Processor(isa="x86_64", n_cores=n_cores, threads_per_core=1),
        "caches": caches,
        "memory": Memory(total_bytes=gibibytes << 30, available_bytes=gibibytes << 30),
        "limits": Limits(n_usable_cores=n_cores),
    }
    fields.update(node)
    return Machine(hostname="here", nodes=(Node(**fields),))


def a_benchmark(name: str = "family/program", **changes: Any) -> Benchmark:
    """An invented program with one rate and no policy; any field can be changed."""
    rate = Metric(name="rate", unit="op/s", better="higher", count="operations")
    fields: dict[str, Any] = {"metrics": (rate,), "cases": lambda *_: (), "tiny": tiny_case()}
    return Benchmark(name=name, **(fields | changes))


def a_context(
    rows: Iterable[Result] = (),
    groups: Sequence[Group] = (),
    *,
    machine: Machine | None = None,
    steps: Sequence[Step] = (),
    outcomes: Sequence[Outcome] = (),
    seed: int = 1,
    benchmarks: Sequence[Benchmark] = BENCHMARKS,
) -> Context:
    """A run with these rows, as families see it."""
    every = Rows(rows)
    return Context(
        groups=groups,
        rows=every,
        machine=machine or a_machine(),
        steps=steps,
        outcomes=outcomes,
        seed=seed,
        benchmarks={benchmark.name: benchmark for benchmark in benchmarks},
    )


def a_measured_context(
    series: Iterable[Series],
    *,
    machine: Machine | None = None,
    benchmarks: Sequence[Benchmark] = BENCHMARKS,
) -> Context:
    """A run with these samples, and the rows that come straight from them."""
    groups = group_series(series)
    named = {benchmark.name: benchmark for benchmark in benchmarks}
    rows = make_results(groups, named, run="r", system="s")
    return a_context(rows, groups, machine=machine, benchmarks=benchmarks)
