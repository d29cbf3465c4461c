"""The record of memory/hierarchy: bandwidth of a core in each memory level."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import ONE_CORE, Layout, Options, affordable, growing_copies
from heorot.catalogue.sizes import beyond_caches_bytes, share_of_memory
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Reference, Traffic
from heorot.model.catalogue.usual import BANDWIDTH, LOADS_AND_STORES
from heorot.model.machine.machine import Machine

KERNELS = ("read", "write", "copy", "triad")
# Working sets per doubling, and the budget of one of them [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (1.0, 0.01),
    "quick": (2.0, 0.01),
    "standard": (4.0, 0.05),
    "full": (8.0, 0.2),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 2.0, "quick": 5.0, "standard": 60.0, "full": 300.0}
# To half of the memory, instead of only past the caches, if it takes no longer than this.
_SPARE_SECONDS: dict[Profile, float] = {"smoke": 0.0, "quick": 0.0, "standard": 5.0, "full": 300.0}
# Every counted byte is fetched, also where it is only stored to (write-allocate).
_TRAFFIC = (
    Traffic(regions=("write",), carried=2.0),
    Traffic(regions=("copy",), carried=3 / 2),
    Traffic(regions=("triad",), carried=4 / 3),
)

_estimate = by_counts(
    "memory/hierarchy",
    # Most points reach a precise median long before their time is used up. A long one needs at
    # least a body to warm up, one to calibrate and one to measure, and the three kernels that store
    # try two kinds of stores twice.
    Cost("points", 0.4, "budget"),
    Cost("swept_bytes", 6.0, "memory"),
    # Filling the arrays and checking every element of the result, one after the other.
    Cost("swept_bytes", 1.0 / 3e9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core, and copies on several and all, each with its share of the working set."""
    per_octave, budget = _SWEEP[profile]

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-bytes": total // layout.copies,
            "points-per-octave": per_octave,
            "budget": budget,
        }
        return _estimate(machine, layout.case(options, "main"))

    def reaching(layout: Layout) -> Case:
        beyond = beyond_caches_bytes(machine, layout.cores)
        half = share_of_memory(machine, 0.5)
        needed = affordable(layout, sized, beyond, _MOST_SECONDS[profile])
        spared = affordable(layout, sized, half, _SPARE_SECONDS[profile])
        return max(needed, spared, key=lambda case: case.needs.memory_bytes)

    return tuple(map(reaching, (ONE_CORE, *growing_copies(machine, profile))))


HIERARCHY = Benchmark(
    name="memory/hierarchy",
    title="bandwidth sweep",
    measures="read, write, copy bandwidth of each cache level and DRAM",
    metrics=(BANDWIDTH,),
    cases=_cases,
    every_node=("one_core",),
    every_kind=("one_core",),
    estimate=_estimate,
    tiny=tiny_case({"max-bytes": 65536, "points-per-octave": 1, "places": 4}),
    derived=(
        "bandwidth_l1",
        "bandwidth_l2",
        "bandwidth_l3",
        "bandwidth_memory",
        "end_l1",
        "end_l2",
        "end_l3",
        "begin_memory",
    ),
    publishes=(
        *(
            Reference(name=f"bandwidth_{level}", metric=f"bandwidth_{level}", regions=KERNELS)
            for level in ("l1", "l2", "l3", "memory")
        ),
        *(
            Reference(name=end, metric=end, regions=("read",))
            for end in ("end_l1", "end_l2", "end_l3", "begin_memory")
        ),
        # Of every working set, one by one.
        Reference(name="bandwidth_by_working_set", metric="bandwidth", regions=KERNELS),
    ),
    ceilings=(LOADS_AND_STORES,),
    traffic=_TRAFFIC,
    headlines=(
        Headline(
            label="Read bandwidth, L1d",
            metric="bandwidth_l1",
            region="read",
        ),
        Headline(
            label="Read bandwidth, memory",
            metric="bandwidth_memory",
            region="read",
        ),
    ),
    figures=(
        Figure.curve(
            "Bandwidth of one core over the working set",
            "bandwidth",
            "working_set_bytes",
            "working set of each rank [B]",
        ),
    ),
)
