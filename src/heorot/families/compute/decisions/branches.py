"""The record of compute/branches: what a wrong guess costs, and what a core remembers."""

from __future__ import annotations

from heorot.catalogue.settings import budget_seconds, number, word
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

_POINTS = {"random": 9, "periodic": 15, "indirect": 5}
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.05, "full": 0.2}
_USED_OF_BUDGET = 0.6
_DEFAULT_LENGTH = 1 << 16
_LISTS = 64  # of this length are drawn for most points
_SECONDS_PER_DECISION = 2e-9  # to draw and to count


def _estimate(machine: Machine, case: Case) -> Case:
    """Points by their budgets, and the lists that are drawn for them."""
    del machine
    wanted = word(case, "regions", "all")
    regions = [*_POINTS] if wanted == "all" else wanted.split(",")
    points = sum(_POINTS.get(region, 0) for region in regions)
    drawn = _LISTS * number(case, "length", _DEFAULT_LENGTH)
    each = _USED_OF_BUDGET * budget_seconds(case) + drawn * _SECONDS_PER_DECISION
    return case.estimated(memory_bytes=int(drawn) + (4 << 20), seconds=points * each)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(name="one_core", options={"budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


BRANCHES = Benchmark(
    name="compute/branches",
    metrics=(Metric(name="time", unit="s", better="lower", count="decisions", per_rank=True),),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"length": 256}),
    derived=("wrong_guess", "wrong_guess_cycles", "remembered"),
    headlines=(
        Headline(label="Branch misprediction penalty", metric="wrong_guess", region="random"),
    ),
    figures=(
        Figure(
            title="What a decision costs by how far it is left to chance",
            kind="curve",
            metric="time",
            regions=("random",),
            x="chance_percent",
            x_label="decisions for one way [%]",
        ),
        Figure(
            title="What a decision costs by the length of the pattern that repeats",
            kind="curve",
            metric="time",
            regions=("periodic",),
            x="period",
            x_label="decisions",
            log_x=True,
        ),
        Figure(
            title="What a call costs by the number of its targets",
            kind="curve",
            metric="time",
            regions=("indirect",),
            x="targets",
            x_label="targets",
            log_x=True,
        ),
    ),
)
