"""The record of messages/ring: bandwidth per rank when all ranks send at once."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

# One and both, of each region: in natural and in random order.
_DIRECTIONS = (1, 2, 1, 2)
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.15, "full": 0.5}
# All powers of two, if time allows.
_SIZES: dict[Profile, str] = {
    "smoke": "8,1024,65536",
    "quick": "8,64,1024,8192,65536,524288,4194304",
    "standard": "8,64,512,2048,8192,32768,131072,524288,1048576,4194304",
}

_estimate = by_counts(
    "messages/ring",
    Cost("points", 0.6, "budget"),
    # A body of random orders includes all of them, and is rarely repeated.
    Cost("bytes", 1.5, "messages"),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    options: dict[str, Scalar] = {"budget": _BUDGET[profile]}
    if profile in _SIZES:
        options["sizes"] = affordable(machine, layout, _SIZES[profile], sends=max(_DIRECTIONS))
    return (_estimate(machine, layout.case(options)),)


RING = Benchmark(
    name="messages/ring",
    measures="bandwidth per rank in natural and random rings",
    title="messages in a ring",
    metrics=(
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", per_rank=True),
        Metric(name="latency", unit="s", better="lower", count="messages", per_rank=True),
    ),
    cases=inside(_cases),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,24,4104", "permutations": 3}, ranks=3),
    figures=(
        over_sizes("Bandwidth per rank in a ring", "bandwidth"),
        over_sizes("Time of a message in a ring", "latency"),
    ),
    needs_mpi=True,
)
