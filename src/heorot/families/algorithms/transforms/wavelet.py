"""The record of algorithms/wavelet: Haar transforms of planes, from L1d to memory."""

from __future__ import annotations

from heorot.catalogue.estimates import Cost, by_counts
from heorot.catalogue.layouts import Layout, Options, affordable, one_core_and_all
from heorot.catalogue.sizes import beyond_caches_bytes
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile, tiny_case
from heorot.model.catalogue.figure import Figure
from heorot.model.catalogue.metrics import Ceiling, Headline, Traffic
from heorot.model.catalogue.usual import BANDWIDTH, FLOP_RATE
from heorot.model.machine.machine import Machine

FORWARD, INVERSE = "forward", "inverse"
MANY = {FORWARD: "forward_fields", INVERSE: "inverse_fields"}
# A field of 512 x 256 with its transform [B].
SOURCE_BYTES = 2 << 20
_BUDGET: dict[Profile, float] = {"smoke": 0.005, "quick": 0.01, "standard": 0.05, "full": 0.2}
_MOST_SECONDS: dict[Profile, float] = {"smoke": 1.0, "quick": 2.0, "standard": 8.0, "full": 30.0}
# Limit of the program.
_MOST_BYTES = 1 << 30
# An FMA pipe does one operation, a multiplication or an addition.
_SHARE_OF_PEAK = 0.5

_estimate = by_counts(
    "algorithms/wavelet",
    Cost("points", 0.8, "budget"),
    # At least three bodies, from memory.
    Cost("swept_bytes", 3.0 * 0.25e-9, "core"),
    # Filling and checking a field and its transform.
    Cost("swept_bytes", 1.5e-9, "core", alone=True),
)


def _cases(machine: Machine, profile: Profile) -> tuple[Case, ...]:
    """One core with fields of all sizes; in longer profiles all cores, together and with copies."""
    wanted = min(beyond_caches_bytes(machine), _MOST_BYTES)

    def sized(total: int, layout: Layout) -> Case:
        options: Options = {
            "max-bytes": max(total // layout.copies, SOURCE_BYTES),
            "budget": _BUDGET[profile],
        }
        return _estimate(machine, layout.case(options, "main"))

    return tuple(
        affordable(layout, sized, wanted, _MOST_SECONDS[profile])
        for layout in one_core_and_all(machine, profile)
    )


WAVELET = Benchmark(
    name="algorithms/wavelet",
    title="Haar wavelet transform",
    measures="2-D Haar wavelet transform and its inverse",
    metrics=(FLOP_RATE, BANDWIDTH),
    cases=_cases,
    estimate=_estimate,
    profiles=("quick", "standard", "full"),
    # From a field too small for a level.
    tiny=tiny_case({"max-bytes": SOURCE_BYTES, "min-bytes": 1}),
    ceilings=(
        Ceiling(
            metric="flop_rate",
            by="flop_peak",
            factor=_SHARE_OF_PEAK,
            reason="it has no FMA, which counts two operations of the peak",
            unreached="it performs three flops per two doubles loaded or stored",
        ),
    ),
    # The first transform step has three quarters of the counted bytes; coarser ones may come from a
    # nearer cache. Half of them are only stored to: fetched before (write-allocate), and written
    # back.
    traffic=(Traffic(fetched=3 / 4, carried=9 / 8),),
    headlines=(
        Headline(
            label="Haar wavelet transforms, 512 x 256",
            metric="flop_rate",
            region=MANY[FORWARD],
            point={"m": 512, "n": 256},
            tells_level=True,
        ),
    ),
    figures=(
        Figure.curve(
            "Haar wavelet transform over the working set",
            "flop_rate",
            "working_set_bytes",
            "field and transform of each rank [B]",
            regions=(FORWARD, INVERSE),
        ),
    ),
)
