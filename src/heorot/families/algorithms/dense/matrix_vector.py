"""The record of algorithms/matrix_vector: forms of DGEMV."""

from __future__ import annotations

import math

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import blas
from heorot.model.catalogue.metrics import Contribution, Headline, Reference
from heorot.model.catalogue.usual import BANDWIDTH, FLOP_RATE, below_peak
from heorot.model.machine.machine import Machine

FORMS = ("dot_strided", "dot_rows", "axpy", "blocked")
_REGIONS = (*FORMS, "blas")
# Matrices per doubling of n, and the budget of one region [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (0.5, 0.005),
    "quick": (1.0, 0.01),
    "standard": (2.0, 0.05),
    "full": (4.0, 0.2),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 0.7, "quick": 2.0, "standard": 10.0, "full": 60.0}

# Time of a body beyond the caches over that of copying the same bytes: rows with each element in
# another line use an eighth of each line, and another page each.
_SLOWNESS = {"dot_strided": 10.0}
_estimate = by_counts(
    "algorithms/matrix_vector",
    Cost("points", 0.4, "budget"),
    # One body to count the work, one to calibrate, and the samples.
    Cost("bytes", 12.0, "memory", option="regions", factors=_SLOWNESS),
    # Two matrices are filled for all regions together.
    Cost("bytes", 2.0 / len(_REGIONS) / 1.5e9, "core"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a copy on every core, and one product by all of them."""
    per_octave, budget = _SWEEP[profile]

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-n": math.isqrt(total // layout.copies // 8),
            "points-per-octave": per_octave,
            "budget": budget,
        }
        # The forms that gain from several cores, and a library's.
        options |= {"regions": "dot_rows,axpy,blocked,blas"} if layout.cores > 1 else {}
        return _estimate(machine, layout.case(options))

    return tuple(
        affordable(
            layout, sized, beyond_caches_bytes(machine, layout.cores), _MOST_SECONDS[profile]
        )
        for layout in one_core_and_all(machine, profile)
    )


MATRIX_VECTOR = Benchmark(
    name="algorithms/matrix_vector",
    title="DGEMV",
    measures="DGEMV: dot, axpy, blocked, BLAS",
    metrics=(FLOP_RATE, BANDWIDTH),
    cases=_cases,
    estimate=_estimate,
    tiny=tiny_case({"min-n": 13, "max-n": 61, "points-per-octave": 0.5}),
    publishes=(
        # By the size of the matrix.
        Reference(name="matrix_vector_rate", metric="flop_rate", regions=("blocked",)),
    ),
    ceilings=(below_peak("every element of the matrix is loaded for one FMA"),),
    contributions=(
        Contribution(
            kernel="dotproduct_rate",
            title="DDOT",
            share=1.0,
            regions=("dot_rows", "dot_strided"),
        ),
        Contribution(kernel="axpy_rate", title="DAXPY", share=1.0, regions=("axpy", "blocked")),
    ),
    headlines=(
        Headline(
            label="DGEMV, fastest",
            metric="flop_rate",
            region="blocked",
            tells_level=True,
        ),
        Headline(
            label="DGEMV, largest matrix",
            metric="flop_rate",
            region="blocked",
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "DGEMV variants over the matrix size",
            "flop_rate",
            "n",
            "rows and columns of the matrix",
        ),
        Figure.curve(
            "DGEMV bandwidth over the matrix size",
            "bandwidth",
            "working_set_bytes",
            "matrix and vectors of each rank [B]",
        ),
    ),
    libraries=(blas("BLAS", {"blas": FORMS}),),
)
