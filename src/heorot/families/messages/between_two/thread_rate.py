"""The record of messages/thread_rate: messages of several threads of a rank at once."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, number
from heorot.catalogue.sizes import all_cores
from heorot.families.messages.layouts import THOROUGH
from heorot.families.messages.sizes import LARGEST, message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_RANKS = 2
_REGIONS = 3
_WINDOW = 64
_PAGES = 16 << 10  # what a thread's buffers take besides what they hold [B]
# Where threads are more than cores, a single body outlasts the budget.
_CROWDED_BODY_SECONDS = 0.3
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.5, "full": 1.0}
_SIZES: dict[Profile, str] = {
    "smoke": "8",
    "quick": "8",
    "standard": "8,128,1024",
    "full": "8,32,128,512,1024,4096",
}


def _estimate(machine: Machine, case: Case) -> Case:
    """Every region has its budget at every size; all threads have windows of their own."""
    sizes = message_sizes(case) or [LARGEST]
    each = budget_seconds(case)
    if case.per_node * case.threads > all_cores(machine):
        each += 2 * _CROWDED_BODY_SECONDS
    window = int(number(case, "window", _WINDOW)) * max(sizes) + _PAGES
    memory = case.ranks * case.threads * window
    seconds = _REGIONS * len(sizes) * each
    return case.model_copy(update={"memory_bytes": memory, "seconds": seconds})


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """Half of the cores for each rank, and two threads at least: four cores are needed."""
    cores = all_cores(machine)
    return (_between(machine, profile, "two_ranks", 1, max(2, cores // _RANKS)),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    """A thread on every core of both nodes, where they have several."""
    cores = all_cores(machine)
    if nodes != _RANKS or cores == 1:
        return ()
    return (_between(machine, profile, "two_nodes", nodes, cores),)


def _between(machine: Machine, profile: Profile, name: str, nodes: int, threads: int) -> Case:
    case = Case(
        name=name,
        options={"sizes": _SIZES[profile], "budget": _BUDGET[profile]},
        ranks=_RANKS,
        threads=threads,
        nodes=nodes,
        needs_cores=_RANKS * threads,
        priority="detail",
    )
    return _estimate(machine, case)


THREAD_RATE = Benchmark(
    name="messages/thread_rate",
    title="messages of several threads",
    metrics=(
        Metric(name="message_rate", unit="1/s", better="higher", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,24", "window": 5, "rounds": 1}, ranks=2),
    figures=(
        Figure(
            title="Message rate of several threads and of one",
            kind="curve",
            metric="message_rate",
            x="bytes",
            x_label="message size [B]",
            least_values=2,
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
