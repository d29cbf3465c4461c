"""The record of memory/atomics: false sharing and contended atomics."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.sizes import all_cores
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.machine.machine import Machine

ADDITIONS = ("fetch_add", "compare_exchange", "one_line", "own_lines")
_BUDGET: dict[Profile, float] = {"smoke": 0.01, "quick": 0.02, "standard": 0.1, "full": 0.3}
_PAIRS: dict[Profile, int] = {"smoke": 28, "quick": 120, "standard": 2016, "full": 1 << 20}

_estimate = by_counts("memory/atomics", Cost("points", 0.8, "budget"))


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    cores = all_cores(machine)
    case = Case(
        name="all_cores",
        options={"max-pairs": _PAIRS[profile], "budget": _BUDGET[profile]},
        threads=cores,
        priority="main",
    )
    return (_estimate(machine, case),)


ATOMICS = Benchmark(
    name="memory/atomics",
    title="atomic operations",
    measures="core-to-core cache-line latency, atomic updates",
    metrics=(
        Metric(name="transfer_time", unit="s", better="lower", count="transfers", per_rank=True),
        Metric(name="operation_rate", unit="op/s", better="higher", count="operations"),
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case(),
    headlines=(
        Headline(label="Core-to-core cache-line latency", metric="transfer_time", region="bounce"),
    ),
    figures=(
        Figure(
            title="Core-to-core cache-line latency",
            kind="matrix",
            metric="transfer_time",
            regions=("bounce",),
            x="to_cpu",
            x_label="to CPU",
            series=("from_cpu",),
            least_values=2,
        ),
        Figure.curve(
            "Atomic additions and false sharing over the threads",
            "operation_rate",
            "adders",
            "threads",
            regions=ADDITIONS,
            least_values=2,
            series=("region",),
        ),
    ),
)
