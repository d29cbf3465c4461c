"""The record of messages/pingpong: time of a message between two ranks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.figures import over_sizes, winners
from heorot.families.messages.layouts import Layout, between, inside, pair, pair_of_nodes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric, Reference
from heorot.model.catalogue.references import BETWEEN, LATENCY
from heorot.model.machine.machine import Machine
from heorot.model.resource import ONE_CORE

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result

LARGEST = 4 << 20
"""The longest messages [B]."""
_BUDGET: dict[Profile, float] = {"smoke": 0.05, "quick": 0.1, "standard": 0.5, "full": 1.0}
_DETAIL_BUDGET: dict[Profile, float] = {"standard": 0.1, "full": 0.3}
# The sizes of EuroBen's mod1j.
_FINE = {"min-bytes": 4, "max-bytes": 4_000_000}
_POINTS_PER_OCTAVE: dict[Profile, int] = {"standard": 4, "full": 16}
_MODES = ("synchronous", "ready", "persistent")
_STRIDED = ("vector", "packed", "indexed", "struct")
_STRIDE = 2

_estimate = by_counts(
    "messages/pingpong",
    # Most regions reach a precise median long before their time is used up.
    Cost("points", 0.4, "budget"),
    # Verified twice, warmed up, sampled twice, by one of both ranks at a time.
    Cost("bytes", 2.0 * 5.0, "messages"),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    """A headline; if time allows, in fine steps and other modes too."""
    options = {"max-bytes": LARGEST, "budget": _BUDGET[profile]}
    cases = [layout.case(options, priority="headline")]
    if profile in _DETAIL_BUDGET:
        prefix = f"{layout.name}_" if layout.nodes > 1 else ""
        steps = {**_FINE, "points-per-octave": _POINTS_PER_OCTAVE[profile]}
        strides = {"min-bytes": 8, "stride": _STRIDE}
        budget = {"budget": _DETAIL_BUDGET[profile]}
        cases += [
            layout.case({**steps, **budget}, name=f"{prefix}fine"),
            layout.case({"modes": ",".join(_MODES), **budget}, name=f"{prefix}modes"),
            layout.case(
                {"modes": ",".join(_STRIDED), **strides, **budget}, name=f"{prefix}strided"
            ),
        ]
    return tuple(_estimate(machine, case) for case in cases)


PINGPONG = Benchmark(
    name="messages/pingpong",
    title="ping-pong",
    measures="latency and bandwidth between two ranks, by size",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(
            name="bandwidth",
            unit="B/s",
            better="higher",
            count="bytes",
            regions=("pingpong", *(f"pingpong_{mode}" for mode in (*_MODES, *_STRIDED))),
        ),
    ),
    cases=inside(_cases, pair),
    over_nodes=between(_cases, pair_of_nodes),
    every_pair=("two_nodes",),
    estimate=_estimate,
    problem=("modes",),
    suits=("spread", "networks", "equals"),
    tiny=tiny_case({"sizes": "0,1,3,8,24,4096", "modes": "all"}, ranks=2),
    derived=(
        "fitted_latency",
        "r_inf",
        "n_half",
        "peak_bandwidth",
        "protocol_switch",
        "time_jump",
        "half_rate_size",
        "items_per_latency",
    ),
    publishes=(
        Reference(name=BETWEEN, metric="bandwidth", regions=("pingpong",)),
        Reference(name=LATENCY, metric="fitted_latency", regions=("pingpong",)),
    ),
    ceilings=(
        # Inside a node only: between nodes the line rate limits them, which the machine's
        # description has.
        Ceiling(
            metric="bandwidth",
            by="copy_bandwidth",
            factor=0.5,
            reach=("bytes", "working_set_bytes", 2.0),
            of=ONE_CORE,
            reason="inside a node a message takes at least one copy of its bytes, counted twice",
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
            point={"bytes": LARGEST},
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
            bound="line rate",
            region="pingpong",
            point={"bytes": LARGEST},
            nodes="several",
            share_of="no message is faster than the line rate of the network adapter",
        ),
    ),
    figures=(
        over_sizes("Half round-trip time over the message size", "latency"),
        winners("Fastest toolchain for messages, and its margin", "latency", ("pingpong",)),
        over_sizes("Bandwidth over the message size", "bandwidth"),
    ),
    needs_mpi=True,
)


def on_several_nodes(rows: Iterable[Result], *, several: bool) -> list[Result]:
    """The rows of messages between nodes, or those of messages inside one."""
    return [row for row in rows if (row.nodes > 1) == several]
