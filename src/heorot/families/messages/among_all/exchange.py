"""The record of messages/exchange: message exchange with both neighbours."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.durations import affordable
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import PAIR, THOROUGH, Layout, all_ranks, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

_NEIGHBOURS = 2
_BUDGET: dict[Profile, float] = {"smoke": 0.03, "quick": 0.1, "standard": 0.2, "full": 0.5}
# All powers of two, if time allows.
_SIZES: dict[Profile, str] = {
    "smoke": "8,1024,65536",
    "quick": "0,8,64,1024,8192,65536,524288,4194304",
}

_estimate = by_counts(
    "messages/exchange",
    # Share of a size's time limit, summed over all sizes: the longest use all of it.
    Cost("points", 0.6, "budget"),
    # Verified twice, warmed up, sampled twice.
    Cost("bytes", 5.0, "messages"),
)


def _layouts(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """A pair, and all cores if they are more."""
    del profile
    every = all_ranks(machine)
    return (PAIR,) if every.ranks == PAIR.ranks else (PAIR, every)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    options: dict[str, Scalar] = {"budget": _BUDGET[profile]}
    if profile in _SIZES:
        options["sizes"] = affordable(machine, layout, _SIZES[profile], sends=_NEIGHBOURS)
    return (_estimate(machine, layout.case(options)),)


EXCHANGE = Benchmark(
    name="messages/exchange",
    title="neighbour exchange",
    measures="exchange with both neighbours (IMB Exchange)",
    metrics=(
        Metric(name="exchange_time", unit="s", better="lower"),
        BANDWIDTH,
        Metric(name="imb_throughput", unit="B/s", better="higher", count="imb_bytes"),
    ),
    cases=inside(_cases, _layouts),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "0,3,8,24,4096"}, ranks=3),
    figures=(
        over_sizes(
            "Neighbour exchange time over the message size",
            "exchange_time",
            series=("toolchain", "layout"),
        ),
        over_sizes(
            "Aggregate neighbour exchange bandwidth over the message size",
            "bandwidth",
            series=("toolchain", "layout"),
        ),
    ),
    needs_mpi=True,
)
