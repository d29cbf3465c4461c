"""The record of messages/loggp: overheads, latency and gaps of the LogGP model."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside, pair, pair_of_nodes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.2, "full": 0.5}
# All powers of two, if time allows.
_SIZES: dict[Profile, str] = {
    "smoke": "1,1024,65536",
    "quick": "1,64,1024,8192,65536",
    "standard": "1,8,64,512,1024,4096,8192,16384,65536",
}

_estimate = by_counts(
    "messages/loggp",
    # Every region at every size has its budget, of which it rarely needs all.
    Cost("points", 0.5, "budget"),
    # Verified twice, warmed up, sampled twice, by one of both ranks at a time.
    Cost("bytes", 2.0 * 5.0, "messages"),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    return (_estimate(machine, layout.case({**sizes, "budget": _BUDGET[profile]})),)


LOGGP = Benchmark(
    name="messages/loggp",
    title="LogGP parameters",
    measures="LogGP parameters: L, o, g, G",
    metrics=(
        Metric(
            name="message_time",
            unit="s",
            better="lower",
            count="messages",
            regions=("round_trip", "train"),
        ),
        Metric(
            name="time",
            unit="s",
            better="lower",
            regions=("delayed", "late_answer", "delay"),
        ),
    ),
    cases=inside(_cases, pair),
    over_nodes=between(_cases, pair_of_nodes),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "1,63"}, ranks=2),
    derived=("o_s", "o_r", "g", "L", "G"),
    figures=(
        over_sizes(
            "Message time in a train and in a round trip, over the size",
            "message_time",
        ),
    ),
    needs_mpi=True,
)
