"""The record of messages/one_sided: what it costs to reach into the memory of another rank."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, word
from heorot.families.messages.layouts import THOROUGH
from heorot.families.messages.sizes import LARGEST, message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_TRANSFERS = ("put", "get", "accumulate", "get_accumulate")
_MANY = ("put_many", "get_many", "accumulate_many")
_FETCH, _SWAP = "fetch_and_op", "compare_and_swap"
_EPOCHS = ("fence", "pscw", "lock", "flush")
# Those in which the target has no calls: integers have no others.
_PASSIVE = ("lock", "flush")
_EPOCH_BYTES = 4 << 20
_USED_OF_BUDGET = 0.6
# What it takes to fill and compare all elements a few times [s/B], and to report a point [s].
_VERIFYING = 6e-9
_POINT_SECONDS = 1e-3
_BUDGET: dict[Profile, float] = {"smoke": 0.004, "quick": 0.012, "standard": 0.1, "full": 0.3}
_SIZES: dict[Profile, str] = {
    "smoke": "8,4096",
    "quick": "8,4096,262144",
    "standard": "8,64,512,4096,32768,262144,1048576,4194304",
}
# Alone, because there are MPI libraries that crash in it: Open MPI 4.1 where processes may not copy
# from each other's memory.
_CASES = {"": (*_TRANSFERS, *_MANY, _FETCH), f"_{_SWAP}": (_SWAP,)}


def _estimate(machine: Machine, case: Case) -> Case:
    """Every operation has its budget in every kind of epoch and, but for integers, at every size.

    Verification fills and compares what an epoch is about and is not part of the budget.
    """
    del machine
    sizes = [size for size in message_sizes(case) if size >= 8] or [LARGEST]  # noqa: PLR2004
    wanted = _listed(case, "operations", (*_TRANSFERS, *_MANY, _FETCH, _SWAP))
    epochs = _listed(case, "epochs", _EPOCHS)
    single, many = len(set(wanted) & set(_TRANSFERS)), len(set(wanted) & set(_MANY))
    integers = len(set(wanted) & {_FETCH, _SWAP}) * len(set(epochs) & set(_PASSIVE))
    points = (single + many) * len(sizes) * len(epochs) + integers
    several = min(_EPOCH_BYTES, 64 * max(sizes)) if many else 0
    compared = len(epochs) * (single * sum(sizes) + many * len(sizes) * several)
    each = _USED_OF_BUDGET * budget_seconds(case) + _POINT_SECONDS
    seconds = points * each + _VERIFYING * compared
    # Two halves of the window, and what the origin sends and gets.
    memory = 4 * max(_EPOCH_BYTES, *sizes)
    return case.model_copy(update={"memory_bytes": memory, "seconds": seconds})


def _listed(case: Case, option: str, every: tuple[str, ...]) -> tuple[str, ...]:
    """The items of a list; all that there are by default."""
    given = word(case, option, "all")
    return every if given == "all" else tuple(given.split(","))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return _between(machine, profile, "two_ranks", 1)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return _between(machine, profile, "two_nodes", 2) if nodes == 2 else ()  # noqa: PLR2004


def _between(machine: Machine, profile: Profile, name: str, nodes: int) -> tuple[Case, ...]:
    """Two ranks, in one node or in two."""
    sizes = {"sizes": _SIZES[profile]} if profile in _SIZES else {}
    cases = [
        Case(
            name=name + ending,
            options={"operations": ",".join(operations), **sizes, "budget": _BUDGET[profile]},
            ranks=2,
            nodes=nodes,
            needs_cores=2,
            priority="detail",
        )
        for ending, operations in _CASES.items()
    ]
    return tuple(_estimate(machine, case) for case in cases)


ONE_SIDED = Benchmark(
    name="messages/one_sided",
    title="access to the memory of another rank",
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
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,24"}, ranks=2),
    figures=(
        Figure(
            title="Time of an epoch with one operation over its size",
            kind="curve",
            metric="epoch_time",
            regions=_TRANSFERS,
            x="bytes",
            x_label="size of the operation [B]",
            least_values=2,
            series=("toolchain", "region", "epoch", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Bandwidth of epochs with many operations over their size",
            kind="curve",
            metric="bandwidth",
            regions=_MANY,
            x="bytes",
            x_label="size of an operation [B]",
            least_values=2,
            series=("toolchain", "region", "epoch", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
