"""The record of memory/latency: how long a core waits for a value from each level."""

from __future__ import annotations

import math

from heorot.catalogue.asked import Asked
from heorot.catalogue.sizes import affordable_bytes, all_cores, beyond_caches_bytes, pace
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric, Reference
from heorot.model.machine.machine import Machine

CHASES = ("chase", "small_pages")
# Working sets per doubling, and the budget of one of them [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (1.0, 0.005),
    "quick": (2.0, 0.01),
    "standard": (4.0, 0.05),
    "full": (8.0, 0.1),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 5.0, "standard": 60.0, "full": 200.0}
# A line of the caches, as the program has it.
LINE_BYTES = 64
_CHAINS = 5
# Building a cycle and looking at each of its links, in random order [s per line].
_SECONDS_PER_LINE = 60e-9
_USED_OF_BUDGET = 0.5
_ALONE = "chase,parallel,small_pages,pages"


def _estimate(machine: Machine, case: Case) -> Case:
    """Points by their budgets, and the cycles that are built for them."""
    asked = Asked("memory/latency", case)
    largest = asked.number("max-bytes")
    smallest = min(asked.number("min-bytes"), largest)
    per_octave = asked.number("points-per-octave")
    regions = {*asked.items("regions")}
    octaves = math.log2(largest / smallest)
    sizes = 1.0 + per_octave * octaves
    points = sizes * len(regions & {*CHASES, "pages"})
    points += (1.0 + octaves / 2.0) * _CHAINS * ("parallel" in regions)
    points += 2.0 * (1.0 + math.log2(case.threads)) * ("loaded" in regions)
    lines = largest / LINE_BYTES / (1.0 - 2.0 ** (-1.0 / per_octave))
    n_cycles = ("small_pages" in regions) + bool(regions & {"chase", "parallel", "loaded"})
    built = n_cycles * lines * _SECONDS_PER_LINE / pace(machine).speed(case.ranks)
    return asked.estimated(points * _USED_OF_BUDGET * asked.budget_seconds + built)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core alone, and beside all others that read."""
    per_octave, budget = _SWEEP[profile]
    cores = all_cores(machine)

    def sized(largest: int, threads: int) -> Case:
        alone = threads == 1
        options: dict[str, bool | int | float | str] = {
            "regions": _ALONE if alone else "loaded",
            "max-bytes": largest,
            "points-per-octave": per_octave if alone else 1.0,
            "budget": budget if alone else 10.0 * budget,
        }
        case = Case(
            name="one_core" if alone else "loaded",
            options=options | ({} if alone else {"min-bytes": largest}),
            threads=threads,
            priority="headline" if alone else "main",
        )
        return _estimate(machine, case)

    def affordable(threads: int) -> Case:
        largest = affordable_bytes(
            beyond_caches_bytes(machine, threads),
            lambda size: sized(size, threads).needs.seconds,
            _MOST_SECONDS[profile],
        )
        return sized(largest, threads)

    return tuple(affordable(threads) for threads in ((1, cores) if cores > 1 else (1,)))


LATENCY = Benchmark(
    name="memory/latency",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="loads", per_rank=True),
        Metric(
            name="bandwidth", unit="B/s", better="higher", count="bytes", regions=("streaming",)
        ),
    ),
    cases=_cases,
    every_node=("one_core",),
    every_kind=("one_core",),
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-bytes": 65536, "points-per-octave": 1}),
    derived=(
        "latency_l1",
        "latency_l2",
        "latency_l3",
        "latency_memory",
        "cycles_l1",
        "cycles_l2",
        "cycles_l3",
        "cycles_memory",
        "end_l1",
        "end_l2",
        "end_l3",
        "begin_memory",
        "parallelism",
        "translation",
        "translation_reach",
    ),
    publishes=(
        Reference(name="latency_memory", metric="latency_memory", regions=("chase",)),
        # While as many cores read as its point says.
        Reference(name="loaded_latency", metric="latency", regions=("loaded",)),
    ),
    headlines=(Headline(label="Latency of memory", metric="latency_memory", region="chase"),),
    figures=(
        Figure.curve(
            "How long a load waits, over the working set",
            "latency",
            "working_set_bytes",
            "working set [B]",
            regions=(*CHASES, "pages"),
            series=("region",),
        ),
        Figure.curve(
            "What a load costs if several wait at once",
            "latency",
            "chains",
            "chains",
            regions=("parallel",),
            series=("working_set_bytes",),
        ),
        Figure.curve(
            "How long a load waits while other cores read",
            "latency",
            "streams",
            "cores that read",
            regions=("loaded",),
            least_values=2,
            log_x=False,
            log_y=False,
            series=("region",),
        ),
    ),
)
