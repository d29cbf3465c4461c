"""Names of the levels of the memory, and of what is said of programs in them."""

from __future__ import annotations

import math

SHARE_OF_ROOFLINE = "share_of_roofline"
"""A rate over the lower of what units and memory allow; the metric of derived rows."""

NOMINAL_SHARE = "nominal_share_of_peak"
"""Of the peak, by the operations of a benchmark's definition; the metric of derived rows."""

FLOPS_PER_BYTE = "flops_per_byte"
"""What a program must compute for each byte of a level if units are to be its limit."""

TIMES_KERNELS = "times_kernels"
"""A rate over the one of the kernels that a program is made of: a factor, as they are no bound."""

SHARES_OF_BOUNDS = frozenset({SHARE_OF_ROOFLINE})
"""Metrics of derived rows that are shares of a bound."""

MOST_SHARE = 1.05
"""A larger share of a bound says that what was taken for a bound is none."""

MEMORY = "memory"
LEVELS: tuple[str, ...] = ("L1", "L2", "L3", MEMORY)
"""Of the memory, nearest first."""


def word_home(level: str, beside: str) -> str:
    """Where a working set lives, in words: in a level, or in two that hold a part each."""
    return " and ".join(sorted((level, beside), key=LEVELS.index)) if beside else level


def is_finite(*values: float) -> bool:
    """Whether all are numbers that a table or a figure has a place for, and positive."""
    return all(math.isfinite(value) and value > 0.0 for value in values)
