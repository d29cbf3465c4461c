"""The quantities of claims: values of rows, ratios and shares, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.analyse.rows import over
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.claims import Limit, Quantity
from heorot.model.analysis.result import Result


def quantity(row: Result) -> Quantity:
    """A row's value, with its cautions."""
    return plain(row).model_copy(update={"caution": row.caution})


def plain(row: Result, unit: str | None = None) -> Quantity:
    """The same without caution.

    Args:
        unit: such as `%`; None for its own.
    """
    ends = (row.median, row.ci_low, row.ci_high)
    return of_ends(ends, row.n_launches, row.unit if unit is None else unit, (row.id,))


def share_of(row: Result | None) -> Quantity | None:
    """A row's share of its bound with the row's interval; None if it has no share."""
    part = row.share_of_ceiling if row is not None else None
    if row is None or part is None or row.median == 0.0:
        return None
    ends = (part, part * row.ci_low / row.median, part * row.ci_high / row.median)
    return of_ends(ends, row.n_launches, "%", (row.id,))


def ratio(
    above: Result | None, below: Result | None, *, divisor: float = 1.0, unit: str = ""
) -> Quantity | None:
    """The ratio of two positive rows with an interval that encloses both intervals.

    Args:
        above: the numerator; without it there is no ratio.
        below: the denominator; likewise.
        unit: `%`, or empty for a plain ratio.
    """
    if above is None or below is None:
        return None
    centre, low, high = (each / divisor for each in over(above, below))
    return of_ends(
        (centre, low, high), min(above.n_launches, below.n_launches), unit, (above.id, below.id)
    )


def of_middle(
    middle: Middle, launches: int | None, unit: str = "", rows: Sequence[str] = ()
) -> Quantity:
    """A quantity over the launches of a case.

    Args:
        middle: with its interval [unit].
    """
    return Quantity(
        median=middle.median,
        low=middle.low,
        high=middle.high,
        unit=unit,
        launches=launches,
        rows=tuple(rows),
    )


def of_ends(
    ends: tuple[float, float, float], launches: int | None, unit: str = "", rows: Sequence[str] = ()
) -> Quantity:
    """A value from the centre and the ends of its interval.

    Args:
        ends: centre, low, high [unit].
    """
    middle = Middle(median=ends[0], low=ends[1], high=ends[2])
    return of_middle(middle, launches, unit, rows)


def exactly(value: float, unit: str = "") -> Quantity:
    """A value without interval [unit]."""
    return Quantity(median=value, unit=unit)


def limit(value: float, unit: str = "") -> Limit:
    """A threshold [unit]."""
    return Limit(median=value, unit=unit)


def is_difference(low: float, high: float) -> bool:
    """Whether a ratio is significantly more, or significantly less, than 1.

    Other sentences must not claim faster, slower, more or less.
    """
    return low > 1.0 or high < 1.0


def differ(one: Result, other: Result) -> bool:
    """Whether two positive rows differ by more than their intervals."""
    return is_difference(*over(one, other)[1:])


def size(one: Quantity) -> float:
    """The distance of a ratio from 1, either way; negative if insignificant."""
    known = one.low is not None and one.high is not None and is_difference(one.low, one.high)
    return abs(math.log(one.median)) if known else -1.0


def keys(*rows: Result | None) -> tuple[str, ...]:
    """The keys of the existing rows, as evidence."""
    return tuple(row.id for row in rows if row is not None)
