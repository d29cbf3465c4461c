"""The record of compute/branches: branch misprediction penalty, and capacity of the predictor."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.05, "full": 0.2}

_estimate = by_counts(
    "compute/branches",
    Cost("points", 0.6, "budget"),
    # Drawing and counting: the lists of most points suffice for this many bodies.
    Cost("decisions", 64 * 2e-9, "core"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(name="one_core", options={"budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


BRANCHES = Benchmark(
    name="compute/branches",
    title="branch misprediction",
    measures="branch misprediction penalty, predictor capacity",
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
        Figure.curve(
            "Branch time over the probability of the outcome",
            "time",
            "chance_percent",
            "probability of one outcome [%]",
            regions=("random",),
            log_x=False,
            log_y=False,
            series=("region",),
        ),
        Figure.curve(
            "Branch time over the length of a periodic pattern",
            "time",
            "period",
            "decisions",
            regions=("periodic",),
            log_y=False,
            series=("region",),
        ),
        Figure.curve(
            "Indirect call time over the number of targets",
            "time",
            "targets",
            "targets",
            regions=("indirect",),
            log_y=False,
            series=("region",),
        ),
    ),
)
