"""Holds quantities that were measured in two ways against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.catalogue.family import Family
from heorot.model.run.series import Series

# Two clocks of one machine differ by parts in a million; 0.1 % would be a fault.
_CLOCKS = 1.001


def cross_check(
    context: Context, series: Sequence[Series], families: Iterable[Family]
) -> list[CrossCheck]:
    """All cross-checks for which both ways were measured.

    Args:
        context: the run.
        series: all samples.
        families: what they measure in two ways.
    """
    clocks = _clocks(series)
    own = [check for family in families for check in family.cross_check(context)]
    return [clocks, *own] if clocks else own


def per_toolchain(context: Context) -> Iterator[tuple[str, str]]:
    """Every toolchain with what names it behind a quantity; nothing if there is no other."""
    for toolchain in context.toolchains:
        yield toolchain, f", {toolchain}" if len(context.toolchains) > 1 else ""


def pair(
    quantity: str,
    rows: tuple[Result | None, Result | None],
    names: tuple[str, str],
    allowed: float,
) -> list[CrossCheck]:
    """One cross-check; none unless both ways were measured.

    Args:
        quantity: what was measured.
        rows: by one way and by the other.
        names: of the ways.
        allowed: largest factor between them that counts as agreement.
    """
    first, second = rows
    if first is None or second is None or first.median <= 0.0:
        return []
    return [
        CrossCheck(
            quantity=quantity,
            first_name=names[0],
            first=first.median,
            second_name=names[1],
            second=second.median,
            unit=first.unit,
            ratio=second.median / first.median,
            allowed=allowed,
        )
    ]


def meeting(first: Result, second: Result) -> float:
    """By what factor two rows may differ if their intervals just meet.

    Args:
        first: one row.
        second: the other.
    """
    low, high = sorted((first, second), key=lambda row: row.median)
    return (high.median / high.ci_low) * (low.ci_high / low.median) if high.ci_low > 0.0 else 1.0


def _clocks(series: Iterable[Series]) -> CrossCheck | None:
    """The summed length of all sampling loops on the main and on the second clock."""
    main = other = 0.0
    name = ""
    for one in series:
        if one.second_clock is not None and one.elapsed_seconds > 0.0:
            main += one.elapsed_seconds
            other += one.second_clock.elapsed_seconds
            name = name or one.second_clock.name
    if main <= 0.0:
        return None
    return CrossCheck(
        quantity="time spent sampling",
        first_name="main clock",
        first=main,
        second_name=f"{name} clock",
        second=other,
        unit="s",
        ratio=other / main,
        allowed=_CLOCKS,
    )
