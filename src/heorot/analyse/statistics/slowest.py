"""How likely chance makes one of several that are alike the slowest of so many launches.

Those that are alike are the slowest of a launch equally often, whatever launches differ by. So that
one of k is it in s of n launches or more is binomial, with probability 1/k each; that any of them
is, k times as likely at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np


def chance_of_slowest(launches: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, float]:
    """How likely one of some that are alike is the slowest as often as each was, or more often.

    Args:
        launches: of each the lags of all that are compared, by name, over regions and problems.
    """
    n, wins, most = len(launches), dict[str, int](), 0
    for launch in launches:
        middles = {name: float(np.median(each)) for name, each in launch.items()}
        slowest = [name for name, lag in middles.items() if lag == max(middles.values())]
        most = max(most, len(middles))
        if len(slowest) == 1:
            wins[slowest[0]] = wins.get(slowest[0], 0) + 1
    return {name: min(1.0, most * _at_least(s, n, 1.0 / most)) for name, s in wins.items()}


def _at_least(s: int, n: int, p: float) -> float:
    """That s or more of n come true, each with probability p."""
    return sum(comb(n, k) * p**k * (1.0 - p) ** (n - k) for k in range(s, n + 1))
