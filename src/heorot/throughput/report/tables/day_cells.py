"""Cells and columns that several tables about a day use."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.report.tables.table import Cell, Column
from heorot.report.wording import group_digits
from heorot.throughput.model.story import Spread
from heorot.units import NOTHING, format_duration

_BOUNDED = 10.0
# From where on a unit is used, and its size [s].
_UNITS = ((172_800.0, 86_400.0, "d"), (7200.0, 3600.0, "h"), (120.0, 60.0, "min"))


def text_columns(*titles: str) -> list[Column]:
    """Columns of texts."""
    return [Column(title) for title in titles]


def number_columns(*titles: str, unit: str = "") -> list[Column]:
    """Columns of numbers; copies have the unit in their heading."""
    copied = f" [{unit}]" if unit else ""
    return [Column(title, numeric=True, copied=title + copied) for title in titles]


def duration(seconds: float | None, tone: str = "") -> Cell:
    """A time in one unit, so that columns stay narrow [s]."""
    if seconds is None or math.isnan(seconds):
        return Cell(NOTHING, tone="muted")
    return Cell(format_time(seconds), seconds, tone)


def format_time(seconds: float) -> str:
    """Prints a time with three digits in one unit: `0.85 s`, `42 s`, `43.6 min`, `1.03 h` [s]."""
    if abs(seconds) < _UNITS[-1][0]:
        return format_duration(seconds) if abs(seconds) < 1.0 else f"{seconds:.3g} s"
    size, unit = next((size, unit) for least, size, unit in _UNITS if abs(seconds) >= least)
    value = seconds / size
    return f"{value:.3g} {unit}" if abs(value) < 999.5 else f"{value:.0f} {unit}"  # noqa: PLR2004 (no exponents)


def whole(number: int, tone: str = "") -> Cell:
    """A whole number."""
    return Cell(group_digits(number), number, tone)


def ratio(value: float | None, tone: str = "") -> Cell:
    """A plain ratio."""
    if value is None or math.isnan(value):
        return Cell(NOTHING, tone="muted")
    text = f"{value:.2f}" if abs(value) < _BOUNDED else f"{value:.1f}"
    return Cell(text, value, tone)


def share(value: float | None, *, bar: bool = False) -> Cell:
    """A share [1] in per cent, with a bar if wanted."""
    if value is None or math.isnan(value):
        return Cell(NOTHING, tone="muted")
    return Cell(
        f"{100 * value:.1f} %", 100 * value, share=min(1.0, max(0.0, value)) if bar else None
    )


def change(value: float | None) -> Cell:
    """A relative change [1] with its sign."""
    if value is None or math.isnan(value):
        return Cell(NOTHING, tone="muted")
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return Cell(f"{sign}{abs(100 * value):.1f} %", 100 * value)


def spread(values: Spread | None, *, plain: bool = False) -> Sequence[Cell]:
    """Mean, median, p95 and maximum of durations, or of plain ratios."""
    make = ratio if plain else duration
    if values is None:
        return [make(None)] * 4
    return [make(x) for x in (values.mean, values.median, values.p95, values.maximum)]
