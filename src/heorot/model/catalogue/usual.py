"""Metrics and bounds common to many programs."""

from __future__ import annotations

from heorot.model.catalogue.metrics import Ceiling, Metric

FLOP_RATE = Metric(name="flop_rate", unit="flop/s", better="higher", count="flops")
BANDWIDTH = Metric(name="bandwidth", unit="B/s", better="higher", count="bytes")
TIME = Metric(name="time", unit="s", better="lower")
# Two loads and one store of 64 bytes per cycle, at any level of the memory.
LOADS_AND_STORES = Ceiling(
    metric="bandwidth",
    by="core_clock",
    refuses_only=True,
    factor=192.0,
    reason="no known core loads and stores more than 192 bytes per cycle",
)


def below_peak(unreached: str = "", *, regions: tuple[str, ...] = ()) -> Ceiling:
    """The peak of the FMA pipes as the bound of a flop rate."""
    return Ceiling(
        metric="flop_rate",
        regions=regions,
        by="flop_peak",
        reason="no core exceeds its FMA peak",
        unreached=unreached,
    )
