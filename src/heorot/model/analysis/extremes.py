"""Whether intervals tell two values apart: nothing is the best or the worst beside its equals."""

from __future__ import annotations

from heorot.model.analysis.result import Result

Ends = tuple[float, float]
"""Of an interval, the lower one first."""


def overlap(one: Ends, other: Ends) -> bool:
    """Whether two intervals, or one that is not known, have a value in common."""
    return not (one[0] > other[1] or one[1] < other[0])


def alike(one: Result, other: Result) -> bool:
    """Whether the intervals of two rows overlap."""
    return overlap((one.ci_low, one.ci_high), (other.ci_low, other.ci_high))


def may_equal(others: int) -> str:
    """What is said behind an extreme that so many others may equal, at least one."""
    return f"which {f'{others} others' if others > 1 else 'another'} may equal"
