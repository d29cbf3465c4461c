"""The record of memory/walk: how long a load takes that waits for the one before."""

from __future__ import annotations

from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, Size, tiny_case
from heorot.model.catalogue.metrics import Headline, Metric
from heorot.model.catalogue.figure import Figure
from heorot.model.machine.machine import Machine

_BUDGET: dict[Profile, float] = {"smoke": 0.02, "quick": 0.05, "standard": 0.5, "full": 1.0}
_SMALLEST = 1 << 14
# A load from the memory of a slow machine, and filling the array [s].
_LOAD_SECONDS = 150e-9


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    largest = beyond_caches_bytes(machine)
    sizes = [_SMALLEST << i for i in range(0, 64, 2) if _SMALLEST << i <= largest]
    return tuple(
        Case(
            name=f"{size >> 10}_kib",
            options={"bytes": size, "budget": _BUDGET[profile]},
        ).estimated(
            memory_bytes=size + (16 << 20),
            working_set_bytes=size,
            seconds=1.2 * _BUDGET[profile] + 4 * (size / 8) * _LOAD_SECONDS,
        )
        for size in (sizes[::3] if profile == "smoke" else sizes)
    )


WALK = Benchmark(
    name="memory/walk",
    title="the chase",
    metrics=(Metric(name="load_time", unit="s", better="lower", count="loads"),),
    cases=_cases,
    tiny=tiny_case({"bytes": 65536}),
    size=Size(coordinate="working_set_bytes"),
    headlines=(
        Headline(label="A load that waits", metric="load_time", region="chase", pick="largest"),
    ),
    figures=(
        Figure(
            title="Time of a load over the working set",
            kind="curve",
            metric="load_time",
            x="working_set_bytes",
            x_label="working set [B]",
            log_x=True,
            log_y=True,
        ),
    ),
)
