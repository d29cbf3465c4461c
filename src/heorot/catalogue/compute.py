"""What one core computes: its ceiling, and the basic vector operations below it."""

from __future__ import annotations

import math

from heorot.catalogue.sizes import all_cores, beyond_caches_bytes
from heorot.model.catalogue.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Headline,
    Metric,
    Profile,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

# fma_double, fma_single, and up to three chains that show the clock
_PEAK_REGIONS = 5
_PEAK_BUDGET = {"smoke": 0.08, "quick": 0.2, "standard": 1.0, "full": 2.0}


def _peak_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    budget = _PEAK_BUDGET[profile]
    cores = all_cores(machine)
    layouts = [("one_core", 1)] + ([("all_cores", cores)] if cores > 1 else [])
    return tuple(
        Case(
            name=name,
            options={"budget": budget},
            threads=threads,
            needs_cores=threads,
            memory_bytes=16 << 20,
            seconds=_PEAK_REGIONS * 1.2 * budget,
        )
        for name, threads in layouts
    )


PEAK = Benchmark(
    name="compute/peak",
    metrics=(
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops"),
        Metric(name="clock", unit="Hz", better="higher", count="cycles"),
    ),
    cases=_peak_cases,
    headlines=(
        Headline(label="Peak, double precision", metric="flop_rate", region="fma_double"),
        Headline(label="Core clock", metric="clock", region="clock_multiply"),
        # Where no latency of a multiplication is known for sure, another chain stands in.
        Headline(label="Core clock", metric="clock", region="clock_add"),
    ),
    figures=(
        Figure(
            title="Fused multiply-add ceiling",
            kind="bars",
            metric="flop_rate",
            series=("layout",),
        ),
    ),
)


# Points per octave, access patterns, and the budget of one point decide how long a sweep takes.
_SWEEP: dict[Profile, tuple[float, str, float]] = {
    "smoke": (0.5, "contiguous", 0.012),
    "quick": (1.0, "all", 0.008),
    "standard": (2.0, "all", 0.08),
    "full": (4.0, "all", 0.25),
}
# Fourteen operations contiguous and with two strides; eleven have an indirect form.
_SWEEPS = {"contiguous": 14, "all": 14 + 14 + 14 + 11}
_SHORTEST_BYTES = 32
# Filling the vectors and checking every element of the result, slow on purpose: no shortcuts.
_CHECKED_BYTES_PER_SECOND = 2e9


def _vector_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    per_octave, access, budget = _SWEEP[profile]
    largest = beyond_caches_bytes(machine)
    octaves = max(1.0, math.log2(largest / _SHORTEST_BYTES))
    # The sizes grow geometrically: all together are so many times the largest.
    checked_bytes = largest / (1.0 - 2.0 ** (-1.0 / per_octave))
    a_sweep = octaves * per_octave * budget * 1.2 + checked_bytes / _CHECKED_BYTES_PER_SECOND
    return (
        Case(
            name="one_core",
            options={
                "access": access,
                "points-per-octave": per_octave,
                "max-bytes": largest,
                "budget": budget,
            },
            # The vectors, and the permutation of indirect access.
            memory_bytes=largest + largest // 3 + (16 << 20),
            seconds=_SWEEPS[access] * a_sweep,
        ),
    )


# Broadcast and copy count their elements as flops, but the units that add have no part in them.
_ARITHMETIC = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "dotproduct",
    "axpy",
    "triad",
    "rotation",
    "recurrence1",
    "recurrence2",
    "difference2",
    "polynomial9",
)
# Two loads and one store of 64 bytes.
_MOST_BYTES_PER_CYCLE = 192.0

VECTOR_KERNELS = Benchmark(
    name="compute/vector_kernels",
    metrics=(
        Metric(
            name="flop_rate",
            unit="flop/s",
            better="higher",
            count="flops",
        ),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    cases=_vector_cases,
    ceilings=(
        Ceiling(
            metric="flop_rate",
            regions=_ARITHMETIC,
            by_benchmark="compute/peak",
            by_regions=("fma_double",),
            by_metric="flop_rate",
            reason="no core computes faster than its multiply-add units",
        ),
        Ceiling(
            metric="bandwidth",
            by_benchmark="compute/peak",
            by_regions=("clock_multiply", "clock_add"),
            by_metric="clock",
            factor=_MOST_BYTES_PER_CYCLE,
            reason="no core known loads and stores more than 192 bytes in a cycle",
        ),
    ),
    headlines=(
        Headline(
            label="axpy from first-level cache",
            metric="r_max_l1",
            region="axpy",
            point={"access": "contiguous"},
        ),
        Headline(
            label="axpy from memory",
            metric="r_max_memory",
            region="axpy",
            point={"access": "contiguous"},
        ),
    ),
    figures=(
        Figure(
            title="Speed of the basic operations over the working set",
            kind="curve",
            metric="flop_rate",
            x="working_set_bytes",
            x_label="working set [B]",
            series=("region", "access"),
            log_x=True,
            log_y=True,
        ),
    ),
)
