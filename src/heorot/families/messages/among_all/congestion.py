"""The record of messages/congestion: slowdown by the traffic of other jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.programs import default
from heorot.families.messages.durations import body_seconds
from heorot.families.messages.layouts import (
    THOROUGH,
    Layout,
    all_ranks,
    between,
    filled,
    inside,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

MEDIAN, P99 = "congestion_median", "congestion_p99"
LOADS = ("all_to_all", "incast")
# Two victims and two aggressors.
_LEAST_RANKS = 4
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.15, "standard": 0.5, "full": 2.0}
# A 99th percentile needs many samples, each of one body, even if the median is known early.
_SAMPLES: dict[Profile, int] = {"smoke": 100, "quick": 300, "standard": 1000, "full": 3000}
_SAMPLE_SECONDS = 1e-6
# Two messages to neighbours in each operation.
_MESSAGES_OF_A_BODY = 20
# Number of the longest bodies in a budget, and its largest multiple of the profile's: over a slow
# line a few samples would not suffice for a ratio.
_LEAST_BODIES = 20
_MOST_BUDGETS = 20


# Every region uses up its budget, as the tail of the times needs samples.
_estimate = by_counts("messages/congestion", Cost("points", 1.0, "budget"))


def _inside(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """Every core of a node; smaller nodes skip it: sharing a core is another kind of congestion."""
    del profile
    every = all_ranks(machine)
    return (replace(every, ranks=max(every.ranks, _LEAST_RANKS)),)


def _over(machine: Machine, nodes: int, per_node: Sequence[int]) -> tuple[Layout, ...]:
    """With aggressors on the nodes of the victims, and with nodes and links of their own."""
    every = filled(machine, nodes, per_node)
    return tuple(layout for layout in every if layout.ranks >= _LEAST_RANKS)


def _budget(machine: Machine, profile: Profile, layout: Layout) -> float:
    """The profile's budget, or that of a slow line [s]."""
    ring_bytes = default("messages/congestion", "ring-bytes")
    body = body_seconds(machine, layout, _MESSAGES_OF_A_BODY * ring_bytes)
    usual = _BUDGET[profile]
    return round(min(_MOST_BUDGETS * usual, max(usual, _LEAST_BODIES * body)), 3)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    options = {
        "samples-min": _SAMPLES[profile],
        "samples-max": max(1000, _SAMPLES[profile]),
        "sample-seconds": _SAMPLE_SECONDS,
        "budget": _budget(machine, profile, layout),
    }
    return tuple(
        _estimate(machine, layout.case({"load": load, **options}, name=f"{load}_{layout.name}"))
        for load in (LOADS if profile in THOROUGH else LOADS[:1])
    )


CONGESTION = Benchmark(
    name="messages/congestion",
    title="network congestion",
    measures="latency and bandwidth under network load",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="operations"),
        Metric(
            name="bandwidth",
            unit="B/s",
            better="higher",
            count="bytes",
            regions=("ring_bandwidth_alone", "ring_bandwidth_congested"),
        ),
    ),
    cases=inside(_cases, _inside),
    over_nodes=between(_cases, _over),
    profiles=THOROUGH,
    estimate=_estimate,
    problem=("load",),
    tiny=tiny_case(
        {"load-bytes": 8000, "ring-bytes": 1000, "operations": 2, "sample-seconds": 1e-6},
        ranks=_LEAST_RANKS,
    ),
    derived=(MEDIAN, P99),
    figures=(
        Figure.bars(
            "Slowdown of communication under congestion",
            MEDIAN,
            ("region", "toolchain", "layout"),
        ),
        Figure.bars(
            "Operation time, alone and under congestion",
            "latency",
            ("region", "toolchain", "layout"),
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
