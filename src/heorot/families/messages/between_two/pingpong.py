"""The record of messages/pingpong: what a message costs."""

from __future__ import annotations

import math
from collections.abc import Iterable

from heorot.analyse.nodes.networks import LATENCY
from heorot.analyse.trust.line_rates import BETWEEN
from heorot.catalogue.settings import budget_seconds, number
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from heorot.model.machine.machine import Machine

_LARGEST = 4 << 20
# 0 and 1 byte, and the broadcast that 8 bytes are held against
_OTHER_REGIONS = 3
_USED_OF_BUDGET = 0.4
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.1, "standard": 0.5, "full": 1.0}


def _estimate(machine: Machine, case: Case) -> Case:
    """Most regions know their median long before their time is used up."""
    del machine
    largest = int(number(case, "max-bytes", _LARGEST))
    octaves = math.log2(max(2, largest)) * number(case, "points-per-octave", 1.0)
    seconds = (octaves + _OTHER_REGIONS) * _USED_OF_BUDGET * budget_seconds(case)
    return case.model_copy(update={"memory_bytes": 8 * largest, "seconds": seconds})


def _pingpong_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_ranks", 1),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_nodes", 2),) if nodes == 2 else ()  # noqa: PLR2004


def _between(machine: Machine, profile: Profile, name: str, nodes: int) -> Case:
    """Two ranks, in one node or in two."""
    case = Case(
        name=name,
        options={"max-bytes": _LARGEST, "budget": _BUDGET[profile]},
        ranks=2,
        nodes=nodes,
        needs_cores=2,
        priority="headline",
    )
    return _estimate(machine, case)


PINGPONG = Benchmark(
    name="messages/pingpong",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes", regions=("pingpong",)),
    ),
    cases=_pingpong_cases,
    over_nodes=_over_nodes,
    every_pair=("two_nodes",),
    estimate=_estimate,
    tiny=tiny_case({"max-bytes": 4096}, ranks=2),
    derived=("fitted_latency", "r_inf", "n_half", "peak_bandwidth"),
    publishes=(
        Reference(name=BETWEEN, metric="bandwidth", regions=("pingpong",)),
        Reference(name=LATENCY, metric="fitted_latency", regions=("pingpong",)),
    ),
    ceilings=(
        # Inside a node only: between nodes the line limits them, which the machine's description
        # knows.
        Ceiling(
            metric="bandwidth",
            by="copy_bandwidth",
            factor=0.5,
            reach=("bytes", "working_set_bytes", 2.0),
            cores="one",
            reason="inside a node a message is at least one copy of as many bytes, counted twice",
        ),
    ),
    headlines=(
        Headline(
            label="Message latency, 8 B", metric="latency", region="pingpong", point={"bytes": 8}
        ),
        Headline(
            label="Message bandwidth, 4 MiB",
            metric="bandwidth",
            region="pingpong",
            point={"bytes": _LARGEST},
        ),
        Headline(
            label="Message latency between nodes, 8 B",
            metric="latency",
            region="pingpong",
            point={"bytes": 8},
            nodes="several",
        ),
        Headline(
            label="Message bandwidth between nodes, 4 MiB",
            metric="bandwidth",
            region="pingpong",
            point={"bytes": _LARGEST},
            nodes="several",
            share_of="no message is faster than the line rate of the network adapter",
        ),
    ),
    figures=(
        Figure(
            title="Half round-trip time over the message size",
            kind="curve",
            metric="latency",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Bandwidth over the message size",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)


def on_several_nodes(rows: Iterable[Result], *, several: bool) -> list[Result]:
    """The rows of messages between nodes, or those of messages inside one."""
    return [row for row in rows if (row.nodes > 1) == several]
