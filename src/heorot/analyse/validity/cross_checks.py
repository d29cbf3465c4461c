"""Cross-checks: quantities measured in two ways, and the cause if they disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from heorot.analyse.templates import validity as templates
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Finding, Result
from heorot.model.catalogue.family import Family
from heorot.model.grouping import group_by
from heorot.model.run.identity import Stack
from heorot.model.run.series import Series

# Two clocks of one machine differ by parts in a million; 0.1 % would be a fault.
_CLOCKS = 1.001


def cross_check(
    context: Context, series: Sequence[Series], families: Iterable[Family]
) -> list[CrossCheck]:
    """All cross-checks with measurements of both ways."""
    clocks = _clocks(series)
    ways = [each for family in families for each in family.analysis().cross_check]
    own = [check for each in ways for check in each(context)]
    return [clocks, *own] if clocks else own


def per_stack(context: Context) -> Iterator[tuple[Stack, str]]:
    """Every toolchain with the suffix of its quantities; empty if there is only one."""
    for stack in context.stacks:
        yield stack, f", {stack}" if len(context.stacks) > 1 else ""


def pair(
    quantity: str,
    rows: tuple[Result | None, Result | None],
    names: tuple[str, str],
    allowed: float,
    subject: str = "",
) -> list[CrossCheck]:
    """One cross-check; none unless both ways were measured."""
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
            evidence=(first.id, second.id),
            subject=subject,
        )
    ]


def meeting(first: Result, second: Result) -> float:
    """The factor by which two rows may differ if their intervals just meet."""
    low, high = sorted((first, second), key=lambda row: row.median)
    return (high.median / high.ci_low) * (low.ci_high / low.median) if high.ci_low > 0.0 else 1.0


def find_disagreements(checks: Sequence[CrossCheck], results: Iterable[Result]) -> list[Finding]:
    """One finding for each subject with two values, about the check with the largest difference."""
    rows = {row.id: row for row in results}
    subjects = group_by(checks, lambda check: check.subject or check.quantity)
    return [
        _disagreement(subject, members, rows)
        for subject, members in subjects.items()
        if not all(check.agrees for check in members)
    ]


def _disagreement(
    subject: str, members: Sequence[CrossCheck], rows: Mapping[str, Result]
) -> Finding:
    apart = [check for check in members if not check.agrees]
    worst = max(apart, key=lambda check: max(check.ratio, 1.0 / check.ratio) / check.allowed)
    one, other = _ways(worst, rows)
    return templates.TWO_WAYS(
        evidence=(key for check in apart for key in check.evidence),
        affected=[check.quantity for check in apart],
        remedy=worst.remedy or None,
        rows=(_tabulate(check, rows) for check in apart),
        check=worst,
        first=one,
        second=other,
        cause=worst.cause or "the measurements do not show why",
        apart=len(apart),
        checks=len(members),
        subject=subject if len(members) > 1 else None,
    )


def _tabulate(check: CrossCheck, rows: Mapping[str, Result]) -> tuple[str, ...]:
    one, other = _ways(check, rows)
    return (
        check.quantity,
        check.first_name,
        one.text,
        check.second_name,
        other.text,
        f"{check.ratio:.3f}",
        f"{check.allowed:.3f}",
        check.cause.text if check.cause else "none",
    )


def _ways(check: CrossCheck, rows: Mapping[str, Result]) -> tuple[Claim, Claim]:
    """The values of both ways, with the intervals of their rows where they exist."""
    values = (check.first, check.second)
    known = [rows.get(key) for key in check.evidence[:2]] or [None, None]
    first, second = (
        templates.ONE_WAY.claim(value=exactly(value, check.unit)) if row is None else _value(row)
        for value, row in zip(values, known, strict=True)
    )
    return first, second


def _value(row: Result) -> Claim:
    """A row's value with its interval; a quantity bracketed by two sizes has these two as text."""
    template = templates.BETWEEN_SIZES if row.unit == "B" else templates.ONE_WAY
    return template.claim(value=row)


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
