"""The record of messages/collectives: what the operations of all ranks together take."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.families.messages.durations import affordable, sampled_seconds
from heorot.families.messages.figures import over_ranks, over_sizes, winners
from heorot.families.messages.layouts import (
    THOROUGH,
    Layout,
    all_ranks,
    between,
    inside,
    powers_below,
)
from heorot.families.messages.sizes import sizes_of_doubles
from heorot.model.catalogue.benchmark import Benchmark, Case, Priority, Profile, tiny_case
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

LATENCY = "latency"
OVERLAP = "overlap"
COMPUTATION_TIME = "computation_time"
# What the regions of a started operation are called behind its name.
OVERLAPPED = "_overlapped"
TESTED = "_tested"
COMPUTATION = "_computation"
_REGIONS_OF_A_STARTED_ONE = 4

# Those that programs use most.
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
_IN_PLACE = ("gather", "allgather", "alltoall", "allreduce", "reduce_scatter_block")
BLOCKING = (*BASE, *(f"{name}_in_place" for name in _IN_PLACE))
_N_TYPES = 10
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
# Of all ranks together most is moved by those in which each has something for everybody, a third
# of the operations; where many ranks would take long for that, their buffers are too small for it.
_SHARE_OF_LARGE = 1 / 3
_MEMORY: dict[Profile, int] = {
    "smoke": 256 << 10,
    "quick": 16 << 20,
    "standard": 64 << 20,
    "full": 64 << 20,
}
_MEMORY_OVER_NODES = 8 << 20
_USED_OF_BUDGET = 0.8
# Making, wiping, filling and comparing twice; a sum is compared with all ranks [B/s].
_VERIFIED_RATE = 0.2e9


def _n_operations(asked: Asked) -> tuple[int, int]:
    """How many that block, and how many that are only started."""
    wanted = asked.word("operations")
    if wanted in {"blocking", "all"}:
        return len(BLOCKING), len(_STARTED) if wanted == "all" else 0
    names = wanted.split(",")
    n_started = sum(name in _STARTED for name in names)
    return len(names) - n_started, n_started


def _estimate(machine: Machine, case: Case) -> Case:
    """Budgets, and what the longest operations take where they are longer than those."""
    asked = Asked("messages/collectives", case)
    if asked.flag("integer-types"):
        seconds = _N_TYPES * asked.budget_seconds
        return asked.estimated(seconds)
    sizes = sizes_of_doubles(asked)
    n_blocking, n_started = _n_operations(asked)
    n_regions = n_blocking + _REGIONS_OF_A_STARTED_ONE * n_started
    # A buffer of a rank with something for everybody.
    memory = asked.number("memory")
    shares = [size * case.ranks for size in sizes if 2 * size * case.ranks <= memory]
    # A rank of the others has a message only.
    large, others = (
        sampled_seconds(machine, asked, volumes, _USED_OF_BUDGET) for volumes in (shares, sizes)
    )
    verified = (sum(shares) + sum(sizes)) / _VERIFIED_RATE
    each = _SHARE_OF_LARGE * large + (1 - _SHARE_OF_LARGE) * others + verified
    seconds = n_regions * each
    return asked.estimated(seconds)


def _layouts(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """A rank on every core; where there is time also on powers of two, to see times grow."""
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
    """On all cores of a node, where there is time, also what is started, and sums of integers."""
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
    title="collective operations",
    metrics=(
        Metric(name=LATENCY, unit="s", better="lower", count="operations"),
        Metric(name="port_bandwidth", unit="B/s", better="higher", count="port_bytes"),
        BANDWIDTH,
        Metric(name=COMPUTATION_TIME, unit="s", better="lower", count="computations"),
    ),
    cases=inside(_cases, _layouts),
    over_nodes=between(_over),
    estimate=_estimate,
    problem=("operations",),
    telling=("links", "nodes", "networks"),
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
            "Time of global sums over the ranks, by the size of their vectors",
            LATENCY,
            regions=("allreduce",),
            series=("toolchain", "bytes"),
        ),
        winners("Which toolchain is the fastest, and by how much", LATENCY, _SHOWN),
        over_sizes(
            "Share of started operations that computation hides",
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
