"""The record of messages/startup: time of MPI_Init against the number of ranks."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.figures import over_ranks
from heorot.families.messages.layouts import (
    THOROUGH,
    Layout,
    all_ranks,
    between,
    inside,
    powers_below,
)
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.usual import TIME
from heorot.model.machine.machine import Machine

LIBRARY_MEMORY = "library_memory"
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 0.5, "full": 1.0}


_estimate = by_counts(
    "messages/startup",
    # Only one of its regions has samples; before them every rank joins.
    Cost("points", 0.25, "budget"),
    Cost("points", 0.025, "clock"),
)


def _layouts(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """All cores; if time allows also 2, 4, 8... of them, for the scaling."""
    every = all_ranks(machine)
    return (*(Layout(f"{n}_ranks", n) for n in powers_below(every.ranks, profile)), every)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    return (_estimate(machine, layout.case({"budget": _BUDGET[profile]})),)


STARTUP = Benchmark(
    name="messages/startup",
    title="MPI start-up",
    measures="MPI_Init, first connections: time and memory",
    metrics=(TIME,),
    cases=inside(_cases, _layouts),
    over_nodes=between(_cases),
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case(ranks=2),
    derived=(LIBRARY_MEMORY, "growth"),
    figures=(
        over_ranks(
            "MPI start-up time, first and later exchanges of all pairs",
            "time",
            series=("toolchain", "region"),
        ),
        Figure(
            title="MPI start-up time over the nodes, by ranks per node",
            kind="over_nodes",
            metric="time",
            least_values=2,
            series=("toolchain", "region"),
            panels=("per_node",),
            log_x=True,
            log_y=True,
        ),
        over_ranks(
            "MPI library memory per rank",
            LIBRARY_MEMORY,
            series=("toolchain",),
            log_y=False,
        ),
    ),
    needs_mpi=True,
)
