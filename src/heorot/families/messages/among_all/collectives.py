"""The record of messages/collectives: times of collective operations."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_ranks, over_sizes, winners
from heorot.families.messages.layouts import (
    THOROUGH,
    Layout,
    all_ranks,
    between,
    inside,
    powers_below,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Priority, Profile, tiny_case
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

LATENCY = "latency"
AVG_LATENCY = "avg_latency"
"""The mean over the ranks, as in OSU's Avg Latency and IMB's t_avg."""
OVERLAP = "overlap"
COMPUTATION_TIME = "computation_time"
# Suffixes of the regions of a nonblocking operation.
OVERLAPPED = "_overlapped"
TESTED = "_tested"
COMPUTATION = "_computation"

# The most common ones.
_SHOWN = ("bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall", "scan")
_STARTED = (
    "ibarrier",
    "ibcast",
    "igather",
    "iscatter",
    "iallgather",
    "ialltoall",
    "ireduce",
    "iallreduce",
)
BASE = (
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "neighbor_allgather",
    "neighbor_alltoall",
)
_FEW = "barrier,bcast,allreduce,alltoall"
_OPERATIONS: dict[Profile, str] = {"smoke": _FEW, "quick": _FEW}
_SIZES: dict[Profile, str] = {
    "smoke": "8,4096",
    "quick": "8,65536",
    "standard": "8,256,4096,65536,1048576",
    "full": "8,64,256,1024,4096,16384,65536,262144,1048576",
}
_FEW_SIZES = "8,4096,65536"
_STARTED_SIZES = "8,4096,65536,1048576"
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.1, "full": 0.3}
# Operations that would take long on many ranks get smaller buffers.
_MEMORY: dict[Profile, int] = {
    "smoke": 256 << 10,
    "quick": 16 << 20,
    "standard": 64 << 20,
    "full": 64 << 20,
}
_MEMORY_OVER_NODES = 8 << 20


def _ranks(asked: Asked) -> float:
    """Number of times that each rank reads the results of all."""
    return asked.case.ranks


_estimate = by_counts(
    "messages/collectives",
    # Verified twice, warmed up, sampled at least twice.
    (Cost("points", 0.85, "budget"), Cost("bytes", 5.0, "messages")),
    # Made, wiped, filled and compared twice.
    Cost("swept_bytes", 5e-9, "core", times=_ranks),
    apart=("sizes",),
)


def _layouts(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """A rank on every core; if time allows also on powers of two, for the scaling."""
    every = all_ranks(machine)
    return (every, *(Layout(f"{n}_ranks", n) for n in powers_below(every.ranks, profile)))


def _blocking(
    machine: Machine, profile: Profile, layout: Layout, priority: Priority, memory: int
) -> Case:
    options: dict[str, Scalar] = {
        "operations": _OPERATIONS.get(profile, "blocking"),
        "sizes": affordable(machine, layout, _SIZES[profile]),
        "memory": memory,
        "budget": _BUDGET[profile],
    }
    return layout.case(options, priority=priority)


def _over(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    memory = min(_MEMORY[profile], _MEMORY_OVER_NODES)
    return (_estimate(machine, _blocking(machine, profile, layout, "detail", memory)),)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    """On all cores of a node, if time allows, also nonblocking operations, and sums of integers."""
    if layout.ranks < all_ranks(machine).ranks:
        few = {"operations": _FEW, "sizes": _FEW_SIZES}
        return (_estimate(machine, layout.case({**few, "budget": _BUDGET[profile]})),)
    cases = [_blocking(machine, profile, layout, "headline", _MEMORY[profile])]
    if profile in THOROUGH:
        each = {"memory": _MEMORY[profile], "budget": _BUDGET[profile]}
        started = {"operations": ",".join(_STARTED), "sizes": _STARTED_SIZES}
        integers = {"integer-types": True, "budget": 0.05}
        cases += [
            layout.case({**started, **each}, name="started"),
            layout.case(integers, name="integer_types"),
        ]
    return tuple(_estimate(machine, case) for case in cases)


COLLECTIVES = Benchmark(
    name="messages/collectives",
    title="MPI collectives",
    measures="MPI collectives: latency, bandwidth, overlap",
    metrics=(
        Metric(name=LATENCY, unit="s", better="lower", count="operations"),
        Metric(name=AVG_LATENCY, unit="s", better="lower", count="operations", over_ranks="mean"),
        Metric(name="port_bandwidth", unit="B/s", better="higher", count="port_bytes"),
        BANDWIDTH,
        Metric(name=COMPUTATION_TIME, unit="s", better="lower", count="computations"),
    ),
    cases=inside(_cases, _layouts),
    over_nodes=between(_over),
    estimate=_estimate,
    problem=("operations",),
    suits=("links", "nodes", "networks"),
    tiny=tiny_case({"operations": "all", "sizes": "8,1048"}, ranks=3),
    derived=(OVERLAP, "growth"),
    headlines=(
        Headline(
            label="Allreduce of 8 B, all ranks",
            metric=LATENCY,
            region="allreduce",
            point={"bytes": 8},
        ),
    ),
    figures=(
        over_sizes("Time of collective operations over the message size", LATENCY, regions=_SHOWN),
        over_ranks(
            "Allreduce time over the ranks, by vector size",
            LATENCY,
            regions=("allreduce",),
            series=("toolchain", "bytes"),
        ),
        winners("Fastest toolchain, and its margin", LATENCY, _SHOWN),
        over_sizes(
            "Overlap of nonblocking collectives with computation",
            OVERLAP,
            regions=tuple(
                name + way
                for name in ("ibcast", "iallreduce", "ialltoall")
                for way in (OVERLAPPED, TESTED)
            ),
            log_y=False,
        ),
    ),
    needs_mpi=True,
)
