"""Possible load balance of a multi-zone class, known before anything runs.

The zones of a class are published, and so are the operations of a zone; the packing of zones into
ranks is computed here. The program does this, too, and then trades up to 0.5 % of balance for
shorter faces between ranks: tests/contract/test_programs.py compares.

Source: R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks, Multi-Zone Versions, NAS-03-010
(2003); R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from heorot.families.npb.needs import LU_SIDES, SIDES

# Points of the whole plane of zones and of their height, by class.
POINTS: Mapping[str, tuple[int, int, int]] = {
    "S": (24, 24, 6),
    "W": (64, 64, 8),
    "A": (128, 128, 16),
    "B": (304, 208, 17),
    "C": (480, 320, 28),
    "D": (1632, 1216, 34),
    "E": (4224, 3456, 92),
    "F": (12032, 8960, 250),
}
# A change has to gain more than rounding, and is not sought below the balance that the program
# trades.
_NOTICEABLE, _TOLERATED = 1e-9, 0.005


@dataclass(frozen=True)
class Zoned:
    """Published parameters of a program's zones.

    Attributes:
        sides: zones on a side, by class.
        operations: of a zone and step: factors of n^3, n^2, n and 1, where n^3 = nx ny nz, n^2 =
            (nx ny + nx nz + ny nz) / 3 and n = (nx + ny + nz) / 3.
        uneven: whether zones grow along x and y.
    """

    sides: Mapping[str, int]
    operations: tuple[float, float, float, float]
    uneven: bool = False

    def count(self, size: str) -> int:
        """Number of zones of a class."""
        return self.sides[size] ** 2

    def costs(self, size: str) -> NDArray[np.float64]:
        """The operations of a step, by zone: (zones,)."""
        nx, ny, nz = POINTS[size]
        ratio = (3.0 if size == "S" else 4.5) if self.uneven else 1.0
        x = _lengths(nx, self.sides[size], ratio)[np.newaxis, :]
        y = _lengths(ny, self.sides[size], ratio)[:, np.newaxis]
        cubic, square, linear, constant = self.operations
        costs = (
            cubic * x * y * nz
            + square * (x * y + x * nz + y * nz) / 3.0
            + linear * (x + y + nz) / 3.0
            + constant
        )
        return np.asarray(costs.ravel(), np.float64)


def _lengths(n: int, parts: int, ratio: float) -> NDArray[np.float64]:
    """The lengths of intervals that make up n points, the last `ratio` times the first."""
    steps = np.arange(parts + 1)
    if ratio == 1.0:
        return np.diff(steps * n // parts).astype(np.float64)
    factor = ratio ** (1.0 / (parts - 1))
    return np.diff(np.floor(n * (factor**steps - 1.0) / (factor**parts - 1.0) + 0.45))


ZONED: Mapping[str, Zoned] = {
    "npb/bt_mz": Zoned(SIDES, (3478.8, -17655.7, 28023.7, 0.0), uneven=True),
    "npb/sp_mz": Zoned(SIDES, (881.174, -4683.91, 11484.5, -19272.4)),
    "npb/lu_mz": Zoned(LU_SIDES, (1984.77, -10923.3, 27770.9, -144010.0)),
}


def balance(costs: NDArray[np.float64], ranks: int) -> float:
    """Mean over largest load of the ranks: 1 is perfect.

    Args:
        costs: of every zone, (zones,).
        ranks: number of ranks, at most that of the zones.
    """
    rank_of = np.zeros(len(costs), int)
    loads = np.zeros(ranks)
    least = [(0.0, rank) for rank in range(ranks)]
    for zone in np.argsort(-costs, kind="stable"):
        load, rank = heapq.heappop(least)
        rank_of[zone] = rank
        loads[rank] = load + costs[zone]
        heapq.heappush(least, (loads[rank], rank))
    mean = float(costs.sum()) / ranks
    while loads.max() > mean * (1.0 + _TOLERATED) and _improve(costs, rank_of, loads):
        pass
    return mean / float(loads.max())


def _improve(
    costs: NDArray[np.float64], rank_of: NDArray[np.int_], loads: NDArray[np.float64]
) -> bool:
    """Move a zone of the fullest rank to another, or swap it with one there, if that helps."""
    fullest, emptiest = int(loads.argmax()), int(loads.argmin())
    inside = np.flatnonzero(rank_of == fullest)
    # Loss of the fullest rank by each swap; the last column: by giving a zone away.
    lost = costs[inside, np.newaxis] - np.append(costs, 0.0)
    ranks = np.append(rank_of, emptiest)
    larger = np.maximum(loads[fullest] - lost, loads[ranks] + lost)
    larger[(lost <= 0.0) | (ranks == fullest)] = math.inf
    row, column = np.unravel_index(larger.argmin(), larger.shape)
    if larger[row, column] >= loads[fullest] * (1.0 - _NOTICEABLE):
        return False
    other = ranks[column]
    loads[fullest] -= lost[row, column]
    loads[other] += lost[row, column]
    rank_of[inside[row]] = other
    if column < len(costs):
        rank_of[column] = fullest
    return True


@cache
def balance_on(program: str, size: str, ranks: int) -> float:
    """The balance of a class on some ranks, no more than it has zones."""
    return balance(ZONED[program].costs(size), ranks)
