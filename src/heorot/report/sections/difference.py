"""The verdict on two runs, in a few sentences: what changed, what did not, what is undecided."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.model.analysis.comparison import ComparedGroup, Comparison, ComparisonVerdict
from heorot.report.wording import count, group_digits
from heorot.units import format_ratio

_MOST_NAMED = 3


def say(comparison: Comparison) -> list[tuple[str, str]]:
    """The verdict, each sentence with its tone; empty if nothing was compared."""
    if not comparison.metrics:
        return []
    programs = [group for group in comparison.groups if "/" in group.name]
    spoilt = [group for group in programs if group.is_spoilt]
    sound = [group for group in programs if not group.is_spoilt]
    found = (
        _disturbed(comparison, spoilt),
        _changed(sound, "worse"),
        _changed(sound, "better"),
        _stayed(sound),
        _undecided(sound),
        _untested(comparison),
    )
    return [sentence for sentence in found if sentence is not None]


def _disturbed(comparison: Comparison, spoilt: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    """What perturbed samples leave undecided; the first screen has how many launches they are."""
    runs = [x for x, one in zip("AB", comparison.disturbances, strict=True) if one.is_heavy]
    if runs:
        which = " and ".join(runs)
        return f"Most launches of run {which} were perturbed: conclude nothing.", "warn"
    if spoilt:
        return f"Perturbed samples decide {_names(spoilt)}: measure again.", "warn"
    n_marked = sum(bool(metric.disturbed) for metric in comparison.metrics)
    if n_marked:
        n_metrics = count(len(comparison.metrics), "metric")
        return f"{group_digits(n_marked)} of {n_metrics} rest on perturbed samples.", "warn"
    return None


def _changed(groups: Sequence[ComparedGroup], verdict: ComparisonVerdict) -> tuple[str, str] | None:
    """What got better or worse, the largest change first and with its ratio."""
    found = [group for group in groups if group.verdict == verdict]
    found.sort(key=lambda group: -abs(math.log(group.geometric_mean_ratio)))
    return (f"B is {verdict} at {_names(found)}.", "") if found else None


def _stayed(groups: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    found = [group for group in groups if group.verdict == "indistinguishable" and not group.lacks]
    if not found:
        return None
    return f"B does not differ significantly from A at {_names(found, plain=True)}.", "muted"


def _undecided(groups: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    """What the interval alone would call a change; the table has what is lacking."""
    found = [group for group in groups if group.lacks]
    return (f"Too few launches to decide {_names(found)}.", "muted") if found else None


def _untested(comparison: Comparison) -> tuple[str, str] | None:
    """Metrics with a ratio only."""
    n = sum(metric.verdict == "untested" for metric in comparison.metrics)
    if not n:
        return None
    return f"{count(n, 'metric')} without an interval on one side: no verdict.", "muted"


def _names(groups: Sequence[ComparedGroup], *, plain: bool = False) -> str:
    """The first few, the first with its ratio, and how many more; the table has all."""
    first, *others = [group.name for group in groups]
    named = [first if plain else f"{first} ({_ratio(groups[0])})", *others[: _MOST_NAMED - 1]]
    more = len(groups) - len(named)
    last = f"{more} more" if more else named.pop() if len(named) > 1 else ""
    return " and ".join(filter(None, (", ".join(named), last)))


def _ratio(group: ComparedGroup) -> str:
    """Such as `0.950 [0.941, 0.960] times A`."""
    ratio, low, high = map(format_ratio, (group.geometric_mean_ratio, group.low, group.high))
    return f"{ratio} [{low}, {high}] times A"
