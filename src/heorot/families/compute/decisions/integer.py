"""The record of compute/integer: arithmetic with whole numbers."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.machine.machine import Machine

OPERATIONS = ("add", "multiply", "shift", "divide", "remainder", "count_ones")
_WAYS = 2
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.02, "standard": 0.1, "full": 0.3}
_USED_OF_BUDGET = 0.5
# Every step of these is done again to verify it, so many times as slowly.
_DONE_AGAIN = {"count_ones": 6.0}
# No core known starts more instructions of this kind in a cycle.
_MOST_PER_CYCLE = 8.0


def _estimate(machine: Machine, case: Case) -> Case:
    """Operations by their budgets, and what it takes to verify them."""
    asked = Asked("compute/integer", case)
    del machine
    n = sum(1.0 + _DONE_AGAIN.get(operation, 0.0) for operation in asked.items("ops"))
    seconds = n * _WAYS * _USED_OF_BUDGET * asked.budget_seconds
    return asked.estimated(seconds)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(name="one_core", options={"budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


INTEGER = Benchmark(
    name="compute/integer",
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
            reason="no core known starts more than eight such operations in a cycle",
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
            "Arithmetic with whole numbers of 64 bits",
            "operation_rate",
            ("region", "way"),
            log_y=True,
        ),
    ),
)
