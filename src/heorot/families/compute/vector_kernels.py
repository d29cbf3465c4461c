"""The record of compute/vector_kernels: the basic vector operations below the ceiling."""

from __future__ import annotations

import math

from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Headline,
    Metric,
    Profile,
    Reference,
    tiny_case,
)
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

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
# They compute nothing: what they count is the elements that they move.
_MOVES = ("broadcast", "copy")
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
            regions=_ARITHMETIC,
        ),
        Metric(
            name="element_rate",
            unit="element/s",
            better="higher",
            count="elements",
            regions=_MOVES,
        ),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    cases=_vector_cases,
    tiny=tiny_case({"max-bytes": 65536, "points-per-octave": 0.5}),
    derived=(
        "latency",
        "cycles_per_element",
        "n_half",
        "intensity",
        "ideal_rate",
        "r_max_l1",
        "r_max_l2",
        "r_max_l3",
        "r_max_memory",
        "memory_bandwidth",
        "first_level_end",
    ),
    publishes=(
        Reference(name="copy_bandwidth", metric="bandwidth", regions=("copy",)),
        Reference(
            name="vector_memory_bandwidth_triad",
            metric="memory_bandwidth",
            regions=("triad",),
            point={"access": "contiguous"},
        ),
        Reference(
            name="vector_memory_bandwidth_read",
            metric="memory_bandwidth",
            regions=("dotproduct",),
            point={"access": "contiguous"},
        ),
    ),
    ceilings=(
        Ceiling(
            metric="flop_rate",
            by="flop_peak",
            reason="no core computes faster than its multiply-add units",
        ),
        Ceiling(
            metric="bandwidth",
            by="core_clock",
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
            share_of="computational intensity x the best operand rate from the first-level cache",
        ),
        Headline(
            label="axpy from memory",
            metric="r_max_memory",
            region="axpy",
            point={"access": "contiguous"},
            share_of="the peak of the multiply-add units, far above what memory feeds",
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
        Figure(
            title="Speed of moving elements over the working set",
            kind="curve",
            metric="element_rate",
            x="working_set_bytes",
            x_label="working set [B]",
            series=("region", "access"),
            log_x=True,
            log_y=True,
        ),
    ),
)
