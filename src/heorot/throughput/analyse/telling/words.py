"""How sentences about a day word ratios and fates."""

from __future__ import annotations

from heorot.model.analysis.claims import Claim, Quantity
from heorot.throughput.analyse import templates
from heorot.throughput.model.measures import Bound
from heorot.throughput.model.story import Interference, Missing

FATES = {
    "failed": "failed",
    "timeout": "ran into its time limit",
    "node_fail": "lost a node",
    "rejected": "was rejected",
    "cancelled": "was cancelled",
    "vanished": "vanished",
    "unfinished": "has not ended",
    "lost": "never told its end",
    "skipped": "was left out",
    "absent": "is not there at all",
}
"""What is said of a job or a program that did not end well."""

BOUNDS: dict[Bound, str] = {
    "work": "all work on all processors",
    "late arrivals": "the work that came late",
    "longest job": "the job that ends last however early it starts",
}


def ratio_of(one: Interference) -> Claim:
    """How much longer a program takes, with the interval if there is one."""
    ratio = Quantity(median=one.ratio, low=one.low, high=one.high)
    return templates.TIMES.claim(ratio=ratio)


def fate_of(one: Missing) -> Claim:
    """What became of a job or a program of a job, such as `adf15 was cancelled`."""
    ran = one.started or one.part or one.fate == "rejected"
    fate = FATES.get(one.fate, one.fate)
    return templates.FATE.claim(one=one, fate=fate, never=not ran)
