"""The NAS Parallel Benchmarks."""

from __future__ import annotations

from heorot.catalogue.sizes import all_cores
from heorot.model.benchmark import (
    Benchmark,
    Case,
    Ceiling,
    Figure,
    Headline,
    Metric,
    Profile,
)
from heorot.model.machine import Machine

_MIN_SAMPLES = 10
_CLASSES: dict[Profile, tuple[str, ...]] = {
    "smoke": ("S",),
    "quick": ("W",),
    "standard": ("W", "A"),
    "full": ("W", "A", "B"),
}
# Seconds of a class on one slow core: the plan must rather wait than be cut short.
_ONE_CORE_SECONDS = {"S": 0.05, "W": 0.1, "A": 0.8, "B": 3.2}
# Of the recount in integer arithmetic that verifies the first batches of a rank.
_CHECK_SECONDS = 0.5


def _ep_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    layouts = [("one_core", 1, 1)]
    if cores > 1:
        layouts += [("all_cores_ranks", cores, 1), ("all_cores_threads", 1, cores)]
    cases = []
    for size in _CLASSES[profile]:
        for name, ranks, threads in layouts:
            body = _ONE_CORE_SECONDS[size] / (ranks * threads)
            budget = max(0.7, 1.5 * _MIN_SAMPLES * body)
            cases.append(
                Case(
                    name=f"{size}_{name}",
                    options={"class": size, "budget": budget},
                    ranks=ranks,
                    threads=threads,
                    needs_cores=ranks * threads,
                    memory_bytes=ranks * threads * (4 << 20),
                    seconds=budget + 2 * body + _CHECK_SECONDS,
                )
            )
    return tuple(cases)


EP = Benchmark(
    name="npb/ep",
    metrics=(
        Metric(name="operation_rate", unit="op/s", better="higher", count="operations"),
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops"),
    ),
    cases=_ep_cases,
    ceilings=(
        Ceiling(
            metric="flop_rate",
            by_benchmark="compute/peak",
            by_regions=("fma_double",),
            by_metric="flop_rate",
            reason="random numbers are integer work, and logarithm and root are long chains",
        ),
    ),
    headlines=(Headline(label="NPB EP", metric="operation_rate", region="ep"),),
    figures=(
        Figure(
            title="EP by layout",
            kind="bars",
            metric="operation_rate",
            series=("layout",),
        ),
    ),
)
