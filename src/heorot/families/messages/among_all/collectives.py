"""The record of messages/collectives: what the operations of all ranks together take."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, flag, number, word
from heorot.catalogue.sizes import pace
from heorot.families.messages import layouts
from heorot.families.messages.sizes import message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Priority, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

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
_N_BLOCKING = 24
_N_TYPES = 10
_FEW = "barrier,bcast,allreduce,alltoall"
_OPERATIONS: dict[Profile, str] = {"smoke": _FEW, "quick": _FEW}
_SIZES: dict[Profile, str] = {
    "smoke": "8,4096",
    "quick": "8,65536",
    "standard": "8,256,4096,65536,1048576",
    "full": "8,64,256,1024,4096,16384,65536,262144,1048576",
}
_STARTED_SIZES = "8,4096,65536,1048576"
_SIZE_DEFAULTS = {"min-bytes": 8, "max-bytes": 1 << 20}
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
_DEFAULT_MEMORY = 256 << 20
_USED_OF_BUDGET = 0.8
# So often an operation is called if that takes longer than the budget.
_FEWEST_CALLS = 5
# Making, wiping, filling and comparing twice; a sum is compared with all ranks [B/s].
_VERIFIED_RATE = 0.2e9
# Copied into shared memory and out of it, read and written each time.
_COPIES = 4
# What a line between nodes carries if it is a slow one [B/s].
_SLOW_LINE = 100e6


_Options = dict[str, bool | int | float | str]


def _n_operations(case: Case) -> tuple[int, int]:
    """How many that block, and how many that are only started."""
    wanted = word(case, "operations", "blocking")
    if wanted in {"blocking", "all"}:
        return _N_BLOCKING, len(_STARTED) if wanted == "all" else 0
    names = wanted.split(",")
    n_started = sum(name in _STARTED for name in names)
    return len(names) - n_started, n_started


def _estimate(machine: Machine, case: Case) -> Case:
    """Budgets, and what the longest operations take where they are longer than those."""
    if flag(case, "integer-types"):
        seconds = _N_TYPES * budget_seconds(case)
        return case.model_copy(update={"memory_bytes": 1 << 20, "seconds": seconds})
    with_sizes = case.model_copy(update={"options": {**_SIZE_DEFAULTS, **case.options}})
    sizes = message_sizes(with_sizes)
    n_blocking, n_started = _n_operations(case)
    n_regions = n_blocking + _REGIONS_OF_A_STARTED_ONE * n_started
    # A buffer of a rank with something for everybody.
    memory = number(case, "memory", _DEFAULT_MEMORY)
    shares = [size * case.ranks for size in sizes if 2 * size * case.ranks <= memory]
    # A rank of the others has a message only.
    moved = sum(shares) * _SHARE_OF_LARGE + sum(sizes)
    seconds = n_regions * len(sizes) * _USED_OF_BUDGET * budget_seconds(case)
    seconds += n_regions * (sum(shares) + sum(sizes)) / _VERIFIED_RATE
    if case.nodes == 1:
        rate = pace(machine).bandwidth(case.ranks) / _COPIES
        seconds += _FEWEST_CALLS * n_regions * moved * case.ranks / rate
    else:
        seconds += _FEWEST_CALLS * n_regions * moved * case.per_node / _SLOW_LINE
    largest = max([*shares, *sizes], default=0)
    return case.model_copy(update={"memory_bytes": 2 * case.ranks * largest, "seconds": seconds})


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    layout = layouts.inside(machine)
    memory = _MEMORY[profile]
    first = _case(machine, profile, layout, memory=memory, priority="headline")
    if profile in _OPERATIONS:
        return (first,)
    started: _Options = {
        "operations": ",".join(_STARTED),
        "sizes": _STARTED_SIZES,
        "memory": memory,
    }
    return (
        first,
        _with(machine, first, "started", {**started, "budget": _BUDGET[profile]}),
        _with(machine, first, "integer_types", {"integer-types": True, "budget": 0.05}),
    )


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    memory = min(_MEMORY[profile], _MEMORY_OVER_NODES)
    return tuple(
        _case(machine, profile, layout, memory=memory, priority="detail")
        for layout in layouts.over(machine, nodes)
    )


def _case(
    machine: Machine, profile: Profile, layout: layouts.Layout, *, memory: int, priority: Priority
) -> Case:
    case = Case(
        name=layout.name,
        options={
            "operations": _OPERATIONS.get(profile, "blocking"),
            "sizes": _SIZES[profile],
            "memory": memory,
            "budget": _BUDGET[profile],
        },
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority=priority,
    )
    return _estimate(machine, case)


def _with(machine: Machine, case: Case, name: str, options: _Options) -> Case:
    """Another case of the same ranks."""
    changes = {"name": name, "options": options, "priority": "detail"}
    return _estimate(machine, case.model_copy(update=changes))


COLLECTIVES = Benchmark(
    name="messages/collectives",
    title="collective operations",
    metrics=(
        Metric(name=LATENCY, unit="s", better="lower", count="operations"),
        Metric(name="port_bandwidth", unit="B/s", better="higher", count="port_bytes"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
        Metric(name=COMPUTATION_TIME, unit="s", better="lower", count="computations"),
    ),
    cases=_cases,
    over_nodes=_over_nodes,
    estimate=_estimate,
    tiny=tiny_case({"operations": "all", "sizes": "8,1048"}, ranks=3),
    derived=(OVERLAP,),
    headlines=(
        Headline(
            label="Allreduce of 8 B, all ranks",
            metric=LATENCY,
            region="allreduce",
            point={"bytes": 8},
        ),
    ),
    figures=(
        Figure(
            title="Time of collective operations over the message size",
            kind="curve",
            metric=LATENCY,
            regions=_SHOWN,
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Which toolchain is the fastest, and by how much",
            kind="winners",
            metric=LATENCY,
            regions=_SHOWN,
            x="bytes",
            x_label="message size [B]",
        ),
        Figure(
            title="Share of started operations that computation hides",
            kind="curve",
            metric=OVERLAP,
            regions=tuple(
                name + way
                for name in ("ibcast", "iallreduce", "ialltoall")
                for way in (OVERLAPPED, TESTED)
            ),
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
        ),
    ),
    needs_mpi=True,
)
