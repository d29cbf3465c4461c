"""The record of messages/multi_pair: windows of messages between one or more pairs of ranks."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, number, word
from heorot.families.messages.layouts import THOROUGH, Layout, inside, over
from heorot.families.messages.sizes import message_sizes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine
from heorot.model.run.records import Scalar

_WINDOW = 64
_LARGEST = 1 << 20
# One way, and both ways.
_DIRECTIONS = 2
_USED_OF_BUDGET = 0.8
_BUDGET: dict[Profile, float] = {"smoke": 0.03, "quick": 0.06, "standard": 0.15, "full": 0.5}
# All powers of two where there is time for them.
_SIZES: dict[Profile, str] = {
    "smoke": "8,65536",
    "quick": "8,1024,8192,65536,1048576",
    "standard": "8,64,512,1024,4096,16384,65536,262144,1048576",
}


def numbers_of_pairs(case: Case) -> list[int]:
    """How many pairs there are at once, one after the other, as the program reads its options.

    Args:
        case: with the option `pairs`; without it 1, 2, 4... and all of them.
    """
    listed = word(case, "pairs", "")
    if listed:
        return [int(item) for item in listed.split(",") if item.isdecimal()]
    most = max(1, case.ranks // 2)
    return [*(1 << i for i in range(most.bit_length()) if 1 << i < most), most]


def _estimate(machine: Machine, case: Case) -> Case:
    """Each rank has a place for every message of the largest window."""
    del machine
    sizes = [size for size in message_sizes(case) if size]
    # The program goes less far than others unless told otherwise.
    if not {"sizes", "max-bytes"} & set(case.options):
        sizes = [size for size in sizes if size <= _LARGEST]
    window = (number(case, "window", _WINDOW) + 1) * max(sizes, default=0) + (1 << 20)
    regions = _DIRECTIONS * len(numbers_of_pairs(case)) * len(sizes)
    return case.model_copy(
        update={
            "memory_bytes": case.ranks * int(window),
            "seconds": regions * _USED_OF_BUDGET * budget_seconds(case),
        }
    )


def _multi_pair_cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_case(machine, profile, inside(machine)),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    """The halves of a job are on different nodes, and so are the ranks of every pair."""
    return tuple(_case(machine, profile, layout) for layout in over(machine, nodes))


def _case(machine: Machine, profile: Profile, layout: Layout) -> Case:
    options: dict[str, Scalar] = {"budget": _BUDGET[profile]}
    if profile in _SIZES:
        options["sizes"] = _SIZES[profile]
    half = layout.ranks // 2
    if profile in {"smoke", "quick"} and half > 1:
        options["pairs"] = f"1,{half}"
    case = Case(
        name=layout.name,
        options=options,
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


MULTI_PAIR = Benchmark(
    name="messages/multi_pair",
    title="many messages at once",
    metrics=(
        Metric(name="message_rate", unit="1/s", better="higher", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    cases=_multi_pair_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "8,72,4104", "window": 7}, ranks=2),
    figures=(
        Figure(
            title="Rate of short messages over the pairs that send at once",
            kind="curve",
            metric="message_rate",
            regions=("message_rate",),
            x="pairs",
            x_label="pairs",
            least_values=2,
            series=("toolchain", "bytes", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Bandwidth of windows of messages over the message size",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "pairs", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
