"""How sentences word the rows they rest on."""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.units import format_interval


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


def keys(*rows: Result | None) -> tuple[str, ...]:
    """The keys of those rows that there are, as evidence."""
    return tuple(row.key for row in rows if row is not None)


def cores(row: Result) -> str:
    """How many cores a row used, and of how many nodes if of several."""
    of_nodes = f" of {row.nodes} nodes" if row.nodes > 1 else ""
    return "one core" if row.cores == 1 else f"{row.cores} cores{of_nodes}"
