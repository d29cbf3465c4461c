"""Names of the memory levels, and of the metrics of programs in them."""

from __future__ import annotations

import math

SHARE_OF_ROOFLINE = "share_of_roofline"
"""A rate over the lower of flop peak and bandwidth roof; the metric of derived rows."""

NOMINAL_SHARE = "nominal_share_of_peak"
"""Of the peak, by the operations of a benchmark's definition; the metric of derived rows."""

FLOPS_PER_BYTE = "flops_per_byte"
"""Machine balance of a level [flop/B]: the intensity above which the flop peak is the limit."""

TIMES_KERNELS = "times_kernels"
"""A rate over that predicted from a program's kernels: a factor, as it is no bound."""

SHARES_OF_BOUNDS = frozenset({SHARE_OF_ROOFLINE})
"""Metrics of derived rows that are shares of a bound."""

MOST_SHARE = 1.05
"""A larger share of a bound shows that the bound is wrong."""

MEMORY = "memory"
LEVELS: tuple[str, ...] = ("L1", "L2", "L3", MEMORY)
"""Memory levels, nearest first."""


def word_levels(level: str, neighbour: str) -> str:
    """The level in which a working set is resident, in words; two if each holds a part."""
    return " and ".join(sorted((level, neighbour), key=LEVELS.index)) if neighbour else level


def is_finite(*values: float) -> bool:
    """Whether all are finite numbers that a table or a figure can show, and positive."""
    return all(math.isfinite(value) and value > 0.0 for value in values)
