"""The cause of the loss of copies, as a clause with numbers."""

from __future__ import annotations

import math
from typing import Any

from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.node_roofline.levels import MEMORY
from heorot.model.analysis.node_roofline.shares import Contention


def word_cause(contention: Contention) -> Claim:
    """The cause with its numbers, as a clause; the examined quantities if none explains it."""
    if not contention.is_loss:
        return templates.CHANCE.claim()
    match contention.causes[:1]:
        case ("bandwidth",):
            return templates.BANDWIDTH.claim(level=contention.level, **_rates(contention))
        case ("caches",):
            size = contention.point.get("working_set_bytes")
            return templates.CACHES.claim(
                size=exactly(float(size), "B") if isinstance(size, int | float) else "working set",
                level_alone=contention.level_alone,
                level=contention.level,
                **_rates(contention),
            )
        case ("waiting",):
            waits = _two(contention.wait, contention.wait_alone, "s")
            return templates.WAITING.claim(level=MEMORY, **waits)
        case ("clock",):
            return templates.CLOCK.claim(**_two(contention.clock, contention.clock_alone, "Hz"))
    return _unexplained(contention)


def _rates(contention: Contention) -> dict[str, Any]:
    return {"part": _of(contention.part, "B/s"), "drawn": _of(contention.consumed, "B/s")}


def _two(among: float | None, alone: float | None, unit: str) -> dict[str, Any]:
    return {"among": _of(among, unit), "alone": _of(alone, unit)}


def _of(value: float | None, unit: str) -> Quantity:
    return exactly(math.nan if value is None else value, unit)


def _unexplained(contention: Contention) -> Claim:
    """The quantities that were examined and explain too little."""
    names = {
        "bandwidth": f"the shares of the bandwidth of {contention.level or 'caches and memory'}",
        "caches": f"the shares of {contention.level_alone}",
        "waiting": "a longer load latency",
        "clock": "a lower clock",
    }
    known = {
        "bandwidth": contention.part is not None and contention.consumed is not None,
        "caches": contention.part is not None and contention.consumed is not None,
        "waiting": contention.wait is not None,
        "clock": contention.clock is not None,
    }
    looked = [names[cause] for cause, _ in contention.explains if known[cause]]
    return templates.UNEXPLAINED.claim(looked=looked) if looked else templates.SHARED.claim()
