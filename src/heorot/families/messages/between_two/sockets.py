"""The record of messages/sockets: what the message-passing library adds to the wire."""

from __future__ import annotations

import math

from heorot.catalogue.settings import budget_seconds, number, word
from heorot.families.messages.layouts import THOROUGH
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_LARGEST = 4 << 20
_TRANSPORTS = 6
_FEW = "8,4096,1048576"
_SEVERAL = "8,64,512,4096,16384,65536,262144,1048576,4194304"
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.2, "full": 0.5}
# The median is known long before the time is used up.
_USED_OF_BUDGET = 0.6


def _sizes(case: Case) -> tuple[int, int]:
    """How many sizes a case measures, and the largest [B]."""
    listed = [part for part in word(case, "sizes", "").split(",") if part.strip().isdigit()]
    if listed:
        return len(listed), max(map(int, listed))
    largest = int(number(case, "max-bytes", _LARGEST))
    octaves = math.log2(max(1.0, largest / number(case, "min-bytes", 1.0)))
    return 1 + int(octaves * number(case, "points-per-octave", 1.0)), largest


def _estimate(machine: Machine, case: Case) -> Case:
    """Every transport at every size; both ends hold what they send and what they receive."""
    del machine
    n_sizes, largest = _sizes(case)
    chosen = word(case, "transports", "")
    n_transports = len(chosen.split(",")) if chosen else _TRANSPORTS
    seconds = n_transports * n_sizes * _USED_OF_BUDGET * budget_seconds(case)
    return case.model_copy(update={"memory_bytes": 4 * largest, "seconds": seconds})


def _between(machine: Machine, profile: Profile, name: str, nodes: int) -> Case:
    """Two ranks, in one node or in two."""
    options: dict[str, bool | int | float | str] = {"budget": _BUDGET[profile]}
    if profile == "smoke":
        options["sizes"] = _FEW
    elif profile != "full":
        options["sizes"] = _SEVERAL
    case = Case(name=name, options=options, ranks=2, nodes=nodes, needs_cores=2, priority="detail")
    return _estimate(machine, case)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_ranks", 1),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_nodes", 2),) if nodes == 2 else ()  # noqa: PLR2004


SOCKETS = Benchmark(
    name="messages/sockets",
    metrics=(
        Metric(name="latency", unit="s", better="lower", count="messages"),
        Metric(name="bandwidth", unit="B/s", better="higher", count="bytes"),
    ),
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "1,1001,70001"}, ranks=2),
    figures=(
        Figure(
            title="Half round-trip time over the message size, beside the library and under it",
            kind="curve",
            metric="latency",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
        Figure(
            title="Bandwidth over the message size, beside the library and under it",
            kind="curve",
            metric="bandwidth",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
