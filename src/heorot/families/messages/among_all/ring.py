"""The record of messages/ring: what every rank gets when all of them send at once."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.families.messages.sizes import message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

# Natural and random order, one direction and both.
_REGIONS = 4
# Each direction has a buffer for what leaves and one for what comes.
_BUFFERS = 4
_USED_OF_BUDGET = 0.6
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.15, "full": 0.5}
# All powers of two where there is time for them.
_SIZES: dict[Profile, str] = {
    "smoke": "8,1024,65536",
    "quick": "8,64,1024,8192,65536,524288,4194304",
    "standard": "8,64,512,2048,8192,32768,131072,524288,1048576,4194304",
}


def _estimate(machine: Machine, case: Case) -> Case:
    """Buffers of each rank, besides what the library holds back."""
    del machine
    sizes = message_sizes(case)
    buffers = _BUFFERS * max(sizes, default=0) + (1 << 20)
    seconds = _REGIONS * len(sizes) * _USED_OF_BUDGET * budget_seconds(case)
    return case.model_copy(update={"memory_bytes": case.ranks * buffers, "seconds": seconds})


def _ring_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_case(machine, profile, inside(machine)),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    case = Case(
        name=layout.name,
        options={**sizes, "budget": _BUDGET[profile]},
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


RING = Benchmark(
    name="messages/ring",
    title="messages in a ring",
    metrics=(
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", per_rank=True),
        Metric(name="latency", unit="s", better="lower", count="messages", per_rank=True),
    ),
    cases=_ring_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,24,4104", "permutations": 3}, ranks=3),
    figures=(
        Figure(
            title="What each rank sends per second in a ring",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Time of a message in a ring",
            kind="curve",
            metric="latency",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
