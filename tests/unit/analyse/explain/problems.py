"""Problems of an invented program on chosen core counts, with rates chosen by hand."""

from __future__ import annotations

from typing import Any

from heorot.analyse.explain.reach import Reach
from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Size
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Cache, Machine
from heorot.model.run.plan import Step
from tests.unit.analyse import builders

MIB = 1 << 20
_FLOPS = Metric(name="flop_rate", unit="flop/s", better="higher", count="flops")
SOLVER = builders.a_benchmark(
    "grids/solver",
    title="Solver",
    metrics=(_FLOPS,),
    size=Size(coordinate="class", order=("S", "W", "A")),
)
"""A program whose problems have classes."""
DUST = builders.a_benchmark(
    "grids/dust", title="Dust", metrics=(_FLOPS,), size=Size(coordinate="particles")
)
"""A program whose problems have a number of particles."""


def a_rate(rate: float, *, ranks: int = 1, threads: int = 1, **changes: Any) -> Result:
    """A rate of the solver's class W whose case is named after its layout."""
    size = "_".join(map(str, changes.setdefault("point", {"class": "W"}).values()))
    fields: dict[str, Any] = {
        "benchmark": SOLVER.name,
        "region": "solve",
        "metric": "flop_rate",
        "unit": "flop/s",
        "case": f"{size}_{ranks}x{threads}",
        "median": rate,
        "ranks": ranks,
        "threads": threads,
    }
    return builders.a_result(**(fields | changes))


def of_dust(rate: float, particles: int, **changes: Any) -> Result:
    """A rate of the other program."""
    return a_rate(rate, benchmark=DUST.name, point={"particles": particles}, **changes)


def a_run_of(*rows: Result) -> Context:
    """A run of these rows."""
    return builders.a_context(rows, benchmarks=(SOLVER, DUST))


def a_step_of(row: Result, memory_bytes: int) -> Step:
    """The step that a row came from."""
    return builders.a_step(
        setup=row.setup,
        memory_bytes=memory_bytes,
    )


def a_division(row: Result, communication: float, imbalance: float = 0.0) -> Breakdown:
    """The breakdown of the time of a row's bodies."""
    return builders.a_breakdown(
        key=row.key,
        computation=builders.exactly(1.0 - communication - imbalance),
        imbalance=builders.exactly(imbalance),
        communication=builders.exactly(communication),
    )


def a_machine_with(*caches: tuple[int, int, int, int]) -> Machine:
    """Levels given as level, size [B], hardware threads that share one, instances."""
    found = tuple(
        Cache(level=level, kind="unified", size_bytes=size, n_cpus=n_cpus, n_instances=n)
        for level, size, n_cpus, n in caches
    )
    return builders.a_machine(caches=found)


BLIND = Reach([], a_machine_with())
"""Without caches and working sets."""
