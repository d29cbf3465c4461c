"""How a quantity of jobs is spread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """How a quantity is spread over jobs [its unit].

    Attributes:
        median: of them; with `low` and `high` as its 95 % interval.
        low, high: from order statistics; the extremes if there are fewer than six.
        p95: quantile 0.95, linear between order statistics.
    """

    n: int
    mean: float
    median: float
    low: float
    high: float
    p95: float
    p99: float
    maximum: float
