"""Whether intervals separate two values: extremes are named only if they do."""

from __future__ import annotations

from heorot.model.analysis.result import Result

Ends = tuple[float, float]
"""Ends of an interval, the lower one first."""


def overlap(one: Ends, other: Ends) -> bool:
    """Whether two intervals have a value in common; true if one is unknown."""
    return not (one[0] > other[1] or one[1] < other[0])


def alike(one: Result, other: Result) -> bool:
    """Whether the intervals of two rows overlap."""
    return overlap((one.ci_low, one.ci_high), (other.ci_low, other.ci_high))


def may_equal(others: int) -> str:
    """Remark on an extreme that n others, at least one, may equal."""
    return f"which {f'{others} others' if others > 1 else 'another'} may equal"
