"""The record of memory/latency: load latency of each memory level."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.sizes import affordable_bytes, all_cores, beyond_caches_bytes
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
# A cache line, as in the program.
LINE_BYTES = 64
_ALONE = "chase,parallel,small_pages,pages"

# The cycle is built for the whole working set of a region: several chains share one cycle.
_BUILT = {"parallel": 0.0, "pages": 0.0, "loaded": 0.25}
_estimate = by_counts(
    "memory/latency",
    Cost("points", 0.5, "budget", option="regions", factors={"loaded": 1.5}),
    # Building a cycle and checking each of its links, in random order.
    Cost("swept_bytes", 60e-9 / LINE_BYTES, "core", True, "regions", _BUILT),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core by itself, and with all others reading."""
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
    title="memory latency",
    measures="load latency of each level, dTLB reach, MLP",
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
    problem=("regions",),
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
        # While as many cores read as its point has.
        Reference(name="loaded_latency", metric="latency", regions=("loaded",)),
    ),
    headlines=(Headline(label="Memory latency", metric="latency_memory", region="chase"),),
    figures=(
        Figure.curve(
            "Load latency over the working set",
            "latency",
            "working_set_bytes",
            "working set [B]",
            regions=(*CHASES, "pages"),
            series=("region",),
        ),
        Figure.curve(
            "Time per load over parallel chains (MLP)",
            "latency",
            "chains",
            "chains",
            regions=("parallel",),
            series=("working_set_bytes",),
        ),
        Figure.curve(
            "Loaded latency over the number of reading cores",
            "latency",
            "streams",
            "reading cores",
            regions=("loaded",),
            least_values=2,
            log_x=False,
            log_y=False,
            series=("region",),
        ),
    ),
)
