"""The record of messages/thread_rate: messages of several threads of a rank at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.sizes import all_cores
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import PAIR, PAIR_OF_NODES, THOROUGH, Layout, between, inside
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.5, "full": 1.0}
_SIZES: dict[Profile, str] = {
    "smoke": "8",
    "quick": "8",
    "standard": "8,128,1024",
    "full": "8,32,128,512,1024,4096",
}


_TIMED = Cost("points", 1.0, "budget")
_by_budget = by_counts("messages/thread_rate", _TIMED)
# With more threads than cores, a single body exceeds the budget.
_by_bodies = by_counts("messages/thread_rate", _TIMED, Cost("points", 2 * 0.3, "clock"))


def _estimate(machine: Machine, case: Case) -> Case:
    """Every region by its budget; all threads have windows of their own."""
    is_crowded = case.per_node * case.threads > all_cores(machine)
    return (_by_bodies if is_crowded else _by_budget)(machine, case)


def _inside(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """Half of the cores for each rank, and at least two threads: four cores are needed."""
    del profile
    return (replace(PAIR, threads=max(2, all_cores(machine) // PAIR.ranks)),)


def _over(machine: Machine, nodes: int, per_node: Sequence[int]) -> tuple[Layout, ...]:
    """A thread on every core of both nodes, where they have several."""
    del per_node
    cores = all_cores(machine)
    if nodes != PAIR_OF_NODES.nodes or cores == 1:
        return ()
    return (replace(PAIR_OF_NODES, threads=cores),)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    case = layout.case({"sizes": _SIZES[profile], "budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


THREAD_RATE = Benchmark(
    name="messages/thread_rate",
    title="multithreaded messages",
    measures="message rate with MPI_THREAD_MULTIPLE",
    metrics=(
        Metric(name="message_rate", unit="1/s", better="higher", count="messages"),
        BANDWIDTH,
    ),
    cases=inside(_cases, _inside),
    over_nodes=between(_cases, _over),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,24", "window": 5, "rounds": 1}, ranks=2),
    figures=(
        over_sizes("Message rate of several threads and of one", "message_rate", least_values=2),
    ),
    needs_mpi=True,
)
