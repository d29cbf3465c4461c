"""The record of messages/one_sided: one-sided access to the memory of another rank."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.families.messages.figures import over_sizes
from heorot.families.messages.layouts import THOROUGH, Layout, between, inside, pair, pair_of_nodes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_TRANSFERS = ("put", "get", "accumulate", "get_accumulate")
_MANY = ("put_many", "get_many", "accumulate_many")
_FETCH, _SWAP = "fetch_and_op", "compare_and_swap"
_BUDGET: dict[Profile, float] = {"smoke": 0.004, "quick": 0.012, "standard": 0.1, "full": 0.3}
_SIZES: dict[Profile, str] = {
    "smoke": "8,4096",
    "quick": "8,4096,262144",
    "standard": "8,64,512,4096,32768,262144,1048576,4194304",
}
# In a case of its own, because some MPI libraries crash in it: Open MPI 4.1 where processes may not
# copy from each other's memory.
_CASES = {"": (*_TRANSFERS, *_MANY, _FETCH), f"_{_SWAP}": (_SWAP,)}


_estimate = by_counts(
    "messages/one_sided",
    (Cost("points", 0.6, "budget"), Cost("bytes", 2.0 * 5.0, "messages")),
    # To report a point, and to fill and compare all elements a few times, by both ranks.
    Cost("points", 1e-3, "clock"),
    Cost("bytes", 12e-9, "core"),
)


def _cases(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    cases = [
        layout.case(
            {"operations": ",".join(operations), **sizes, "budget": _BUDGET[profile]},
            name=layout.name + ending,
        )
        for ending, operations in _CASES.items()
    ]
    return tuple(_estimate(machine, case) for case in cases)


ONE_SIDED = Benchmark(
    name="messages/one_sided",
    title="one-sided communication",
    measures="MPI RMA: put, get, accumulate, atomics",
    metrics=(
        Metric(
            name="epoch_time",
            unit="s",
            better="lower",
            count="operations",
            regions=(*_TRANSFERS, _FETCH, _SWAP),
        ),
        Metric(
            name="bandwidth",
            unit="B/s",
            better="higher",
            count="bytes",
            regions=(*_TRANSFERS, *_MANY),
        ),
        Metric(
            name="operation_rate", unit="op/s", better="higher", count="operations", regions=_MANY
        ),
    ),
    cases=inside(_cases, pair),
    over_nodes=between(_cases, pair_of_nodes),
    profiles=THOROUGH,
    estimate=_estimate,
    problem=("operations",),
    tiny=tiny_case({"sizes": "8,24"}, ranks=2),
    figures=(
        over_sizes(
            "Time of an epoch with one operation over its size",
            "epoch_time",
            x_label="size of the operation [B]",
            regions=_TRANSFERS,
            series=("toolchain", "region", "epoch", "layout"),
            least_values=2,
        ),
        over_sizes(
            "Bandwidth of epochs with many operations over their size",
            "bandwidth",
            x_label="size of an operation [B]",
            regions=_MANY,
            series=("toolchain", "region", "epoch", "layout"),
            least_values=2,
        ),
    ),
    needs_mpi=True,
)
