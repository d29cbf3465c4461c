"""How sentences word the rows they rest on."""

from __future__ import annotations

from heorot.model.analysis.result import Result
from heorot.units import format_interval


def interval(row: Result) -> str:
    """A row's value with unit and interval, and with a warning if it was disturbed."""
    text = format_interval(row.median, row.ci_low, row.ci_high, row.unit)
    return f"{text} (disturbed)" if row.disturbed else text


def keys(*rows: Result | None) -> tuple[str, ...]:
    """The keys of those rows that there are, as evidence."""
    return tuple(row.key for row in rows if row is not None)


def cores(row: Result) -> str:
    """How many cores a row used."""
    return "one core" if row.cores == 1 else f"{row.cores} cores"
