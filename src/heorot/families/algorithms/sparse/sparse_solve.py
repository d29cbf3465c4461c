"""The record of algorithms/sparse_solve: sparse linear systems, solved by iteration."""

from __future__ import annotations

from dataclasses import replace

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, one_core_and_all
from heorot.catalogue.sizes import share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, Size, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Contribution, Headline, Metric
from heorot.model.catalogue.usual import FLOP_RATE, TIME, below_peak
from heorot.model.machine.machine import Machine

# Steps per point of a side of the grid.
_STEPS = {
    "cg_jacobi": 3.1,
    "cg_sgs": 1.15,
    "cg_ic0": 1.05,
    "bicgstab_jacobi": 2.4,
    "bicgstab_ilu0": 0.5,
}
_SIDES: dict[Profile, int] = {"smoke": 16, "quick": 40, "standard": 64, "full": 100}
# On one core also smaller grids, from caches on: these parts of the largest side.
_PARTS: dict[Profile, tuple[float, ...]] = {
    "smoke": (),
    "quick": (0.2, 0.3, 0.45, 0.65),
    "standard": (0.15, 0.2, 0.3, 0.45),
    "full": (0.1, 0.15, 0.2, 0.3, 0.45, 0.65, 0.8),
}
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.03, "standard": 0.2, "full": 1.0}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 4.0, "standard": 12.0, "full": 90.0}
# A grid that takes too long is reduced to this part of its side, repeatedly.
_SMALLER, _SMALLEST = 0.8, 8
_LEAST_SIDE = 4
_MOST_OF_MEMORY = 0.5
# A, M, the data to build it, vectors, and the order of the unknowns.
_BYTES_PER_UNKNOWN = 600


def _steps(asked: Asked) -> float:
    """Number of steps until a system is solved."""
    return _STEPS[asked.word("methods")] * asked.number("n")


_STEP = Cost("step_bytes", 1.0, "memory", times=_steps)
_estimate = by_counts(
    "algorithms/sparse_solve",
    # Building matrix and M and checking the result, mostly by one thread.
    Cost("working_set_bytes", 2.5e-9, "core", alone=True),
    # One body to count the steps, one to calibrate, one to measure.
    _STEP,
    (replace(_STEP, each=2.0), Cost("points", 0.7, "budget")),
    apart=("n", "methods"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a system on every core, and one on all of them."""

    def sized(side: int, layout: Layout) -> Case:
        parts = _PARTS[profile] if layout.cores == 1 else ()
        sides = sorted({max(_LEAST_SIDE, int(part * side)) for part in (*parts, 1.0)})
        options: Options = {"n": ",".join(map(str, sides)), "budget": _BUDGET[profile]}
        return _estimate(machine, layout.case(options))

    def within_limits(layout: Layout) -> Case:
        fitting = share_of_memory(machine, _MOST_OF_MEMORY) // layout.copies // _BYTES_PER_UNKNOWN
        side = min(_SIDES[profile], int(fitting ** (1.0 / 3.0)))
        while side > _SMALLEST and sized(side, layout).needs.seconds > _MOST_SECONDS[profile]:
            side = int(_SMALLER * side)
        return sized(max(_SMALLEST, side), layout)

    return tuple(map(within_limits, one_core_and_all(machine, profile)))


SPARSE_SOLVE = Benchmark(
    name="algorithms/sparse_solve",
    measures="preconditioned CG and BiCGStab",
    title="sparse solver",
    metrics=(
        FLOP_RATE,
        TIME,
        Metric(name="step_time", unit="s", better="lower", count="steps"),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": 7}),
    size=Size(coordinate="unknowns"),
    problem=("n",),
    ceilings=(below_peak("every step reads matrix, factors and vectors for few operations"),),
    # Of 27 flops per unknown and step, SpMV has 14, dot products and axpys three each.
    contributions=(
        Contribution(
            kernel="sparse_product_rate",
            title="SpMV",
            share=14 / 27,
            regions=("cg_jacobi",),
        ),
        Contribution(kernel="dotproduct_rate", title="DDOT", share=6 / 27, regions=("cg_jacobi",)),
        Contribution(kernel="axpy_rate", title="DAXPY", share=6 / 27, regions=("cg_jacobi",)),
        Contribution(
            kernel="multiply_rate", title="vector multiply", share=1 / 27, regions=("cg_jacobi",)
        ),
    ),
    headlines=(
        Headline(
            label="Sparse CG, incomplete Cholesky",
            metric="time",
            region="cg_ic0",
            pick="largest",
            by="unknowns",
            tells_level=True,
        ),
        Headline(
            label="Sparse BiCGSTAB, convection-diffusion",
            metric="time",
            region="bicgstab_ilu0",
            pick="largest",
            by="unknowns",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve("Sparse solver time over the unknowns", "time", "unknowns", "unknowns"),
        Figure.curve(
            "Sparse solver flop rate over the unknowns",
            "flop_rate",
            "working_set_bytes",
            "matrix, factors and vectors of each rank [B]",
        ),
    ),
)
