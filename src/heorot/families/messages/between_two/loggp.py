"""The record of messages/loggp: who pays for a message."""

from __future__ import annotations

import math

from heorot.catalogue.settings import budget_seconds, number, word
from heorot.families.messages.layouts import THOROUGH
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Metric
from heorot.model.machine.machine import Machine

_LARGEST = 64 << 10
_REGIONS = 5
_USED_OF_BUDGET = 0.5
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.2, "full": 0.5}
_FEW = "1,1024,65536"
_SIZES: dict[Profile, str] = {
    "smoke": _FEW,
    "quick": "1,64,1024,8192,65536",
    "standard": "1,8,64,512,1024,4096,8192,16384,65536",
    # Every power of two.
    "full": "",
}


def _estimate(machine: Machine, case: Case) -> Case:
    """Every region at every size has its budget, of which it seldom needs all."""
    del machine
    sizes = [int(size) for size in word(case, "sizes", "").split(",") if size.isdecimal()]
    largest = max(sizes, default=int(number(case, "max-bytes", _LARGEST)))
    octaves = math.log2(max(2, largest)) * number(case, "points-per-octave", 1.0)
    regions = _REGIONS * (len(sizes) or octaves + 1)
    seconds = regions * _USED_OF_BUDGET * budget_seconds(case)
    # A send and a receive buffer at both ends.
    return case.model_copy(update={"memory_bytes": 4 * largest, "seconds": seconds})


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_ranks", 1),)


def _over_nodes(machine: Machine, profile: Profile, nodes: int) -> tuple[Case, ...]:
    return (_between(machine, profile, "two_nodes", 2),) if nodes == 2 else ()  # noqa: PLR2004


def _between(machine: Machine, profile: Profile, name: str, nodes: int) -> Case:
    """Two ranks, in one node or in two."""
    sizes = {"sizes": _SIZES[profile]} if _SIZES[profile] else {}
    case = Case(
        name=name,
        options=sizes | {"budget": _BUDGET[profile]},
        ranks=2,
        nodes=nodes,
        needs_cores=2,
        priority="detail",
    )
    return _estimate(machine, case)


LOGGP = Benchmark(
    name="messages/loggp",
    title="the division of a message's time",
    metrics=(
        Metric(
            name="message_time",
            unit="s",
            better="lower",
            count="messages",
            regions=("round_trip", "train"),
        ),
        Metric(
            name="time",
            unit="s",
            better="lower",
            regions=("delayed", "late_answer", "delay"),
        ),
    ),
    cases=_cases,
    over_nodes=_over_nodes,
    profiles=THOROUGH,
    estimate=_estimate,
    tiny=tiny_case({"sizes": "1,63"}, ranks=2),
    derived=("o_s", "o_r", "g", "L", "G"),
    figures=(
        Figure(
            title="Time of one message of many, and of one that is answered, over its size",
            kind="curve",
            metric="message_time",
            x="bytes",
            x_label="message size [B]",
            series=("toolchain", "region", "layout"),
            log_x=True,
            log_y=True,
        ),
    ),
    needs_mpi=True,
)
