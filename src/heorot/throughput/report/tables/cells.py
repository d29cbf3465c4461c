"""Cells and columns shared by the tables about throughput tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from heorot.report.tables.columns import Field, numbers
from heorot.report.tables.table import Cell
from heorot.report.wording import group_digits
from heorot.throughput.model.spread import Spread
from heorot.units import NOTHING, format_duration

T = TypeVar("T")

_BOUNDED = 10.0
# The least time shown in a unit, and the size of the unit [s].
_UNITS = ((172_800.0, 86_400.0, "d"), (7200.0, 3600.0, "h"), (120.0, 60.0, "min"))
# The statistics of a spread that tables show, by the heads of the columns.
_ENDS = {"mean": "mean", "median": "median", "p95": "p95", "max": "maximum"}

_STATES = {
    "ok": "completed",
    "vanished": "lost",
    "node_fail": "node failure",
    "lost": "end unknown",
    "absent": "not recorded",
}


def word_state(state: str) -> str:
    """The final state of a job or a program, as the page names it."""
    return _STATES.get(state, state.replace("_", " "))


def durations(title: str, seconds: Callable[[T], float | None]) -> Field[T]:
    """A column of times [s]."""
    return numbers(title, lambda one: duration(seconds(one)), f"{title} [s]")


def counts(
    title: str, n: Callable[[T], int], is_bad: Callable[[T], bool] = lambda _: False
) -> Field[T]:
    """A column of whole numbers."""
    return numbers(title, lambda one: whole(n(one), "bad" if is_bad(one) else ""))


def ratios(title: str, value: Callable[[T], float | None]) -> Field[T]:
    """A column of plain ratios."""
    return numbers(title, lambda one: ratio(value(one)))


def shares(title: str, value: Callable[[T], float | None], *, bar: bool = False) -> Field[T]:
    """A column of shares [1], with bars if wanted."""
    return numbers(title, lambda one: share(value(one), bar=bar))


def changes(title: str, value: Callable[[T], float | None]) -> Field[T]:
    """A column of relative changes [1]."""
    return numbers(title, lambda one: change(value(one)))


def spreads(
    title: str,
    of: Callable[[T], Spread | None],
    *,
    plain: bool = False,
    ends: dict[str, str] = _ENDS,
) -> Sequence[Field[T]]:
    """Columns of the spread of durations [s] or plain ratios.

    Args:
        ends: statistics of the spread, by the heads of the columns.
    """
    cell: Callable[[float | None], Cell] = ratio if plain else duration

    def column(head: str, name: str) -> Field[T]:
        heading = f"{title} {head}".strip()
        copied = heading if plain else f"{heading} [s]"
        return numbers(heading, lambda one: cell(getattr(of(one), name, None)), copied)

    return [column(head, name) for head, name in ends.items()]


def duration(seconds: float | None) -> Cell:
    """A time in one unit, to keep columns narrow [s]."""
    if seconds is None or math.isnan(seconds):
        return Cell(NOTHING, tone="muted")
    return Cell(format_time(seconds), seconds)


def format_time(seconds: float) -> str:
    """Format a time with three digits in one unit: `0.85 s`, `42 s`, `43.6 min`, `1.03 h` [s]."""
    if abs(seconds) < _UNITS[-1][0]:
        return format_duration(seconds) if abs(seconds) < 1.0 else f"{seconds:.3g} s"
    size, unit = next((size, unit) for least, size, unit in _UNITS if abs(seconds) >= least)
    value = seconds / size
    return f"{value:.3g} {unit}" if abs(value) < 999.5 else f"{value:.0f} {unit}"  # noqa: PLR2004 (no exponents)


def whole(number: int, tone: str = "") -> Cell:
    """A whole number."""
    return Cell(group_digits(number), number, tone)


def ratio(value: float | None) -> Cell:
    """A plain ratio."""
    if value is None or math.isnan(value):
        return Cell(NOTHING, tone="muted")
    return Cell(f"{value:.2f}" if abs(value) < _BOUNDED else f"{value:.1f}", value)


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
