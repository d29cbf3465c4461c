"""The record of messages/multi_pair: windows of messages between one or more pairs of ranks."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.programs import default
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Priority, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

# The region of short messages, one way.
_SHORT = "message_rate"
_BUDGET: dict[Profile, float] = {"smoke": 0.03, "quick": 0.06, "standard": 0.15, "full": 0.5}
# All powers of two, if time allows.
_SIZES: dict[Profile, str] = {
    "smoke": "8,65536",
    "quick": "8,1024,8192,65536,1048576",
    "standard": "8,64,512,1024,4096,16384,65536,262144,1048576",
}


def _over_few_lines(asked: Asked) -> float:
    """Factor in time: most numbers of pairs use the line of one node, the others idle."""
    return max(1.0, 2.0 / 3.0 * asked.case.nodes)


_estimate = by_counts(
    "messages/multi_pair",
    # Verified twice, warmed up, sampled at least twice.
    (Cost("points", 0.8, "budget"), Cost("bytes", 5.0, "messages", times=_over_few_lines)),
    apart=("sizes",),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    """Over nodes the halves of a job are on different nodes, and so are the ranks of every pair."""
    options: dict[str, Scalar] = {"budget": _BUDGET[profile]}
    if profile in _SIZES:
        window = int(default("messages/multi_pair", "window"))
        options["sizes"] = affordable(machine, layout, _SIZES[profile], sends=window)
    half = layout.ranks // 2
    if profile not in THOROUGH and half > 1:
        options["pairs"] = f"1,{half}"
    priority: Priority = "headline" if profile in THOROUGH else "detail"
    return (_estimate(machine, layout.case(options, priority=priority)),)


MULTI_PAIR = Benchmark(
    name="messages/multi_pair",
    title="multi-pair messages",
    measures="message rate and bandwidth of many pairs",
    metrics=(
        Metric(name="message_rate", unit="1/s", better="higher", count="messages"),
        BANDWIDTH,
    ),
    cases=inside(_cases),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    suits=("nodes",),
    tiny=tiny_case({"sizes": "8,72,4104", "window": 7}, ranks=2),
    headlines=(
        Headline(
            label="Message rate, 8 B", metric="message_rate", region=_SHORT, point={"bytes": 8}
        ),
        Headline(
            label="Message rate between nodes, 8 B",
            metric="message_rate",
            region=_SHORT,
            point={"bytes": 8},
            nodes="several",
        ),
    ),
    figures=(
        Figure.curve(
            "Message rate over the number of pairs",
            "message_rate",
            "pairs",
            "pairs",
            regions=(_SHORT,),
            least_values=2,
            series=("toolchain", "bytes", "layout"),
        ),
        over_sizes(
            "Bandwidth of windows of messages over the message size",
            "bandwidth",
            series=("toolchain", "region", "pairs", "layout"),
        ),
    ),
    needs_mpi=True,
)
