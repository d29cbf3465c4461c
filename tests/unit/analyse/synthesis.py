"""Builds whole synthetic runs of the five programs on an invented machine."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from heorot.families import FAMILIES
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step
from heorot.model.run.records import (
    CheckLine,
    NoteLine,
    SecondClock,
)
from heorot.model.run.series import Series
from tests.unit.analyse.builders import (
    CLOCK_HZ,
    FLOPS_PER_CYCLE,
    L1_BYTES,
    L2_BYTES,
    L3_BYTES,
    MEMORY_BYTES_PER_SECOND,
    N_CORES,
    OPERATIONS,
    READ_BYTES_PER_SECOND,
    STRIDES,
    a_run_line,
    a_series,
    a_step,
)

PROGRAMS = (
    "compute/peak",
    "compute/vector_kernels",
    "memory/stream",
    "messages/pingpong",
    "npb/ep",
)
"""The programs of a synthetic run, in the order of the catalogue."""
SOME_FAMILIES = tuple(
    replace(family, benchmarks=ran)
    for family in FAMILIES
    if (ran := tuple(one for one in family.benchmarks if one.name in PROGRAMS))
)
"""All families with those of their programs that a synthetic run has."""
SOME_BENCHMARKS = tuple(one for family in SOME_FAMILIES for one in family.benchmarks)


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
        npb_class: of EP.
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
    npb_class: str = "A"

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
        step = self._step("npb/ep", f"{self.npb_class}_{kind}", launch, chain, ranks, threads)
        pairs = float(1 << 25)
        counts = {"operations": 2.0 * pairs, "pairs": pairs, "flops": 60.0 * pairs}
        self._add(step, "ep", {"class": self.npb_class}, counts, pairs / (6e7 * cores**0.99))


def lengths(per_octave: float, largest_bytes: float, bytes_per_element: float) -> list[int]:
    """The lengths that the program would choose."""
    steps = range(int(per_octave * math.log2(largest_bytes / bytes_per_element / 2.0)) + 1)
    return list(dict.fromkeys(round(2.0 * 2.0 ** (step / per_octave)) for step in steps))


def vector_seconds(n: int, cycles: float, moved_bytes: float, working_set: float) -> float:
    """Time of one call: start-up and cycles in L1d, bandwidth beyond it."""
    seconds = (20.0 + cycles * n) / CLOCK_HZ
    for level, rate in ((L1_BYTES, 100e9), (L2_BYTES, 40e9), (L3_BYTES, MEMORY_BYTES_PER_SECOND)):
        if working_set > level:
            seconds = max(seconds, (20.0 + cycles * n) / CLOCK_HZ, moved_bytes / rate)
    return seconds
