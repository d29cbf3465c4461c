"""The record of algorithms/linear_solver: dense equations, solved by iteration over ranks."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import name_of, ranks_on_each
from heorot.catalogue.sizes import all_cores, share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, Size, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Contribution, Headline
from heorot.model.catalogue.usual import FLOP_RATE, TIME, below_peak
from heorot.model.machine.machine import Machine

# Rows of the matrix; the first is the benchmark's original size.
DIMENSION = 1500
_DIMENSIONS: dict[Profile, tuple[int, ...]] = {
    "smoke": (DIMENSION,),
    "quick": (DIMENSION,),
    "standard": (DIMENSION, 4000),
    "full": (DIMENSION, 4000, 10000),
}
_BUDGET: dict[Profile, float] = {"smoke": 0.1, "quick": 0.3, "standard": 1.0, "full": 4.0}
# A larger matrix than the first is left out if it takes longer [s].
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 3.0, "standard": 10.0, "full": 60.0}
_MOST_OF_MEMORY = 0.3
# Steps of a solution, at any size.
_STEPS = 125

_estimate = by_counts(
    "algorithms/linear_solver",
    # Elements are computed with a division, twice: for the matrix and for its residual.
    Cost("step_flops", 1e-8, "core", alone=True),
    # One body to count the steps, one to calibrate, one to measure.
    Cost("step_bytes", _STEPS, "memory"),
    (Cost("step_bytes", 2.0 * _STEPS, "memory"), Cost("points", 0.8, "budget")),
)


def _case(machine: Machine, profile: Profile, n: int, case: Case) -> Case:
    """A layout with a matrix of n rows."""
    name = case.name if n == DIMENSION else f"{case.name}_{n}"
    options = case.options | {"n": n, "budget": _BUDGET[profile]}
    return _estimate(machine, case.model_copy(update={"name": name, "options": options}))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; all of them as ranks; in longer profiles also as threads and as copies."""
    cores = all_cores(machine)
    layouts = [Case(name="one_core", options={}, priority="headline")]
    if cores > 1:
        layouts.append(Case(name="all_cores_ranks", options={}, ranks=cores))
    if cores > 1 and profile in {"standard", "full"}:
        layouts += [
            Case(name="all_cores", options={}, threads=cores, priority="detail"),
            Case(
                name="all_cores_copies",
                options={"star": True},
                ranks=cores,
                priority="detail",
            ),
        ]
    every = [
        _case(machine, profile, n, layout)
        for n in _DIMENSIONS[profile]
        for layout in layouts
        # Copies of large matrices exceed the memory of many nodes.
        if n == DIMENSION or not layout.options
    ]
    return tuple(case for case in every if _is_affordable(machine, profile, case))


def _is_affordable(machine: Machine, profile: Profile, case: Case) -> bool:
    """Whether time and memory suffice, as they must for the first size."""
    return case.options["n"] == DIMENSION or (
        case.needs.seconds <= _MOST_SECONDS[profile]
        and case.needs.memory_bytes <= share_of_memory(machine, _MOST_OF_MEMORY)
    )


def _over_nodes(
    machine: Machine, profile: Profile, nodes: int, per_node: Sequence[int] = ()
) -> tuple[Case, ...]:
    """Numbers of ranks per node, in turn."""
    cores = all_cores(machine)
    return tuple(
        _case(
            machine,
            profile,
            n,
            Case(
                name=f"{name_of(nodes, each)}x1",
                options={},
                ranks=nodes * each,
                nodes=nodes,
                priority="main" if each == cores else "detail",
            ),
        )
        for n in _DIMENSIONS[profile]
        for each in ranks_on_each(machine, per_node, sharing=nodes)
    )


LINEAR_SOLVER = Benchmark(
    name="algorithms/linear_solver",
    title="dense CG",
    measures="CG with a dense matrix, over ranks",
    metrics=(FLOP_RATE, TIME),
    cases=_cases,
    over_nodes=_over_nodes,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": 61}),
    size=Size(coordinate="unknowns"),
    problem=("n",),
    suits=("nodes",),
    ceilings=(below_peak("every element of the matrix is loaded for one FMA"),),
    # Of 2 n^2 + 10 n flops in a step, the product has all but a few.
    contributions=(Contribution(kernel="matrix_vector_rate", title="DGEMV", share=1.0),),
    headlines=(
        Headline(
            label=f"Dense CG, {DIMENSION} unknowns",
            metric="time",
            region="cg",
            point={"unknowns": DIMENSION},
            tells_level=True,
        ),
        Headline(
            label=f"Dense CG, {DIMENSION} unknowns, over nodes",
            metric="time",
            region="cg",
            point={"unknowns": DIMENSION},
            nodes="several",
        ),
    ),
    figures=(
        Figure.curve(
            "Dense CG over the cores",
            "flop_rate",
            "cores",
            "cores",
            least_values=2,
            series=("unknowns", "way"),
        ),
    ),
)
