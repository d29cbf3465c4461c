"""The record of compute/vector_kernels: the basic vector operations below the flop peak."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.sizes import affordable_bytes, beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric, Reference, Traffic
from heorot.model.catalogue.usual import BANDWIDTH, LOADS_AND_STORES, below_peak
from heorot.model.machine.machine import Machine

# Points per octave, of contiguous vectors and of all others, and the budget of one point.
_SWEEP: dict[Profile, tuple[float, float, float]] = {
    "smoke": (0.5, 0.5, 0.012),
    "quick": (1.0, 1.0, 0.008),
    "standard": (2.0, 1.0, 0.08),
    "full": (4.0, 2.0, 0.25),
}
# Time limit of a launch, for contiguous vectors and for all others [s].
_MOST_SECONDS: dict[Profile, tuple[float, float]] = {
    "smoke": (2.5, 0.0),
    "quick": (5.0, 7.0),
    "standard": (60.0, 60.0),
    "full": (300.0, 600.0),
}

# Time of vectors from memory over that of copying.
_SLOWNESS = {"indirect": 10.0}
_estimate = by_counts(
    "compute/vector_kernels",
    # Most points reach a precise median long before their time is used up. A long one needs at
    # least a body to warm up, one to calibrate and one to measure.
    Cost("points", 0.4, "budget"),
    Cost("swept_bytes", 3.0, "memory", option="access", factors=_SLOWNESS),
    # Filling the vectors and checking every element of the result by plain loops.
    Cost("swept_bytes", 1.0 / 3e9, "core"),
)


def _vector_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    contiguous, scattered = _MOST_SECONDS[profile]
    case = _affordable(machine, profile, "contiguous", contiguous)
    cases = [case.model_copy(update={"name": "one_core", "priority": "headline"})]
    if scattered > 0.0:
        case = _affordable(machine, profile, "stride3,stride4,indirect", scattered)
        cases.append(case.model_copy(update={"name": "one_core_scattered"}))
    return tuple(cases)


def _affordable(machine: Machine, profile: Profile, access: str, seconds: float) -> Case:
    """A sweep that goes beyond the caches as far as time allows."""
    contiguous, scattered, budget = _SWEEP[profile]
    per_octave = contiguous if access == "contiguous" else scattered

    def sized(largest: int) -> Case:
        options: dict[str, bool | int | float | str] = {
            "access": access,
            "points-per-octave": per_octave,
            "max-bytes": largest,
            "budget": budget,
        }
        return _estimate(machine, Case(name=access, options=options))

    wanted = beyond_caches_bytes(machine)
    return sized(affordable_bytes(wanted, lambda size: sized(size).needs.seconds, seconds))


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
# These compute nothing: they count moved elements.
_MOVES = ("broadcast", "copy")
# Of two, three or five operands one is stored; in axpy one that was loaded.
_TRAFFIC = (
    Traffic(regions=("axpy",), fetched=2 / 3),
    Traffic(regions=("broadcast",), carried=2.0),
    Traffic(regions=("add", "subtract", "multiply", "divide", "triad"), carried=4 / 3),
    Traffic(regions=("rotation",), carried=6 / 5),
    Traffic(
        regions=("copy", "recurrence1", "recurrence2", "difference2", "polynomial9"),
        carried=3 / 2,
    ),
)

VECTOR_KERNELS = Benchmark(
    name="compute/vector_kernels",
    title="vector kernels",
    measures="vector kernels (DAXPY, DDOT, triad ...), L1d to DRAM",
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
        BANDWIDTH,
    ),
    cases=_vector_cases,
    every_node=("one_core",),
    every_kind=("one_core",),
    estimate=_estimate,
    problem=("access",),
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
        "longest_vectors_bandwidth",
        "first_level_end",
    ),
    publishes=(
        Reference(name="copy_bandwidth", metric="bandwidth", regions=("copy",)),
        Reference(
            name="longest_vectors_bandwidth",
            metric="longest_vectors_bandwidth",
            regions=("copy", "add", "triad"),
            point={"access": "contiguous"},
        ),
        Reference(
            name="vector_bandwidth_by_size",
            metric="bandwidth",
            regions=("copy", "add", "triad"),
            point={"access": "contiguous"},
        ),
        # Building blocks of algorithms, by the size of the vectors.
        *(
            Reference(
                name=f"{kernel}_rate",
                metric="flop_rate",
                regions=(kernel,),
                point={"access": "contiguous"},
            )
            for kernel in _ARITHMETIC
        ),
    ),
    ceilings=(below_peak(), LOADS_AND_STORES),
    traffic=_TRAFFIC,
    headlines=(
        Headline(
            label="DAXPY, fastest",
            tells_level=True,
            metric="r_max_l1",
            region="axpy",
            point={"access": "contiguous"},
            share_of="computational intensity x the best operand rate from L1d",
        ),
        Headline(
            label="DAXPY, longest vectors",
            tells_level=True,
            metric="r_max_memory",
            region="axpy",
            point={"access": "contiguous"},
            share_of="the FMA peak, far above the memory bandwidth",
        ),
    ),
    figures=(
        Figure.curve(
            "Vector kernels over the working set",
            "flop_rate",
            "working_set_bytes",
            "working set [B]",
            series=("region", "access"),
        ),
        Figure.curve(
            "Copy and broadcast over the working set",
            "element_rate",
            "working_set_bytes",
            "working set [B]",
            series=("region", "access"),
        ),
    ),
)
