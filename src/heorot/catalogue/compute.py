"""What one core computes: its ceiling, and the basic vector operations below it."""

from __future__ import annotations

from heorot.catalogue.sizes import all_cores, beyond_caches_bytes
from heorot.model.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Figure,
    Headline,
    Metric,
    Profile,
)
from heorot.model.machine import Machine

_OPERATIONS = 14
_PEAK_REGIONS = 4
_PEAK_BUDGET = {"smoke": 0.25, "quick": 0.5, "standard": 1.0, "full": 2.0}


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
    "quick": (1.0, "all", 0.02),
    "standard": (2.0, "all", 0.08),
    "full": (4.0, "all", 0.25),
}
_PATTERNS = {"contiguous": 1.0, "all": 3.0}


def _vector_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    per_octave, access, budget = _SWEEP[profile]
    largest = beyond_caches_bytes(machine)
    octaves = max(1, (largest // 32).bit_length() - 1)
    points = _OPERATIONS * _PATTERNS[access] * octaves * per_octave
    return (
        Case(
            name="one_core",
            options={
                "access": access,
                "points-per-octave": per_octave,
                "max-bytes": largest,
                "budget": budget,
            },
            memory_bytes=4 * largest,
            seconds=points * budget * 1.5 + 1.0,
        ),
    )


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
            by_benchmark="compute/peak",
            by_regions=("fma_double",),
            by_metric="flop_rate",
            reason="no core computes faster than its multiply-add units",
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
