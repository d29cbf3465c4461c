"""The record of algorithms/dense_solve: dense LU."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, one_core_and_all
from heorot.families.algorithms.dense.listed import with_affordable_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import blas
from heorot.model.catalogue.metrics import Contribution, Headline
from heorot.model.catalogue.usual import FLOP_RATE, TIME, below_peak
from heorot.model.machine.machine import Machine

_SIZES: dict[Profile, tuple[int, ...]] = {
    "smoke": (33, 100, 250),
    "quick": (33, 100, 250, 500, 1000),
    "standard": (33, 100, 250, 500, 1000, 2000),
    "full": (33, 64, 100, 180, 250, 500, 700, 1000, 1400, 2000, 4000, 8000),
}
# Sizes large enough for several cores.
_LEAST_OF_SEVERAL = 250
_BUDGET: dict[Profile, float] = {"smoke": 0.01, "quick": 0.05, "standard": 0.2, "full": 1.0}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 4.0, "standard": 12.0, "full": 90.0}

# Time of an operation on a core with large matrices; threads wait for a panel [s].
_SECONDS_PER_FLOP = 1 / 32e9
_SHARE_IN_PANELS = 0.1
# One body to calibrate, one to warm up, and at least one sample.
_LEAST_BODIES = 4
_estimate = by_counts(
    "algorithms/dense_solve",
    Cost("points", 0.5, "budget"),
    Cost("flops", _LEAST_BODIES * _SECONDS_PER_FLOP * (1.0 - _SHARE_IN_PANELS), "vector"),
    Cost("flops", _LEAST_BODIES * _SECONDS_PER_FLOP * _SHARE_IN_PANELS, "vector", alone=True),
    # Elements filled, copied for every body, and multiplied to verify a region.
    Cost("bytes", 12.0 / 24.0 / 0.5e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a copy on every core, and one system by all of them."""

    def sized(sizes: tuple[int, ...], layout: Layout) -> Case:
        options: Options = {
            "n": ",".join(str(n) for n in sizes),
            "budget": _BUDGET[profile],
        }
        return _estimate(machine, layout.case(options))

    return tuple(
        with_affordable_sizes(
            machine,
            layout,
            sized,
            [n for n in _SIZES[profile] if layout.cores == 1 or n >= _LEAST_OF_SEVERAL],
            _MOST_SECONDS[profile],
        )
        for layout in one_core_and_all(machine, profile)
    )


DENSE_SOLVE = Benchmark(
    name="algorithms/dense_solve",
    title="dense LU",
    measures="dense LU (HPL-like): blocked, LAPACK",
    metrics=(FLOP_RATE, TIME),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": "5,33,301"}),
    ceilings=(below_peak(),),
    # An unblocked elimination consists of DAXPYs, and recurrences in the substitutions. No region
    # is one: with 1000 rows, panels (eight columns wide in the end) and substitutions have 1 % of
    # the flops.
    contributions=(
        Contribution(
            kernel="matrix_product_rate",
            title="DGEMM",
            share=1.0,
            regions=("blocked",),
        ),
    ),
    headlines=(
        Headline(
            label="Dense LU (HPL-like), 1000 rows",
            metric="flop_rate",
            region="blocked",
            point={"n": 1000},
        ),
    ),
    figures=(
        Figure.curve(
            "Dense LU over the matrix size",
            "flop_rate",
            "n",
            "rows of the matrix",
            log_y=False,
        ),
        Figure(title="Phases of the LU factorisation", kind="phases"),
    ),
    libraries=(blas("LAPACK", {"lapack": ("blocked",)}),),
)
