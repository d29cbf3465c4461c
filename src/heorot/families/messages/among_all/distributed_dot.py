"""The record of messages/distributed_dot: DDOT over ranks, with and without its global sum."""

from __future__ import annotations

from dataclasses import replace

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.sizes import affordable_bytes, all_cores, beyond_caches_bytes
from heorot.families.messages.figures import over_ranks
from heorot.families.messages.layouts import THOROUGH, Layout, between, powers_below
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.usual import FLOP_RATE, TIME
from heorot.model.machine.machine import Machine

EXTRAPOLATED, KEPT = "extrapolated_rate", "kept_rate"
# Short enough for the time of a global sum to show.
_SHORT = 1 << 14
_BYTES_PER_ELEMENT = 16
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.3, "full": 1.0}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 0.5, "quick": 1.0, "standard": 6.0, "full": 20.0}

_estimate = by_counts(
    "messages/distributed_dot",
    # The vectors are filled once, with two divisions for an element.
    Cost("flops", 0.5e-9, "core"),
    # Eight bytes per flop, in at least four bodies.
    (Cost("points", 0.8, "budget"), Cost("flops", 4.0 * 8.0, "memory")),
)


def _case(machine: Machine, profile: Profile, layout: Layout, n: int) -> Case:
    return _estimate(machine, layout.case({"n": n, "budget": _BUDGET[profile]}))


def _long(machine: Machine, profile: Profile) -> int:
    """Length of vectors beyond the caches of a node, if time allows."""

    def takes(size: int) -> float:
        n = size // _BYTES_PER_ELEMENT
        return _case(machine, profile, Layout("long_1", 1), n).needs.seconds

    wanted = beyond_caches_bytes(machine)
    return affordable_bytes(wanted, takes, _MOST_SECONDS[profile]) // _BYTES_PER_ELEMENT


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """The same vectors on one rank and on all; if time allows, also on powers of two between."""
    cores = all_cores(machine)
    n = _long(machine, profile)
    numbers = dict.fromkeys((1, *powers_below(cores, profile), cores))
    layouts = [(Layout(f"long_{ranks}", ranks), n) for ranks in numbers]
    if cores > 1:
        layouts.append((Layout(f"short_{cores}", cores), _SHORT))
    return tuple(_case(machine, profile, layout, length) for layout, length in layouts)


def _both_lengths(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    """Over nodes: the same lengths as in a node."""
    lengths = {"long": _long(machine, profile), "short": _SHORT}
    return tuple(
        _case(machine, profile, replace(layout, name=f"{word}_{layout.name}"), n)
        for word, n in lengths.items()
    )


DISTRIBUTED_DOT = Benchmark(
    name="messages/distributed_dot",
    measures="distributed DDOT: naive, tree, MPI_Allreduce",
    title="distributed dot product",
    metrics=(FLOP_RATE, TIME),
    cases=_cases,
    over_nodes=between(_both_lengths),
    profiles=THOROUGH,
    estimate=_estimate,
    problem=("n",),
    tiny=tiny_case({"n": 10_007}, ranks=2),
    derived=(EXTRAPOLATED, KEPT),
    figures=(
        over_ranks(
            "Dot products over the ranks",
            "flop_rate",
            series=("toolchain", "region"),
            panels=("n",),
        ),
        Figure(
            title="Dot products over the nodes, for each number of ranks per node",
            kind="over_nodes",
            metric="flop_rate",
            least_values=2,
            series=("region",),
            panels=("per_node", "n"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
