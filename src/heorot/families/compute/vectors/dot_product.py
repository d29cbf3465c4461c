"""The record of compute/dot_product: DDOT by length, loop and compiler."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_copies
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import blas
from heorot.model.catalogue.metrics import Headline
from heorot.model.catalogue.usual import BANDWIDTH, FLOP_RATE, LOADS_AND_STORES, below_peak
from heorot.model.machine.machine import Machine

# The last two only with a Fortran compiler, or a library.
KERNELS = ("simple", "unrolled", "fortran", "blas")
# Lengths per doubling, and the budget of one of them [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (0.5, 0.005),
    "quick": (1.0, 0.01),
    "standard": (2.0, 0.05),
    "full": (4.0, 0.2),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 3.0, "standard": 12.0, "full": 90.0}

_estimate = by_counts(
    "compute/dot_product",
    # Most points reach a precise median long before their time is used up. A long one needs at
    # least a body to warm up, one to calibrate and one to measure.
    Cost("points", 0.4, "budget"),
    Cost("swept_bytes", 3.0, "memory"),
    # Products that are checked; dependent additions take as long each time.
    Cost("swept_bytes", 1.5e-9 / 16.0, "core", option="kernels", factors={"simple": 1.0 + 3.0}),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core, and later copies on all, each with its share of the memory beyond the caches."""
    per_octave, budget = _SWEEP[profile]

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-bytes": total // layout.copies,
            "points-per-octave": per_octave,
            "budget": budget,
        }
        return _estimate(machine, layout.case(options))

    return tuple(
        affordable(
            layout, sized, beyond_caches_bytes(machine, layout.cores), _MOST_SECONDS[profile]
        )
        for layout in one_core_and_copies(machine, profile)
    )


DOT_PRODUCT = Benchmark(
    name="compute/dot_product",
    title="DDOT",
    measures="DDOT by length: naive, unrolled, Fortran, BLAS",
    metrics=(FLOP_RATE, BANDWIDTH),
    cases=_cases,
    estimate=_estimate,
    libraries=(blas("BLAS", {"blas": ("simple", "unrolled")}),),
    fortran_regions=("fortran",),
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-bytes": 12800, "points-per-octave": 1.0, "products": 1000}),
    ceilings=(below_peak("each FMA needs two loads"), LOADS_AND_STORES),
    headlines=(
        Headline(
            label="DDOT, unrolled",
            metric="flop_rate",
            region="unrolled",
            tells_level=True,
        ),
    ),
    figures=(Figure.curve("DDOT over the vector length", "flop_rate", "n", "elements"),),
)
