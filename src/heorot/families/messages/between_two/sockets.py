"""The record of messages/sockets: overhead of the MPI library over plain sockets."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside, pair, pair_of_nodes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

_SEVERAL = "8,64,512,4096,16384,65536,262144,1048576,4194304"
# All powers of two, if time allows.
_SIZES: dict[Profile, str] = {
    "smoke": "8,4096,1048576",
    "quick": _SEVERAL,
    "standard": _SEVERAL,
}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.2, "full": 0.5}

_estimate = by_counts(
    "messages/sockets",
    # The median is precise long before the time is used up. Verified twice, warmed up, sampled at
    # least twice, by one of both ranks at a time.
    (Cost("points", 0.6, "budget"), Cost("bytes", 2.0 * 5.0, "messages")),
    apart=("sizes",),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    return (_estimate(machine, layout.case({"budget": _BUDGET[profile], **sizes})),)


SOCKETS = Benchmark(
    name="messages/sockets",
    title="TCP sockets",
    measures="ping-pong over TCP, UDP, Unix sockets and MPI",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        BANDWIDTH,
    ),
    cases=inside(_cases, pair),
    over_nodes=between(_cases, pair_of_nodes),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "1,1001,70001"}, ranks=2),
    figures=(
        over_sizes("Half round-trip time over the message size, MPI and sockets", "latency"),
        over_sizes("Bandwidth over the message size, MPI and sockets", "bandwidth"),
    ),
    needs_mpi=True,
)
