"""The record of messages/exchange: what swapping messages with both neighbours costs."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.families.messages.sizes import message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

# Of the time that a size may take, over all of them: the longest take all of it.
_USED_OF_BUDGET = 0.6
_BUDGET: dict[Profile, float] = {"smoke": 0.03, "quick": 0.1, "standard": 0.2, "full": 0.5}
# All powers of two where there is time for them.
_SIZES: dict[Profile, str] = {
    "smoke": "8,1024,65536",
    "quick": "0,8,64,1024,8192,65536,524288,4194304",
}
_PAIR = Layout("two_ranks", 2)


def _estimate(machine: Machine, case: Case) -> Case:
    """Two buffers of each rank, besides what the library holds back."""
    del machine
    sizes = message_sizes(case)
    buffers = 3 * max(sizes, default=0) + (1 << 20)
    seconds = len(sizes) * _USED_OF_BUDGET * budget_seconds(case)
    return case.model_copy(update={"memory_bytes": case.ranks * buffers, "seconds": seconds})


def _exchange_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    every_core = inside(machine)
    layouts = (_PAIR,) if every_core.ranks == _PAIR.ranks else (_PAIR, every_core)
    return tuple(_case(machine, profile, layout) for layout in layouts)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    case = Case(
        name=layout.name,
        options={**sizes, "budget": _BUDGET[profile]},
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


EXCHANGE = Benchmark(
    name="messages/exchange",
    title="the exchange with both neighbours",
    metrics=(
        Metric(name="exchange_time", unit="s", better="lower"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
        Metric(name="imb_throughput", unit="B/s", better="higher", count="imb_bytes"),
    ),
    cases=_exchange_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "0,3,8,24,4096"}, ranks=3),
    figures=(
        Figure(
            title="Time of an exchange with both neighbours over the message size",
            kind="curve",
            metric="exchange_time",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Rate of all exchanges together over the message size",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
