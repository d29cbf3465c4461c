"""The record of messages/b_eff: latency and bandwidth as HPC Challenge defines them."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Priority, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric, Reference
from heorot.model.catalogue.references import RANDOM_RINGS
from heorot.model.machine.machine import Machine

PAIRS = "pingpong"
WAYS = ("sendrecv", "nonblocking")
"""Regions of rings are the order and one of these: the better one counts."""
ORDERS = ("natural", "random")

_RINGS = tuple(f"{order}_{way}" for order in ORDERS for way in WAYS)
_BUDGET: dict[Profile, float] = {"smoke": 0.01, "quick": 0.02, "standard": 0.05, "full": 0.1}
# HPC Challenge's number of random rings, if time allows.
_FEWER: dict[Profile, dict[str, int]] = {
    "smoke": {"latency-patterns": 2, "bandwidth-patterns": 2, "pairs": 2},
    "quick": {"latency-patterns": 10, "bandwidth-patterns": 5, "pairs": 10},
    "standard": {"pairs": 50},
}


def _in_turn(asked: Asked) -> float:
    """Pairs send over a node's line one at a time, rings over all lines at once."""
    orders = len(WAYS) * (1.0 + asked.number("bandwidth-patterns"))
    in_rings = orders * 2.0 * asked.case.ranks * asked.number("bandwidth-bytes")
    of_pairs = 1.0 - in_rings / asked.amount("bytes")
    return 1.0 + of_pairs * (asked.case.nodes - 1)


_estimate = by_counts(
    "messages/b_eff",
    # Of short messages, and of long ones: verified twice, warmed up, sampled at least twice.
    Cost("points", 0.4, "budget"),
    (Cost("points", 0.3, "budget"), Cost("bytes", 5.0, "messages", times=_in_turn)),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    options = {**_FEWER.get(profile, {}), "budget": _BUDGET[profile]}
    stands_for_it = layout.nodes == 1 and profile in THOROUGH
    priority: Priority = "headline" if stands_for_it else "detail"
    return (_estimate(machine, layout.case(options, priority=priority)),)


B_EFF = Benchmark(
    name="messages/b_eff",
    measures="b_eff of HPC Challenge: ping-pong and rings",
    title="b_eff of HPC Challenge",
    metrics=(
        Metric(
            name="ring_bandwidth",
            unit="B/s",
            better="higher",
            count="bytes",
            regions=_RINGS,
            per_rank=True,
        ),
        Metric(
            name="ring_latency",
            unit="s",
            better="lower",
            count="messages",
            regions=_RINGS,
            per_rank=True,
        ),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", regions=(PAIRS,)),
        Metric(name="latency", unit="s", better="lower", count="messages", regions=(PAIRS,)),
    ),
    cases=inside(_cases),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    suits=("nodes",),
    publishes=(
        Reference(
            name=RANDOM_RINGS,
            metric=f"{ORDERS[1]}_ring_bandwidth",
            regions=tuple(f"{ORDERS[1]}_{way}" for way in WAYS),
        ),
    ),
    tiny=tiny_case(
        {"bandwidth-bytes": 20040, "latency-patterns": 2, "bandwidth-patterns": 2, "pairs": 3},
        ranks=3,
    ),
    derived=(
        *(f"{order}_ring_{what}" for order in ORDERS for what in ("latency", "bandwidth")),
        *(
            f"{end}_pair_{what}"
            for what in ("latency", "bandwidth")
            for end in ("min", "avg", "max")
        ),
    ),
    headlines=tuple(
        Headline(
            label=f"Bandwidth of each rank, {order} ring",
            metric=f"{order}_ring_bandwidth",
            region=f"{order}_{WAYS[0]}",
        )
        for order in ORDERS
    ),
    figures=(
        Figure.curve(
            "Bandwidth per rank in random rings",
            "ring_bandwidth",
            "pattern",
            "random order",
            regions=tuple(f"random_{way}" for way in WAYS),
            least_values=2,
            log_x=False,
            log_y=False,
            series=("toolchain", "region", "layout"),
        ),
    ),
    needs_mpi=True,
)
