"""The record of algorithms/random: random number generators, speed and quality."""

from __future__ import annotations

from heorot.catalogue.asked import Asked
from heorot.catalogue.layouts import one_core_and_copies
from heorot.catalogue.sizes import pace
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.library import standard
from heorot.model.catalogue.metrics import Ceiling, Headline, Metric
from heorot.model.catalogue.usual import BANDWIDTH
from heorot.model.machine.machine import Machine

XOSHIRO, MERSENNE = "xoshiro256", "mt19937"
WORDS, DOUBLES, NORMALS = "words", "doubles", "normals"
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.1, "full": 0.5}
# The sequence is generated again, by definition, and every word passes several tests.
_USED_OF_BUDGET = 0.6
_SECONDS_PER_TESTED = 0.4e-6
_OUTPUTS = 2
# No known core stores more than 64 bytes per cycle.
_MOST_NUMBERS_PER_CYCLE = 8.0


def _estimate(machine: Machine, case: Case) -> Case:
    """Generators by their budgets, and the battery of each."""
    asked = Asked("algorithms/random", case)
    generators = len(asked.items("generators"))
    battery = asked.number("tested") * _SECONDS_PER_TESTED / pace(machine).speed(case.ranks)
    seconds = generators * (_OUTPUTS * _USED_OF_BUDGET * asked.budget_seconds + battery)
    return asked.estimated(seconds)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a copy on every core."""
    return tuple(
        _estimate(machine, layout.case({"budget": _BUDGET[profile]}))
        for layout in one_core_and_copies(machine, profile)
    )


RANDOM = Benchmark(
    name="algorithms/random",
    title="random numbers",
    measures="random number generators: rate, quality",
    metrics=(
        Metric(name="number_rate", unit="number/s", better="higher", count="numbers"),
        BANDWIDTH,
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"n": 701, "tested": 16384}),
    ceilings=(
        Ceiling(
            metric="number_rate",
            by="core_clock",
            refuses_only=True,
            factor=_MOST_NUMBERS_PER_CYCLE,
            reason="no known core stores more than 64 bytes per cycle",
        ),
    ),
    libraries=(standard("std::mt19937_64", {MERSENNE: ("philox", XOSHIRO, "pcg32")}),),
    headlines=(
        Headline(
            label="Random words, xoshiro256++",
            metric="number_rate",
            region=XOSHIRO,
            point={"output": WORDS},
        ),
        Headline(
            label="Normal deviates",
            metric="number_rate",
            region=XOSHIRO,
            point={"output": NORMALS},
        ),
    ),
    figures=(
        Figure.bars("Random numbers by generator", "number_rate", ("region", "output", "layout")),
    ),
)
