"""Which order statistics enclose the median of n samples, without special functions.

P(r <= B <= n - r) with B ~ Binomial(n, 1/2) is summed outwards from the largest term, each from the
one before: about sqrt(n) steps.
Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1; the
largest term of many: F. W. J. Olver et al., NIST Handbook of Mathematical Functions, 2010, 5.11.
"""

from __future__ import annotations

import math
from functools import lru_cache

_SLACK = 1e-12  # rounding of the binomial sum must not cost a rank
_LARGE = 1000


@lru_cache(maxsize=1 << 16)
def rank_of_median(n: int, confidence: float) -> int:
    """Returns the largest rank r for which x_(r) .. x_(n+1-r) covers the median often enough.

    If even the extremes do not (n < 6 for 95 %), it is 1.

    Args:
        n: number of samples, at least 1.
        confidence: coverage asked for [1], above 0 and below 1.
    """
    rank, term = n // 2, _largest_term(n)
    covered = term * (1 + n % 2)  # an odd n has two largest terms
    while rank > 1 and covered < confidence - _SLACK:
        term *= rank / (n - rank + 1)
        covered += 2.0 * term
        rank -= 1
    return max(1, rank)


def _largest_term(n: int) -> float:
    """P(B = n // 2); that of 2 m - 1 is that of 2 m."""
    if n <= _LARGE:
        return math.comb(n, n // 2) / (1 << n)
    m = (n + 1) // 2
    series = 1 - 1 / (8 * m) + 1 / (128 * m**2) + 5 / (1024 * m**3) - 21 / (32768 * m**4)
    return series / math.sqrt(math.pi * m)
