"""Builds series, rows, outcomes and whole synthetic runs for the tests of the analysis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from heorot.catalogue import BENCHMARKS
from heorot.model.machine import Cache, Limits, Machine, Memory, Node, Processor
from heorot.model.outcome import Outcome
from heorot.model.plan import Step
from heorot.model.records import (
    CheckLine,
    Clock,
    Disturbance,
    NoteLine,
    Placement,
    RunLine,
    SecondClock,
)
from heorot.model.result import Result
from heorot.model.series import Series

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
# name: flops and operands per element, cycles per element from the first-level cache
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


def a_series(**changes: object) -> Series:
    """A quiet, verified series of one launch; any field can be changed."""
    fields: dict[str, Any] = {
        "step": "S0001",
        "benchmark": "memory/stream",
        "case": "one_core",
        "launch": 1,
        "attempt": 1,
        "toolchain": "gnu-12",
        "nodes": 1,
        "ranks": 1,
        "threads": 1,
        "per_node": 1,
        "options": {},
        "region": "triad",
        "point": {"n": 1000},
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
    fields.update(changes)
    return Series(**fields)


def a_result(**changes: object) -> Result:
    """A trustworthy row of stream triad; any field can be changed."""
    median: Any = changes.get("median", 15e9)
    fields: dict[str, Any] = {
        "run": "test",
        "system": "here",
        "benchmark": "memory/stream",
        "case": "one_core",
        "region": "triad",
        "point": {},
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
        "nodes": 1,
        "ranks": 1,
        "threads": 1,
        "per_node": 1,
        "toolchain": "gnu-12",
        "options": {},
    }
    fields.update(changes)
    return Result(**fields)


def a_step(**changes: object) -> Step:
    """A step of one rank; any field can be changed."""
    fields: dict[str, Any] = {
        "id": "S0001",
        "benchmark": "memory/stream",
        "case": "one_core",
        "launch": 1,
        "options": {},
        "toolchain": "gnu-12",
        "seconds": 1.0,
        "memory_bytes": 1 << 20,
        "timeout_seconds": 60.0,
    }
    fields.update(changes)
    return Step(**fields)


def a_run_line(placement: Sequence[tuple[str, tuple[int, ...]]], threads: int = 1) -> RunLine:
    """The first line of a record of ranks on these hosts and CPUs."""
    return RunLine(
        type="run",
        schema=1,
        benchmark="messages/pingpong",
        options={},
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


def a_machine(n_cores: int = N_CORES, **node: object) -> Machine:
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
        "memory": Memory(total_bytes=16 << 30, available_bytes=15 << 30),
        "limits": Limits(n_usable_cores=n_cores),
    }
    fields.update(node)
    return Machine(hostname="here", nodes=(Node(**fields),))


@dataclass
class Synthesis:
    """A whole run of the five programs on an invented machine, with realistic noise.

    Attributes:
        seed: of the noise.
        n_launches: launches per case.
        n_samples: samples of each series.
        octave: lengths of the vector sweeps per doubling.
        access: access patterns of the vector sweeps.
        launch_noise: relative standard deviation of a launch.
        sample_noise: relative standard deviation of a sample.
        slow: factor on all times of a program, by its name.
        n_cores: cores of the machine.
        toolchains: names of the toolchains.
    """

    seed: int = 1
    n_launches: int = 3
    n_samples: int = 30
    octave: float = 1.0
    access: tuple[str, ...] = ("contiguous",)
    launch_noise: float = 0.005
    sample_noise: float = 0.01
    slow: dict[str, float] | None = None
    n_cores: int = N_CORES
    toolchains: tuple[str, ...] = ("gnu-12+openmpi-5.0.11",)

    def __post_init__(self) -> None:
        self.series: list[Series] = []
        self.steps: list[Step] = []
        self.outcomes: list[Outcome] = []
        self._random = np.random.default_rng(self.seed)
        for launch, chain in product(range(1, self.n_launches + 1), self.toolchains):
            for cores in dict.fromkeys((1, self.n_cores)):
                self._peak(launch, chain, cores)
                self._stream(launch, chain, cores)
                self._ep(launch, chain, 1, cores)
            self._vectors(launch, chain)
            if self.n_cores > 1:
                self._pingpong(launch, chain)
                self._ep(launch, chain, self.n_cores, 1)

    def _step(
        self, benchmark: str, case: str, launch: int, chain: str, ranks: int, threads: int
    ) -> Step:
        step = a_step(
            id=f"S{len(self.steps) + 1:04d}",
            benchmark=benchmark,
            case=case,
            launch=launch,
            toolchain=chain,
            ranks=ranks,
            threads=threads,
            per_node=ranks,
        )
        self.steps.append(step)
        cpus = [
            ("here", (rank,) if threads == 1 else tuple(range(threads))) for rank in range(ranks)
        ]
        check = CheckLine(type="check", name="deviation", value=0.0, tolerance=0.0, passed=True)
        notes = (NoteLine(type="note", name="instruction_width_bytes", value=64),)
        self.outcomes.append(
            Outcome(
                step=step.id,
                state="completed",
                run=a_run_line(cpus, threads),
                checks=(check,),
                notes=notes if benchmark == "compute/peak" else (),
            )
        )
        self._effect = 1.0 + self.launch_noise * self._random.standard_normal()
        self._effect *= (self.slow or {}).get(benchmark, 1.0)
        return step

    def _add(
        self, step: Step, region: str, point: dict[str, Any], counts: dict[str, float], body: float
    ) -> None:
        own = 1.0 + 0.5 * self.launch_noise * self._random.standard_normal()
        noise = 1.0 + self.sample_noise * np.abs(self._random.standard_normal(self.n_samples))
        repetitions = max(1, round(1e-4 / body))
        seconds = repetitions * body * self._effect * own * noise
        elapsed = float(seconds.sum())
        self.series.append(
            a_series(
                step=step.id,
                benchmark=step.benchmark,
                case=step.case,
                launch=step.launch,
                toolchain=step.toolchain,
                ranks=step.ranks,
                threads=step.threads,
                per_node=step.per_node,
                options=step.options,
                region=region,
                point=point,
                counts=counts,
                repetitions=repetitions,
                seconds=seconds,
                elapsed_seconds=elapsed,
                second_clock=SecondClock(name="monotonic", elapsed_seconds=elapsed),
            )
        )

    def _peak(self, launch: int, chain: str, cores: int) -> None:
        case = "one_core" if cores == 1 else "all_cores"
        step = self._step("compute/peak", case, launch, chain, 1, cores)
        flops = 1e6 * cores
        for region, factor in (("fma_double", 1.0), ("fma_single", 2.0)):
            rate = 0.97 * factor * FLOPS_PER_CYCLE * CLOCK_HZ * cores
            self._add(step, region, {}, {"flops": flops}, flops / rate)
        for region in ("clock_multiply", "clock_add", "clock_xor"):
            self._add(step, region, {}, {"cycles": 4e5}, 4e5 / CLOCK_HZ)

    def _stream(self, launch: int, chain: str, cores: int) -> None:
        case = "one_core" if cores == 1 else "all_cores"
        step = self._step("memory/stream", case, launch, chain, 1, cores)
        n = 16_000_000
        for region, words in (("copy", 2), ("scale", 2), ("add", 3), ("triad", 3), ("memcpy", 2)):
            rate = MEMORY_BYTES_PER_SECOND * (1.4 if region == "memcpy" else 1.0) * cores**0.9
            self._add(step, region, {"n": n}, {"bytes": 8.0 * words * n}, 8.0 * words * n / rate)
        rate = READ_BYTES_PER_SECOND * cores**0.9
        self._add(step, "read", {"n": n}, {"bytes": 8.0 * n, "flops": n}, 8.0 * n / rate)

    def _vectors(self, launch: int, chain: str) -> None:
        step = self._step("compute/vector_kernels", "one_core", launch, chain, 1, 1)
        for access, (name, (flops, operands, cycles)) in product(self.access, OPERATIONS.items()):
            index_bytes = 4 if access == "indirect" else 0
            vectors = operands - (name in {"dotproduct", "axpy"})
            for n in lengths(self.octave, 128 << 20, 8 * vectors * STRIDES[access]):
                size = n * (8 * vectors * STRIDES[access] + index_bytes)
                moved = n * (8 * operands + index_bytes)
                counts = {"flops": float(flops * n), "bytes": float(moved), "elements": float(n)}
                point = {"access": access, "n": n, "working_set_bytes": size}
                slow = cycles * (1.0 if access == "contiguous" else 4.0)
                self._add(step, name, point, counts, vector_seconds(n, slow, moved, size))

    def _pingpong(self, launch: int, chain: str) -> None:
        step = self._step("messages/pingpong", "two_ranks", launch, chain, 2, 1)
        for size in (0, *(1 << i for i in range(23))):
            one_way = 3e-7 + size / 12e9
            counts = {"messages": 2.0, "bytes": 2.0 * size}
            self._add(step, "pingpong", {"bytes": size}, counts, 2.0 * one_way)
        counts = {"messages": 2.0, "bytes": 16.0}
        self._add(step, "turning_broadcast", {"bytes": 8}, counts, 2.0 * 4e-7)

    def _ep(self, launch: int, chain: str, ranks: int, threads: int) -> None:
        cores = ranks * threads
        kind = "one_core" if cores == 1 else f"all_cores_{'ranks' if ranks > 1 else 'threads'}"
        step = self._step("npb/ep", f"W_{kind}", launch, chain, ranks, threads)
        pairs = float(1 << 25)
        counts = {"operations": 2.0 * pairs, "pairs": pairs, "flops": 60.0 * pairs}
        self._add(step, "ep", {"class": "W"}, counts, pairs / (6e7 * cores**0.99))


def lengths(per_octave: float, largest_bytes: float, bytes_per_element: float) -> list[int]:
    """The lengths that the program would choose."""
    steps = range(int(per_octave * math.log2(largest_bytes / bytes_per_element / 2.0)) + 1)
    return list(dict.fromkeys(round(2.0 * 2.0 ** (step / per_octave)) for step in steps))


def vector_seconds(n: int, cycles: float, moved_bytes: float, working_set: float) -> float:
    """Time of one call: start-up and cycles in the first-level cache, bandwidth beyond it."""
    seconds = (20.0 + cycles * n) / CLOCK_HZ
    for level, rate in ((L1_BYTES, 100e9), (L2_BYTES, 40e9), (L3_BYTES, MEMORY_BYTES_PER_SECOND)):
        if working_set > level:
            seconds = max(seconds, (20.0 + cycles * n) / CLOCK_HZ, moved_bytes / rate)
    return seconds


@dataclass(frozen=True)
class Kit:
    """What the tests build their cases from."""

    series = staticmethod(a_series)
    result = staticmethod(a_result)
    step = staticmethod(a_step)
    run_line = staticmethod(a_run_line)
    machine = staticmethod(a_machine)
    run = Synthesis
    quiet = QUIET
    benchmarks = BENCHMARKS
    clock_hz = CLOCK_HZ
    n_cores = N_CORES


@pytest.fixture
def kit() -> Kit:
    """Factories of records and of whole runs."""
    return Kit()
