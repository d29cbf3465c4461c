"""The record of algorithms/sparse_matrix_vector: SpMV."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Reference
from heorot.model.catalogue.usual import BANDWIDTH, FLOP_RATE, below_peak
from heorot.model.machine.machine import Machine

# Factor between working sets, and the budget of each of them [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (16.0, 0.01),
    "quick": (8.0, 0.02),
    "standard": (4.0, 0.1),
    "full": (2.0, 0.3),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 4.0, "standard": 15.0, "full": 90.0}

# Time over that of copying the same bytes: elements of x are anywhere.
_SLOWNESS = {"powerlaw": 3.0}
_estimate = by_counts(
    "algorithms/sparse_matrix_vector",
    Cost("points", 0.6, "budget"),
    # One body to warm up, one to calibrate, one to measure.
    Cost("bytes", 3.0, "memory", option="matrices", factors=_SLOWNESS),
    # The matrix is built in both formats, and every row once more by its definition.
    Cost("bytes", 0.5 / 0.4e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with all sizes; in longer profiles the largest on all, as copies and as threads."""
    growth, budget = _SWEEP[profile]

    def sized(total: int, layout: Layout) -> Case:
        largest = total // layout.copies
        options: Options = {"max-bytes": largest, "growth": growth, "budget": budget}
        options |= {"min-bytes": largest} if layout.cores > 1 else {}
        return _estimate(machine, layout.case(options))

    return tuple(
        affordable(
            layout, sized, beyond_caches_bytes(machine, layout.cores), _MOST_SECONDS[profile]
        )
        for layout in one_core_and_all(machine, profile)
    )


def _curve(metric: str, title: str) -> Figure:
    return Figure.curve(
        title,
        metric,
        "working_set_bytes",
        "matrix and vectors of each rank [B]",
        panels=("matrix",),
        series=("region", "matrix", "layout"),
    )


SPARSE_MATRIX_VECTOR = Benchmark(
    name="algorithms/sparse_matrix_vector",
    title="SpMV",
    measures="SpMV (CSR, SELL-C-sigma)",
    metrics=(FLOP_RATE, BANDWIDTH),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"min-bytes": 16384, "max-bytes": 65536}),
    publishes=(
        # By the size of the matrix, for grid matrices.
        Reference(
            name="sparse_product_rate",
            metric="flop_rate",
            regions=("csr",),
            point={"matrix": "laplace3d"},
        ),
    ),
    ceilings=(below_peak("every element of the matrix has 12 bytes for one FMA"),),
    headlines=(
        Headline(
            label="SpMV (CSR), 27-point Laplacian",
            metric="flop_rate",
            region="csr",
            point={"matrix": "laplace3d"},
            pick="largest",
            tells_level=True,
        ),
        Headline(
            label="SpMV (CSR), power-law rows",
            metric="flop_rate",
            region="csr",
            point={"matrix": "powerlaw"},
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        _curve("flop_rate", "SpMV over the matrix size"),
        _curve("bandwidth", "SpMV bandwidth over the matrix size"),
    ),
)
