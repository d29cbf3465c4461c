"""The record of messages/global_sum: the sum of vectors on all ranks, by several algorithms."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import (
    THOROUGH,
    Layout,
    all_ranks,
    between,
    inside,
    powers_below,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.library import Library
from heorot.model.catalogue.metrics import Metric
from heorot.model.catalogue.usual import TIME
from heorot.model.machine.machine import Machine

OWN_REGIONS = ("hypercube", "recursive_doubling", "ring", "rabenseifner")
LIBRARY_REGIONS = ("allreduce", "allreduce_in_place")
_DOUBLE_BYTES = 8
PUBLISHED_LENGTHS = (2_097_152, 8_388_608)
_LENGTHS: dict[Profile, tuple[int, ...]] = {
    "smoke": (1, 8_192),
    "quick": (1, 128, 8_192, 131_072),
    "standard": (1, 16, 128, 1_024, 8_192, 65_536, 524_288, PUBLISHED_LENGTHS[0]),
    "full": (1, 4, 16, 128, 1_024, 8_192, 65_536, 524_288, *PUBLISHED_LENGTHS),
}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.3, "full": 1.0}

_estimate = by_counts(
    "messages/global_sum",
    # Verified twice, warmed up, sampled at least twice.
    (Cost("points", 0.8, "budget"), Cost("bytes", 5.0, "messages")),
    # Contents are generated and checked twice before and after.
    Cost("swept_bytes", 2.5e-9, "core"),
    apart=("sizes",),
)


def _layouts(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """A rank on every core; if time allows also on powers of two, as published."""
    every = all_ranks(machine)
    return (every, *(Layout(f"ranks_{n}", n) for n in powers_below(every.ranks, profile)))


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    sizes = ",".join(str(_DOUBLE_BYTES * length) for length in _LENGTHS[profile])
    sizes = affordable(machine, layout, sizes, sends=(layout.ranks - 1).bit_length())
    return (_estimate(machine, layout.case({"sizes": sizes, "budget": _BUDGET[profile]})),)


GLOBAL_SUM = Benchmark(
    name="messages/global_sum",
    measures="allreduce algorithms against MPI_Allreduce",
    title="global sum",
    metrics=(
        TIME,
        Metric(name="avg_time", unit="s", better="lower", over_ranks="mean"),
        # As published: nominal except for the hypercube, so that rates compare as times do.
        Metric(name="total_rate", unit="B/s", better="higher", count="bytes"),
        Metric(
            name="rank_rate",
            unit="B/s",
            better="higher",
            count="bytes_in_and_out",
            per_rank=True,
        ),
        Metric(name="sent_rate", unit="B/s", better="higher", count="sent_bytes"),
    ),
    cases=inside(_cases, _layouts),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    # Several segments, an odd length, and one element.
    tiny=tiny_case({"sizes": "8,72,8200", "segment": 1024}, ranks=2),
    derived=("growth",),
    libraries=(
        Library(
            name="MPI_Allreduce",
            regions=dict.fromkeys(LIBRARY_REGIONS, OWN_REGIONS),
            effort="its own choice of algorithm",
        ),
    ),
    figures=(
        over_sizes(
            "Global sum time over the vector size",
            "time",
            x_label="vector of a rank [B]",
        ),
        over_sizes(
            "Nominal bandwidth per rank, by the count of the hypercube",
            "rank_rate",
            x_label="vector of a rank [B]",
        ),
    ),
    needs_mpi=True,
)
