"""The record of algorithms/stencil: sweeps over a grid, in caches and in memory."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.programs import default
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Headline, Metric, Traffic
from heorot.model.catalogue.usual import BANDWIDTH, FLOP_RATE, below_peak
from heorot.model.machine.machine import Machine

PLAIN, BLOCKED, TOGETHER = "plain", "blocked", "steps_together"
# Grids per doubling, and the budget of one region [s].
_SWEEP: dict[Profile, tuple[float, float]] = {
    "smoke": (0.25, 0.005),
    "quick": (0.5, 0.01),
    "standard": (1.0, 0.05),
    "full": (2.0, 0.2),
}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 3.0, "standard": 12.0, "full": 60.0}
_BYTES_PER_POINT = 16.0

# Time of all bodies of a region per point of the grid, on average over the stencils [s]: the 4 to
# 15 trials of variants, of two each, and four that warm up, calibrate and measure.
_SECONDS_PER_POINT = {PLAIN: 12 * 1.6e-9, BLOCKED: 34 * 1.0e-9, TOGETHER: 18 * 3.0e-9}
_estimate = by_counts(
    "algorithms/stencil",
    Cost("points", 0.3, "budget"),
    Cost(
        "swept_bytes",
        1.0 / _BYTES_PER_POINT,
        "core",
        option="regions",
        factors=_SECONDS_PER_POINT,
    ),
    # Filling and checking the grids.
    Cost("swept_bytes", 4e-9 / _BYTES_PER_POINT, "core"),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core; in longer profiles also a grid on every core, and one on all of them."""
    per_octave, budget = _SWEEP[profile]
    smallest = int(default("algorithms/stencil", "min-bytes"))

    def sized(total: int, layout: Layout) -> Case:
        largest = total // layout.copies
        options: Options = {
            "max-bytes": largest,
            "points-per-octave": per_octave,
            "budget": budget,
        }
        # Copies show the contention for shared caches and memory.
        if layout.copies > 1:
            options |= {"min-bytes": max(smallest, largest // 8)}
        return _estimate(machine, layout.case(options, "main"))

    return tuple(
        affordable(
            layout, sized, beyond_caches_bytes(machine, layout.cores), _MOST_SECONDS[profile]
        )
        for layout in one_core_and_all(machine, profile)
    )


STENCIL = Benchmark(
    name="algorithms/stencil",
    title="7-point stencil",
    measures="7- and 27-point stencils, temporal blocking",
    metrics=(
        Metric(name="update_rate", unit="update/s", better="higher", count="updates"),
        FLOP_RATE,
        Metric(name="nominal_flop_rate", unit="flop/s", better="higher", count="nominal_flops"),
        BANDWIDTH,
    ),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    tiny=tiny_case({"max-bytes": 100_000, "points-per-octave": 0.5}),
    ceilings=(below_peak("most operands of a stencil are loaded, point by point"),),
    # One of two grids is only stored to: a plain sweep fetches it first (write-allocate), blocks
    # may use non-temporal stores.
    traffic=(
        Traffic(regions=(PLAIN,), carried=3 / 2),
        Traffic(regions=(BLOCKED, TOGETHER), fetched=1 / 2),
    ),
    headlines=(
        Headline(
            label="7-point stencil, largest grid",
            metric="update_rate",
            region=BLOCKED,
            point={"points": 7},
            pick="largest",
            tells_level=True,
        ),
        Headline(
            label="7-point stencil, temporal blocking",
            metric="update_rate",
            region=TOGETHER,
            point={"points": 7},
            pick="largest",
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "Stencil updates over the grid size",
            "update_rate",
            "working_set_bytes",
            "two copies of the grid [B]",
            series=("region", "points", "layout"),
        ),
    ),
)
