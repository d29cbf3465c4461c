"""The record of messages/global_sum: the sum of vectors on all ranks, by several algorithms."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, number, word
from heorot.catalogue.sizes import all_cores, pace
from heorot.families.messages import layouts
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

OWN_REGIONS = ("hypercube", "recursive_doubling", "ring", "rabenseifner")
LIBRARY_REGIONS = ("allreduce", "allreduce_in_place")
PUBLISHED_LENGTHS = (2_097_152, 8_388_608)
_REGIONS = len(OWN_REGIONS) + len(LIBRARY_REGIONS)
_VECTORS = 3
_LENGTHS: dict[Profile, tuple[int, ...]] = {
    "smoke": (1, 8_192),
    "quick": (1, 128, 8_192, 131_072),
    "standard": (1, 16, 128, 1_024, 8_192, 65_536, 524_288, PUBLISHED_LENGTHS[0]),
    "full": (1, 4, 16, 128, 1_024, 8_192, 65_536, 524_288, *PUBLISHED_LENGTHS),
}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.3, "full": 1.0}
_USED_OF_BUDGET = 0.8
_DEFAULT_LARGEST = 16 << 20
# Contents are made and looked at twice before and after [element/s].
_VERIFIED_PER_SECOND = 5e7
# A body moves and adds a vector a few times in memory, or sends it over a line [B/s].
_MOVES_PER_STEP = 4
_LINE_RATE = 1e9
_LEAST_BODIES = 4


def _sizes(case: Case) -> list[int]:
    """The sizes of the vectors, as the program understands its options [B]."""
    listed = word(case, "sizes", "")
    if listed:
        return [int(size) for size in listed.split(",") if size.strip().isdigit()]
    smallest = number(case, "min-bytes", 8.0)
    largest = int(number(case, "max-bytes", _DEFAULT_LARGEST))
    per_octave = max(1, int(number(case, "points-per-octave", 1.0)))
    octaves = [1 << power for power in range(largest.bit_length())]
    return [size for size in octaves if size >= smallest for _ in range(per_octave)]


def _estimate(machine: Machine, case: Case) -> Case:
    """The budget of each region or a few bodies, and looking at every element."""
    sizes = _sizes(case) or [8]
    here = pace(machine)
    on_node = min(case.per_node, all_cores(machine))
    steps = max(1, (case.ranks - 1).bit_length())
    seconds = 0.0
    for size in sizes:
        volume = _MOVES_PER_STEP * steps * size * case.per_node
        body = volume / here.bandwidth(on_node)
        if case.nodes > 1:
            body += volume / _LINE_RATE
        timed = max(_USED_OF_BUDGET * budget_seconds(case), _LEAST_BODIES * body)
        looked = size / 8 / (_VERIFIED_PER_SECOND * here.speed(on_node)) * case.per_node / on_node
        seconds += _REGIONS * (timed + looked)
    memory = _VECTORS * max(sizes) * case.ranks
    return case.model_copy(update={"memory_bytes": memory, "seconds": seconds})


def _case(machine: Machine, profile: Profile, layout: layouts.Layout) -> Case:
    case = Case(
        name=layout.name,
        options={
            "sizes": ",".join(str(8 * length) for length in _LENGTHS[profile]),
            "budget": _BUDGET[profile],
        },
        ranks=layout.ranks,
        nodes=layout.nodes,
        needs_cores=layout.ranks,
        priority="detail",
    )
    return _estimate(machine, case)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """A rank on every core; where there is time also on powers of two, as published."""
    inside = [layouts.inside(machine)]
    if profile in {"standard", "full"}:
        powers = [1 << power for power in range(1, inside[0].ranks.bit_length())]
        inside += [
            layouts.Layout(f"ranks_{ranks}", ranks) for ranks in powers if ranks < inside[0].ranks
        ]
    return tuple(_case(machine, profile, layout) for layout in inside)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return tuple(_case(machine, profile, layout) for layout in layouts.over(machine, nodes))


GLOBAL_SUM = Benchmark(
    name="messages/global_sum",
    title="global sum",
    metrics=(
        Metric(name="time", unit="s", better="lower"),
        # As published: notional but for the hypercube, so that rates compare as times do.
        Metric(name="total_rate", unit="B/s", better="higher", count="bytes"),
        Metric(
            name="rank_rate",
            unit="B/s",
            better="higher",
            count="bytes_in_and_out",
            per_rank=True,
        ),
        Metric(name="sent_rate", unit="B/s", better="higher", count="sent_bytes"),
    ),
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=layouts.THOROUGH,
    estimate=_estimate,
    # Several segments, an odd length, and one element.
    tiny=tiny_case({"sizes": "8,72,8200", "segment": 1024}, ranks=2),
    figures=(
        Figure(
            title="Time of a global sum over the size of the vectors",
            kind="curve",
            metric="time",
            x="bytes",
            x_label="vector of a rank [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Rate of each rank, in and out, as if all were the hypercube",
            kind="curve",
            metric="rank_rate",
            x="bytes",
            x_label="vector of a rank [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
