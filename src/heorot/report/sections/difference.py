"""What a comparison comes to, in a few sentences: what changed, what stayed, what to believe."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.model.analysis.comparison import ComparedGroup, Comparison, ComparisonVerdict
from heorot.report.wording import count, group_digits
from heorot.units import format_ratio

_MOST_NAMED = 4


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
        _metrics(comparison),
    )
    return [sentence for sentence in found if sentence is not None]


def _disturbed(comparison: Comparison, spoilt: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    """What of the runs was disturbed, and what should not be concluded."""
    told = [
        f"run {letter}: {each.text}"
        for letter, each in zip("AB", comparison.disturbances, strict=True)
        if not each.none
    ]
    n_marked = sum(bool(metric.disturbed) for metric in comparison.metrics)
    if n_marked:
        n_metrics = count(len(comparison.metrics), "metric")
        told.append(f"{group_digits(n_marked)} of {n_metrics} compared rest on disturbed samples")
    if not told:
        return None
    text = "; ".join(told)
    if any(each.is_heavy for each in comparison.disturbances):
        text += ". Conclude nothing from this comparison before measuring again"
    elif spoilt:
        names = _names([f"{group.name} ({_ratio(group)})" for group in spoilt])
        text += f". Conclude nothing about {names} before measuring again"
    return f"{text[0].upper()}{text[1:]}.", "warn"


def _changed(groups: Sequence[ComparedGroup], verdict: ComparisonVerdict) -> tuple[str, str] | None:
    """What got better or worse, and by how much, the largest change first."""
    found = [group for group in groups if group.verdict == verdict]
    if not found:
        return None
    found.sort(key=lambda group: -abs(math.log(group.geometric_mean_ratio)))
    word = f"B is {verdict} in"
    return f"{word} {_names([_amount(group) for group in found])}.", ""


def _amount(group: ComparedGroup) -> str:
    """Such as `memory/stream by 5.0 %: ratio 0.950 [0.941, 0.960] over 12 metrics`."""
    change = f"{abs(group.geometric_mean_ratio - 1):.1%}".replace("%", " %")
    some = f", {group.n_disturbed} of them disturbed" if group.n_disturbed else ""
    return f"{group.name} by {change} ({_ratio(group)} over {count(group.n, 'metric')}{some})"


def _ratio(group: ComparedGroup) -> str:
    ratio, low, high = map(format_ratio, (group.geometric_mean_ratio, group.low, group.high))
    return f"ratio {ratio} [{low}, {high}]"


def _stayed(groups: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    found = [group for group in groups if group.verdict == "indistinguishable" and not group.lacks]
    if not found:
        return None
    verb = "cannot be told from A in"
    return f"B {verb} {_names([group.name for group in found])}.", "muted"


def _undecided(groups: Sequence[ComparedGroup]) -> tuple[str, str] | None:
    """What the interval alone would call a change."""
    found = [group for group in groups if group.lacks]
    if not found:
        return None
    told = _names([f"{group.name} ({_ratio(group)}, but {group.lacks})" for group in found])
    return f"Not enough launches decide {told}.", "muted"


def _untested(comparison: Comparison) -> tuple[str, str] | None:
    """What there are only ratios of."""
    n = sum(metric.verdict == "untested" for metric in comparison.metrics)
    if not n:
        return None
    return f"The interval of one side is unknown for {count(n, 'metric')}: no verdict.", "muted"


def _metrics(comparison: Comparison) -> tuple[str, str]:
    shown = ("worse", "better", "indistinguishable", "untested")
    tallies = [comparison.tally(each) for each in shown if each in comparison.verdicts]
    return f"Of {count(len(comparison.metrics), 'metric')}: {', '.join(tallies)}.", "muted"


def _names(words: Sequence[str]) -> str:
    """The first few, and how many more there are; the table below has all."""
    named = words[:_MOST_NAMED]
    if len(words) > _MOST_NAMED:
        return f"{', '.join(named)} and {len(words) - _MOST_NAMED} more"
    return f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
