"""How sentences word the rows they rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.model.analysis.depth.levels import MOST_SHARE
from heorot.model.analysis.result import Result
from heorot.units import format_interval, plural


def interval(row: Result) -> str:
    """A row's value with unit and interval, and with what must be said wherever it is quoted."""
    text = format_interval(row.median, row.ci_low, row.ci_high, row.unit, launches=row.n_launches)
    return f"{text} ({row.caution})" if row.caution else text


def share(row: Result) -> str:
    """A row's share of its ceiling with the row's interval; empty if it has no share."""
    part = row.share_of_ceiling
    if part is None or row.median == 0.0:
        return ""
    return format_interval(
        part,
        part * row.ci_low / row.median,
        part * row.ci_high / row.median,
        "%",
        launches=row.n_launches,
    )


def percent(row: Result) -> str:
    """A row that is itself a share, in per cent with its interval."""
    return format_interval(row.median, row.ci_low, row.ci_high, "%", launches=row.n_launches)


def ratio(above: Result, below: Result, *, divisor: float = 1.0, unit: str = "") -> str:
    """The ratio of two positive rows with the interval that encloses those of both.

    Args:
        above: the row that is divided.
        below: the row to divide by.
        divisor: what the ratio is divided by besides.
        unit: `%`, or empty for a plain ratio.
    """
    return format_interval(
        above.median / below.median / divisor,
        above.ci_low / below.ci_high / divisor,
        above.ci_high / below.ci_low / divisor,
        unit,
        launches=min(above.n_launches, below.n_launches),
    )


def is_difference(low: float, high: float) -> bool:
    """Whether a ratio is known to be more, or known to be less, than one.

    No sentence says that anything is faster, slower, more or less where it is not.

    Args:
        low: lower end of the interval of the ratio.
        high: upper end.
    """
    return low > 1.0 or high < 1.0


def differ(one: Result, other: Result) -> bool:
    """Whether two positive rows differ by more than their intervals."""
    return is_difference(one.ci_low / other.ci_high, one.ci_high / other.ci_low)


def times(above: Result, below: Result, words: str) -> str:
    """How two positive rows compare, such as `2.38 [2.34, 2.47; 5 launches] times as fast as it`.

    Without a difference that their launches show there is no ratio: `as fast as it (no difference
    that 5 launches can show)`.

    Args:
        above: the row that is divided.
        below: the row to divide by.
        words: what comes behind the ratio, such as `as fast as it`.
    """
    launches = min(above.n_launches, below.n_launches)
    if not differ(above, below):
        return f"{words} ({no_difference(launches)})"
    return f"{ratio(above, below)} times {words}"


def no_difference(launches: int) -> str:
    """What is said of a ratio that may be one, of so many launches."""
    return f"no difference that {plural(launches, 'launch')} can show"


def all_times(compared: Sequence[tuple[Result, Result, str]]) -> list[str]:
    """The words of `times` for several pairs: the largest difference first, those without last."""

    def size(each: tuple[Result, Result, str]) -> float:
        above, below, _ = each
        return abs(math.log(above.median / below.median)) if differ(above, below) else -1.0

    return [times(*each) for each in sorted(compared, key=size, reverse=True)]


def listed(words: Sequence[str]) -> str:
    """Such as `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def efficiency(many: Result, one: Result, n: float) -> str:
    """What n times the cores or nodes bring of n times the rate; of more than that, times as much.

    Args:
        many: the rate on n times as many.
        one: the rate that it is compared with.
        n: how many times as many there are.
    """
    if many.median / one.median / n <= MOST_SHARE:
        return f"an efficiency of {ratio(many, one, divisor=n, unit='%')}"
    if many.ci_low / one.ci_high / n > 1.0:
        return f"{ratio(many, one, divisor=n)} times a linear speedup"
    launches = min(many.n_launches, one.n_launches)
    return f"a linear speedup ({no_difference(launches)})"


def keys(*rows: Result | None) -> tuple[str, ...]:
    """The keys of those rows that there are, as evidence."""
    return tuple(row.id for row in rows if row is not None)


def cores(row: Result) -> str:
    """How many cores a row used, and of how many nodes if of several."""
    of_nodes = f" of {row.nodes} nodes" if row.nodes > 1 else ""
    return "one core" if row.cores == 1 else f"{row.cores} cores{of_nodes}"
