"""The record of algorithms/dense_eigen: eigenvalues and eigenvectors of dense matrices."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, one_core_and_copies
from heorot.families.algorithms.dense.listed import with_affordable_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import blas
from heorot.model.catalogue.metrics import Contribution, Headline, Metric
from heorot.model.catalogue.usual import TIME, below_peak
from heorot.model.machine.machine import Machine

OWN = ("values", "vectors", "rotations")
_SIZES: dict[Profile, tuple[int, ...]] = {
    "smoke": (100,),
    "quick": (32, 64, 100, 180, 300),
    "standard": (32, 64, 100, 180, 300, 1000),
    "full": (32, 64, 100, 180, 300, 500, 1000, 2000),
}
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.05, "standard": 0.3, "full": 2.0}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 4.0, "standard": 20.0, "full": 120.0}
_MOST_OF_MEMORY = 0.3

# Time of a nominal operation on a core with large matrices [s].
_SECONDS_PER_FLOP = {
    "values": 1 / 17e9,
    "vectors": 1 / 44e9,
    "rotations": 1 / 20e9,
    "lapack_values": 1 / 17e9,
    "lapack_vectors": 1 / 44e9,
}
# One body to count the work, one to calibrate, and the samples.
_LEAST_BODIES = 12
_estimate = by_counts(
    "algorithms/dense_eigen",
    Cost("points", 0.45, "budget"),
    Cost("nominal_flops", _LEAST_BODIES, "vector", option="regions", factors=_SECONDS_PER_FLOP),
    # Small matrices take longer: twice as long with some hundred rows.
    Cost("swept_bytes", _LEAST_BODIES * 4.4e-9, "vector"),
    # Residuals and products of all vectors, by plain loops.
    Cost("nominal_flops", 3.0 / 9.0 / 3e9, "vector"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with all methods; in longer profiles also a copy of ours on every core."""

    def sized(sizes: tuple[int, ...], layout: Layout) -> Case:
        options: Options = {"n": ",".join(str(n) for n in sizes), "budget": _BUDGET[profile]}
        options |= {"regions": "values,vectors"} if layout.cores > 1 else {}
        return _estimate(machine, layout.case(options))

    return tuple(
        with_affordable_sizes(machine, layout, sized, _SIZES[profile], _MOST_SECONDS[profile])
        for layout in one_core_and_copies(machine, profile)
    )


DENSE_EIGEN = Benchmark(
    name="algorithms/dense_eigen",
    title="dense symmetric eigensolver",
    measures="dense symmetric eigensolver, LAPACK dsyevd",
    metrics=(
        Metric(name="nominal_rate", unit="flop/s", better="higher", count="nominal_flops"),
        TIME,
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops", regions=OWN),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": "5,67"}),
    ceilings=(below_peak("half of the reduction is DSYMV, which is bandwidth-bound"),),
    # Of 10 n^3 flops of the classical method, Jacobi rotations have 7.
    contributions=(
        Contribution(kernel="rotation_rate", title="rotation", share=0.7, regions=("rotations",)),
        Contribution(kernel="axpy_rate", title="DAXPY", share=0.3, regions=("rotations",)),
    ),
    headlines=(
        Headline(
            label="Dense symmetric eigenproblem, nominal",
            metric="nominal_rate",
            region="vectors",
            pick="largest",
            by="n",
        ),
        Headline(
            label="Dense symmetric eigenproblem, performed",
            metric="flop_rate",
            region="vectors",
            pick="largest",
            by="n",
        ),
    ),
    figures=(
        Figure.curve(
            "Dense symmetric eigensolver: nominal flop rate over the matrix size",
            "nominal_rate",
            "n",
            "rows and columns of the matrix",
        ),
        Figure.curve(
            "Dense symmetric eigensolver: time over the matrix size",
            "time",
            "n",
            "rows and columns of the matrix",
        ),
        Figure(title="Phases of the eigensolver", kind="phases"),
    ),
    libraries=(
        blas("LAPACK", {"lapack_values": ("values",), "lapack_vectors": ("vectors", "rotations")}),
    ),
)
