"""The record of messages/b_eff: latency and bandwidth as HPC Challenge defines them."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, number
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine
from heorot.model.run.records import Scalar

PAIRS = "pingpong"
WAYS = ("sendrecv", "nonblocking")
"""Regions of rings are the order and one of these: the better one counts."""
ORDERS = ("natural", "random")

_RINGS = tuple(f"{order}_{way}" for order in ORDERS for way in WAYS)
_LONG_BYTES = 2_000_000
# Two directions, each with a buffer for what leaves and one for what comes, and two of pairs.
_BUFFERS = 6
_SHORT_PATTERNS, _LONG_PATTERNS, _PAIRS = 30, 10, 100
_USED_OF_BUDGET = 0.7
_BUDGET: dict[Profile, float] = {"smoke": 0.01, "quick": 0.02, "standard": 0.05, "full": 0.1}
# HPC Challenge's numbers of random rings where there is time for them.
_FEWER: dict[Profile, dict[str, int]] = {
    "smoke": {"latency-patterns": 2, "bandwidth-patterns": 2, "pairs": 2},
    "quick": {"latency-patterns": 10, "bandwidth-patterns": 5, "pairs": 10},
    "standard": {"pairs": 50},
}


def _estimate(machine: Machine, case: Case) -> Case:
    """Both lengths: every pair, and every order in two ways."""
    del machine
    pairs = min(number(case, "pairs", _PAIRS), case.ranks * (case.ranks - 1) / 2)
    orders = (
        number(case, "latency-patterns", _SHORT_PATTERNS)
        + number(case, "bandwidth-patterns", _LONG_PATTERNS)
        + 2
    )
    regions = 2 * pairs + len(WAYS) * orders
    buffers = _BUFFERS * int(number(case, "bandwidth-bytes", _LONG_BYTES)) + (1 << 20)
    return case.model_copy(
        update={
            "memory_bytes": case.ranks * buffers,
            "seconds": regions * _USED_OF_BUDGET * budget_seconds(case),
        }
    )


def _b_eff_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_case(machine, profile, inside(machine)),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    options: dict[str, Scalar] = {**_FEWER.get(profile, {}), "budget": _BUDGET[profile]}
    case = Case(
        name=layout.name,
        options=options,
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


B_EFF = Benchmark(
    name="messages/b_eff",
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
    cases=_b_eff_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
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
    figures=(
        Figure(
            title="What each rank sends per second in random rings",
            kind="curve",
            metric="ring_bandwidth",
            regions=tuple(f"random_{way}" for way in WAYS),
            x="pattern",
            x_label="random order",
            least_values=2,
            series=("toolchain", "region", "layout"),
        ),
    ),
    needs_mpi=True,
)
