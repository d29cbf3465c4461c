"""Which order statistics enclose the median of n samples, without special functions.

The coverage is P(r <= B <= n - r) with B ~ Binomial(n, 1/2), for every continuous distribution: a
sum of whole numbers for few samples, else one from the largest term outwards, each from the one
before, which takes about sqrt(n) steps.
Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, 2003, section 7.1; the
largest term of many: F. W. J. Olver et al., NIST Handbook of Mathematical Functions, 2010, 5.11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

CONFIDENCE = 0.95

_SLACK = 1e-12  # rounding of the binomial sum must not cost a rank
_FEW = 1000


@lru_cache(maxsize=1 << 16)
def median_rank(n: int, confidence: float = CONFIDENCE) -> tuple[int, float]:
    """Returns rank r and coverage of the interval x_(r) .. x_(n+1-r) of the median of n samples.

    r is the largest whose coverage reaches `confidence`; if even the extremes do not (n < 6 for
    95 %), r = 1 and the coverage is that of the extremes. Cached, because a run has thousands of
    groups but few different n.

    Args:
        n: at least 1.
        confidence: coverage asked for [1], above 0 and below 1.
    """
    enough = (rank for rank, covered in _outwards(n) if covered >= confidence - _SLACK)
    rank = next(enough, 1)
    return rank, coverage(n, rank)


def coverage(n: int, rank: int) -> float:
    """The probability that x_(rank) .. x_(n+1-rank) encloses the median of n samples [1]."""
    if n <= _FEW:
        below = sum(math.comb(n, k) for k in range(rank))
        return max(0.0, 1.0 - 2.0 * (below / (1 << n)))
    return next((covered for lower, covered in _outwards(n) if lower == rank), 0.0)


def _outwards(n: int) -> Iterator[tuple[int, float]]:
    """Ranks from the middle to 1, each with its coverage."""
    rank, term = n // 2, _largest_term(n)
    covered = term * (1 + n % 2)  # an odd n has two largest terms
    while rank >= 1:
        yield rank, covered
        term *= rank / (n - rank + 1)
        covered += 2.0 * term
        rank -= 1


def _largest_term(n: int) -> float:
    """P(B = n // 2); that of 2 m - 1 is that of 2 m."""
    if n <= _FEW:
        return math.comb(n, n // 2) / (1 << n)
    m = (n + 1) // 2
    series = 1 - 1 / (8 * m) + 1 / (128 * m**2) + 5 / (1024 * m**3) - 21 / (32768 * m**4)
    return series / math.sqrt(math.pi * m)
