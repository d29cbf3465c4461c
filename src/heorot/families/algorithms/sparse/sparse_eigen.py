"""The record of algorithms/sparse_eigen: a few eigenvalues of large sparse matrices."""

from __future__ import annotations

from dataclasses import replace

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, one_core_and_all
from heorot.catalogue.programs import default
from heorot.catalogue.sizes import share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, Size, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import FLOP_RATE, TIME, below_peak
from heorot.model.machine.machine import Machine

# Products until all are found: a factor times a power of the unknowns.
_MATRICES = {"laplace2d": (5.5, 1.0 / 2.0), "laplace3d": (9.5, 1.0 / 3.0)}
_UNKNOWNS: dict[Profile, int] = {
    "smoke": 1000,
    "quick": 10000,
    "standard": 40000,
    "full": 200000,
}
# On one core also smaller ones, from caches on: each this part of the next.
_SMALLER = 0.35
_N_SIZES: dict[Profile, int] = {"smoke": 1, "quick": 5, "standard": 5, "full": 6}
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.05, "standard": 0.25, "full": 1.0}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 3.0, "standard": 10.0, "full": 90.0}
_MOST_OF_MEMORY = 0.5


def _products(asked: Asked) -> float:
    """Number of products until all eigenvalues of a matrix are found."""
    factor, power = _MATRICES[asked.word("matrices")]
    return float(factor * asked.number("unknowns") ** power)


# Most vectors of the basis are read three times, from a cache faster than memory.
_PRODUCT = Cost("swept_bytes", 0.87, "memory", times=_products)
_estimate = by_counts(
    "algorithms/sparse_eigen",
    # One body to count the products, one to calibrate, one to measure.
    _PRODUCT,
    (replace(_PRODUCT, each=2.0 * _PRODUCT.each), Cost("points", 0.7, "budget")),
    apart=("unknowns", "matrices"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a matrix on every core, and one on all of them."""
    basis = int(default("algorithms/sparse_eigen", "basis"))
    smallest = 4 * basis

    def sized(unknowns: int, layout: Layout) -> Case:
        n_sizes = _N_SIZES[profile] if layout.cores == 1 else 1
        sizes = {max(smallest, int(unknowns * _SMALLER**step)) for step in range(n_sizes)}
        options: Options = {
            "unknowns": ",".join(map(str, sorted(sizes))),
            "budget": _BUDGET[profile],
        }
        return _estimate(machine, layout.case(options))

    def within_limits(layout: Layout) -> Case:
        row_bytes = layout.copies * 8 * 2 * basis
        unknowns = min(_UNKNOWNS[profile], share_of_memory(machine, _MOST_OF_MEMORY) // row_bytes)
        while (
            unknowns > smallest and sized(unknowns, layout).needs.seconds > _MOST_SECONDS[profile]
        ):
            unknowns //= 2
        return sized(max(smallest, unknowns), layout)

    return tuple(map(within_limits, one_core_and_all(machine, profile)))


SPARSE_EIGEN = Benchmark(
    name="algorithms/sparse_eigen",
    title="Lanczos",
    measures="sparse eigensolver: thick-restart Lanczos",
    metrics=(
        FLOP_RATE,
        TIME,
        Metric(name="product_time", unit="s", better="lower", count="products"),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"unknowns": 1000}),
    size=Size(coordinate="unknowns"),
    problem=("unknowns",),
    ceilings=(below_peak("orthogonalisation reads the whole basis for every new vector"),),
    headlines=(
        Headline(
            label="Lanczos, smallest eigenvalues of a box",
            metric="time",
            region="laplace3d",
            pick="largest",
            by="unknowns",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "Lanczos time over the matrix size",
            "time",
            "unknowns",
            "rows of the matrix",
        ),
    ),
)
