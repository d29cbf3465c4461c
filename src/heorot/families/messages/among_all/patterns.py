"""The record of messages/patterns: bandwidth of common communication patterns."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric, Reference
from heorot.model.catalogue.references import BISECTION
from heorot.model.catalogue.usual import BANDWIDTH, TIME
from heorot.model.machine.machine import Machine

_NAME = "messages/patterns"
PORT = "port_bandwidth"
PEAK = "peak_port_bandwidth"
# One of each kind, if time does not allow all.
_FEW = "pingpong,broadcast,transposition,bisection_regular_both,neighbours_2d_both"
_PATTERNS: dict[Profile, str] = {"smoke": _FEW, "quick": _FEW}
_SIZES: dict[Profile, str] = {
    "smoke": "65536",
    "quick": "8,1048576",
    "standard": "8,1024,16384,131072,1048576",
    "full": "8,128,2048,16384,65536,262144,1048576,4194304",
}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.1, "full": 0.3}

_estimate = by_counts(
    _NAME,
    # Verified twice, warmed up, sampled at least twice.
    (Cost("points", 0.7, "budget"), Cost("bytes", 5.0, "messages")),
    # Made, wiped, filled and compared twice.
    Cost("swept_bytes", 2.5e-9, "core"),
    apart=("sizes",),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    case = layout.case(
        {
            "patterns": _PATTERNS.get(profile, "all"),
            "sizes": affordable(machine, layout, _SIZES[profile]),
            "budget": _BUDGET[profile],
        }
    )
    return (_estimate(machine, case),)


PATTERNS = Benchmark(
    name=_NAME,
    title="communication patterns",
    measures="bandwidth of communication patterns, bisection",
    metrics=(
        BANDWIDTH,
        Metric(name=PORT, unit="B/s", better="higher", count="port_bytes"),
        TIME,
    ),
    cases=inside(_cases),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,1000"}, ranks=3),
    derived=(PEAK,),
    publishes=(Reference(name=BISECTION, metric=PEAK, regions=("bisection_regular_both",)),),
    figures=(
        Figure.bars("Largest port bandwidth by pattern", PEAK, ("layout", "toolchain")),
        over_sizes("Port bandwidth over the message size", PORT),
    ),
    needs_mpi=True,
)
