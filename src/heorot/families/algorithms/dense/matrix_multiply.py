"""The record of algorithms/matrix_multiply: loop orders of DGEMM."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, growing_copies, one_core_and_all
from heorot.families.algorithms.dense.listed import with_affordable_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import blas
from heorot.model.catalogue.metrics import Headline, Reference
from heorot.model.catalogue.usual import FLOP_RATE, TIME, below_peak
from heorot.model.machine.machine import Machine

TEXTBOOK = ("ijk", "jki", "ikj")
_REGIONS = (*TEXTBOOK, "blocked", "blas")
_SIZES: dict[Profile, tuple[int, ...]] = {
    "smoke": (16, 64, 250),
    "quick": (16, 33, 64, 125, 250, 500, 1000),
    "standard": (16, 33, 64, 125, 250, 500, 1000, 2000),
    "full": (16, 24, 33, 48, 64, 96, 125, 180, 250, 350, 500, 700, 1000, 1400, 2000, 4000),
}
# The textbook orders fetch a cache line per operation once columns are long.
_MOST_BY_TEXTBOOK: dict[Profile, int] = {"smoke": 64, "quick": 250, "standard": 500, "full": 1000}
# Sizes large enough for several cores.
_LEAST_OF_SEVERAL = 100
_BUDGET: dict[Profile, float] = {"smoke": 0.01, "quick": 0.03, "standard": 0.15, "full": 0.5}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 4.0, "standard": 12.0, "full": 90.0}

# Time of an operation on a core, for large matrices [s].
_BY_TEXTBOOK = {"ijk": 1 / 1.2e9, "jki": 1 / 9e9, "ikj": 1 / 0.4e9, "blocked": 0.0, "blas": 0.0}
_BY_BLOCKS = dict.fromkeys(TEXTBOOK, 0.0) | {"blocked": 1 / 36e9, "blas": 1 / 36e9}
_estimate = by_counts(
    "algorithms/matrix_multiply",
    Cost("points", 0.45, "budget"),
    # One body to calibrate, one to warm up, and at least one sample.
    Cost("flops", 4.0, "core", option="regions", factors=_BY_TEXTBOOK),
    Cost("flops", 4.0, "vector", option="regions", factors=_BY_BLOCKS),
    # Elements filled, and multiplied with vectors, to verify a region.
    Cost("bytes", 6.0 / 24.0 / 1e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also copies on several and all, and one product by all."""

    def sized(sizes: tuple[int, ...], layout: Layout) -> Case:
        options: Options = {
            "n": ",".join(str(n) for n in sizes),
            "textbook-max-n": _MOST_BY_TEXTBOOK[profile],
            "budget": _BUDGET[profile],
        }
        options |= {"regions": "jki,blocked,blas"} if layout.cores > 1 else {}
        return _estimate(machine, layout.case(options))

    some = (layout for layout in growing_copies(machine, profile) if layout.some)
    return tuple(
        with_affordable_sizes(
            machine,
            layout,
            sized,
            [n for n in _SIZES[profile] if layout.cores == 1 or n >= _LEAST_OF_SEVERAL],
            _MOST_SECONDS[profile],
        )
        for layout in (*one_core_and_all(machine, profile), *some)
    )


MATRIX_MULTIPLY = Benchmark(
    name="algorithms/matrix_multiply",
    title="DGEMM",
    measures="DGEMM: loop orders, blocked, BLAS",
    metrics=(FLOP_RATE, TIME),
    cases=_cases,
    every_kind=("one_core",),
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": "5,33,131"}),
    publishes=(
        # By the size of the matrices.
        Reference(name="matrix_product_rate", metric="flop_rate", regions=("blocked",)),
    ),
    ceilings=(
        below_peak("the textbook loops load an operand for every operation", regions=TEXTBOOK),
        below_peak(),
    ),
    headlines=(
        Headline(
            label="DGEMM, 1000 rows",
            metric="flop_rate",
            region="blocked",
            point={"n": 1000},
        ),
    ),
    figures=(
        Figure.curve(
            "DGEMM loop orders over the matrix size",
            "flop_rate",
            "n",
            "rows and columns of the matrices",
            log_y=False,
        ),
    ),
    libraries=(blas("BLAS", {"blas": ("blocked", *TEXTBOOK)}),),
)
