"""Decides on a ratio by its interval, the noise floor and a p-value, and says what it lacks."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["better", "worse", "indistinguishable"]
Judged: TypeAlias = tuple[Verdict, str]
"""A verdict, and what it lacks if the interval excludes 1 and yet nothing is distinguished."""


def decide(
    ratio: float, low: float, high: float, floor: float, p_value: float, rate: float
) -> Judged:
    """Returns the verdict on a ratio that is above 1 when b is better.

    Where the interval alone would have said otherwise, the verdict comes with what it lacked.

    Args:
        ratio: such as 1.05.
        low: lower end of its interval.
        floor: relative difference [1] that two unchanged runs may well show.
        p_value: adjusted for how many were looked at.
        rate: largest p-value that names a difference.
    """
    verdict: Verdict = "better" if ratio > 1.0 else "worse"
    if low <= 1.0 <= high:
        return "indistinguishable", ""
    if abs(math.log(ratio)) <= math.log1p(floor):
        return "indistinguishable", f"launches of one run differ by {100.0 * floor:.2g} %"
    if p_value > rate:
        return (
            "indistinguishable",
            f"p = {p_value:.2g} after adjustment, {rate:g} would be needed",
        )
    return verdict, ""
