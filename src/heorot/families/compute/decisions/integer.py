"""The record of compute/integer: integer arithmetic."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.machine.machine import Machine

OPERATIONS = ("add", "multiply", "shift", "divide", "remainder", "count_ones")
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.02, "standard": 0.1, "full": 0.3}
# No known core starts more integer instructions per cycle.
_MOST_PER_CYCLE = 8.0

# Every step of these is repeated for verification, slower by this factor.
_DONE_AGAIN = {"count_ones": 1.0 + 6.0}
_estimate = by_counts(
    "compute/integer", Cost("points", 0.5, "budget", option="ops", factors=_DONE_AGAIN)
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(name="one_core", options={"budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


INTEGER = Benchmark(
    name="compute/integer",
    title="integer arithmetic",
    measures="64-bit integer operations: latency, throughput",
    metrics=(Metric(name="operation_rate", unit="op/s", better="higher", count="operations"),),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case(),
    derived=("cycles", "per_cycle"),
    ceilings=(
        Ceiling(
            metric="operation_rate",
            by="core_clock",
            refuses_only=True,
            factor=_MOST_PER_CYCLE,
            reason="no known core starts more than eight such operations per cycle",
        ),
    ),
    headlines=(
        Headline(
            label="Integer division",
            metric="operation_rate",
            region="divide",
            point={"way": "independent"},
        ),
    ),
    figures=(
        Figure.bars(
            "64-bit integer arithmetic",
            "operation_rate",
            ("region", "way"),
            log_y=True,
        ),
    ),
)
