"""How sentences about a day word numbers, names and fates."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.day.measures import Bound, Spread
from heorot.model.day.story import Interference, Missing
from heorot.units import format_duration

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
_MOST_NAMED = 4
_NOTHING = 5e-4


def percent(share: float) -> str:
    """A share [1] in per cent, with a decimal where it is small."""
    value = 100.0 * share
    return f"{value:.0f} %" if abs(value) >= 10 or value == 0 else f"{value:.1f} %"  # noqa: PLR2004


def change(share: float) -> str:
    """A relative change [1] with its sign, if it is one."""
    if abs(share) < _NOTHING:
        return percent(0.0)
    return f"{'+' if share >= 0 else '−'}{percent(abs(share))}"


def names(words: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    shown = ", ".join(words[:_MOST_NAMED])
    more = len(words) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def median_of(spread: Spread) -> str:
    """A median of durations with its interval."""
    ends = f"{format_duration(spread.low)} to {format_duration(spread.high)}"
    return f"{format_duration(spread.median)} [{ends}]"


def ratio_of(one: Interference) -> str:
    """How much longer a program takes, with the interval if there is one."""
    ends = "" if one.low is None or one.high is None else f" [{one.low:.2f}, {one.high:.2f}]"
    return f"{one.ratio:.2f} times{ends}"


def fate_of(one: Missing) -> str:
    """What became of a job or a program of a job, such as `adf15 was cancelled`."""
    what = f"{one.part} of {one.label}" if one.part else one.label
    never = "" if one.started or one.part else " and never ran"
    if one.fate == "rejected":
        never = ""
    return f"{what} {FATES.get(one.fate, one.fate)}{never}"
