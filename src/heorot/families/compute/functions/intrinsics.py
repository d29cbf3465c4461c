"""The record of compute/intrinsics: elementary functions, speed and accuracy."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

FUNCTIONS = ("exp", "log", "sin", "cos", "tan", "atan", "sqrt", "cbrt", "pow", "erf", "tgamma")
PRECISIONS = ("double", "single")
# The last one only with functions of whole vectors.
WAYS = ("call", "loop", "vector")
_BUDGET: dict[Profile, float] = {"smoke": 0.002, "quick": 0.005, "standard": 0.05, "full": 0.2}

_estimate = by_counts("compute/intrinsics", Cost("points", 0.7, "budget"))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    case = Case(name="one_core", options={"budget": _BUDGET[profile]})
    return (_estimate(machine, case),)


INTRINSICS = Benchmark(
    name="compute/intrinsics",
    title="math functions",
    measures="exp, log, sin ...: evaluations/s, error in ulp",
    metrics=(Metric(name="rate", unit="evaluation/s", better="higher", count="evaluations"),),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case(),
    derived=("largest_error", "digits_lost", "cycles_per_evaluation"),
    headlines=(
        Headline(
            label="exp, array loop, double precision",
            metric="rate",
            region="exp",
            point={"precision": "double", "way": "loop"},
        ),
        Headline(
            label="exp, vectorised, double precision",
            metric="rate",
            region="exp",
            point={"precision": "double", "way": "vector"},
        ),
        Headline(
            label="Largest error of exp",
            metric="largest_error",
            region="exp",
            point={"precision": "double", "way": "loop"},
        ),
    ),
    figures=(
        Figure.bars("Elementary functions", "rate", ("region", "precision", "way")),
        Figure(
            title="Largest errors of elementary functions [ulp]",
            kind="bars",
            metric="largest_error",
            # Arguments of the largest errors vary with the toolchain, but do not identify the
            # problem.
            series=("region", "precision", "way", "toolchain"),
        ),
    ),
)
