"""The record of integers/sieve: how fast a core crosses out numbers."""

from __future__ import annotations

from heorot.catalogue.sizes import all_cores
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, Size, tiny_case
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

_BITS: dict[Profile, int] = {"smoke": 16, "quick": 20, "standard": 22, "full": 24}
_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.1, "standard": 1.0, "full": 2.0}


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    bits, budget, cores = _BITS[profile], _BUDGET[profile], all_cores(machine)
    layouts = {"one_core": 1} | ({"all_cores": cores} if cores > 1 else {})
    return tuple(
        Case(
            name=name,
            options={"bits": bits, "budget": budget},
            ranks=ranks,
        ).estimated(
            memory_bytes=ranks * ((1 << bits) + (16 << 20)),
            working_set_bytes=ranks * (1 << (bits - 1)),
            seconds=1.2 * budget + (1 << bits) * 10e-9,
        )
        for name, ranks in layouts.items()
    )


SIEVE = Benchmark(
    name="integers/sieve",
    title="the sieve",
    metrics=(Metric(name="crossing_rate", unit="1/s", better="higher", count="crossings"),),
    cases=_cases,
    tiny=tiny_case({"bits": 12}),
    size=Size(coordinate="bits"),
    headlines=(Headline(label="Sieve", metric="crossing_rate", region="sieve"),),
    figures=(
        Figure(title="Sieving by layout", kind="bars", metric="crossing_rate", series=("layout",)),
    ),
)
