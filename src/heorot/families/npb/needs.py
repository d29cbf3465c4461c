"""What a class of an NPB program needs: time, memory, and how many ranks can share it.

Seconds are those of one body on one core that is not fast, so that a plan rather waits than cuts
short. Memory counts the arrays of the algorithm, generously. Both are the plan's business only:
the programs know nothing of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

CLASSES = "SWABCD"
_WORD_BYTES = 8
# Halos, padding and message buffers.
_SURPLUS = 1.3
_RANK_BYTES = 12 << 20
_THREAD_BYTES = 2 << 20

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Needs:
    """What the classes of a program need.

    Attributes:
        seconds: of one body on one core, by class [s].
        size_bytes: of the arrays of a class, all ranks together, by class [B].
        most_ranks: so many ranks can share a class, by class.
        beside: what a launch computes beside its timed bodies (set-up, warm-up, verification), in
            bodies.
        beside_seconds: the same where it does not grow with the class [s].
    """

    seconds: Mapping[str, float]
    size_bytes: Sizes
    most_ranks: Sizes
    beside: float
    beside_seconds: float = 0.02

    def body_seconds(self, size: str, cores: int) -> float:
        """One body of a class shared by so many cores [s]."""
        return self.seconds[size] / cores

    def memory_bytes(self, size: str, ranks: int, threads: int, *, copies: bool = False) -> int:
        """What all ranks together allocate, one problem or one for each [B]."""
        arrays = int(_SURPLUS * self.size_bytes[size]) * (ranks if copies else 1)
        return arrays + ranks * (_RANK_BYTES + threads * _THREAD_BYTES)

    def share_out(self, size: str, cores: int) -> tuple[int, int]:
        """Ranks and threads of each on so many cores: ranks alone as far as the class allows."""
        most = min(cores, self.most_ranks[size])
        ranks = max(n for n in range(1, most + 1) if cores % n == 0)
        return ranks, cores // ranks


def _by_class(*values: float) -> dict[str, float]:
    return dict(zip(CLASSES, values, strict=True))


def _sizes(*values: int) -> dict[str, int]:
    return dict(zip(CLASSES, values, strict=True))


def _computed(compute: Callable[[int], float], sizes: Sizes) -> dict[str, int]:
    return {size: math.ceil(compute(n)) for size, n in sizes.items()}


def _grid(n: Sizes, words: int, seconds: Mapping[str, float]) -> Needs:
    """A program on a cube of n points a side, so many words for each, divided among pencils."""
    return Needs(
        seconds=seconds,
        size_bytes=_computed(lambda side: _WORD_BYTES * words * side**3, n),
        most_ranks=_computed(lambda side: (side // 4) ** 2, n),
        beside=0.1,
    )


def _multi_zone(zones: Sizes, words: int, seconds: Mapping[str, float]) -> Needs:
    """A program on zones, so many words for each point; a rank has at least one zone."""
    return Needs(
        seconds=seconds,
        size_bytes=_computed(lambda n: _WORD_BYTES * words * n, _ZONE_POINTS),
        most_ranks=zones,
        beside=0.1,
    )


_NO_LIMIT = _sizes(*[1 << 20] * len(CLASSES))
_KEYS = _sizes(*(1 << log2 for log2 in (16, 20, 23, 25, 27, 31)))
_CG_ROWS = _sizes(1400, 7000, 14000, 75000, 150000, 1500000)
_CG_NONZEROS = _sizes(7, 8, 11, 13, 15, 21)
_MG_SIDE = _sizes(32, 128, 256, 256, 512, 1024)
_FT_POINTS = _sizes(1 << 18, 1 << 19, 1 << 23, 1 << 25, 1 << 27, 1 << 31)
_BT_SIDE = _sizes(12, 24, 64, 102, 162, 408)
_SP_SIDE = _sizes(12, 36, 64, 102, 162, 408)
_LU_SIDE = _sizes(12, 33, 64, 102, 162, 408)
_ZONES = _sizes(4, 16, 16, 64, 256, 1024)
_LU_ZONES = _sizes(*[16] * len(CLASSES))
_ZONE_POINTS = _sizes(
    24 * 24 * 6,
    64 * 64 * 8,
    128 * 128 * 16,
    304 * 208 * 17,
    480 * 320 * 28,
    1632 * 1216 * 34,
)

EP = Needs(
    seconds=_by_class(0.05, 0.1, 0.8, 3.2, 12.8, 205.0),
    size_bytes=_sizes(*[4 << 20] * len(CLASSES)),
    most_ranks=_NO_LIMIT,
    beside=1.0,
    # Of the recount in integer arithmetic that verifies the first batches of a rank.
    beside_seconds=0.5,
)
IS = Needs(
    seconds=_by_class(0.0006, 0.01, 0.12, 0.6, 4.0, 80.0),
    # The keys, those that arrive, those in order, and a count for every value.
    size_bytes=_computed(lambda n: 16 * n, _KEYS),
    most_ranks=_computed(lambda n: n >> 10, _KEYS),
    beside=1.0,
)
CG = Needs(
    seconds=_by_class(0.014, 0.09, 0.45, 30.0, 80.0, 2000.0),
    # Value and column of every element, with room for the products it is assembled from.
    size_bytes={
        size: 24 * n * (_CG_NONZEROS[size] + 1) ** 2 + 20 * _WORD_BYTES * n
        for size, n in _CG_ROWS.items()
    },
    most_ranks=_computed(lambda n: n // 64, _CG_ROWS),
    beside=1.0,
)
MG = Needs(
    seconds=_by_class(0.0008, 0.05, 0.5, 2.6, 20.0, 400.0),
    # Right-hand side, solution and residual; the coarse grids add a seventh to two of them.
    size_bytes=_computed(lambda n: 4 * _WORD_BYTES * (n + 2) ** 3, _MG_SIDE),
    most_ranks=_computed(lambda n: n // 2, _MG_SIDE),
    beside=0.6,
)
FT = Needs(
    seconds=_by_class(0.01, 0.025, 0.7, 8.5, 36.0, 900.0),
    # Three complex fields and the factors of the evolution.
    size_bytes=_computed(lambda n: 7.5 * _WORD_BYTES * n, _FT_POINTS),
    most_ranks=_sizes(64, 32, 128, 256, 512, 1024),
    beside=0.5,
)
LU = _grid(_LU_SIDE, 30, _by_class(0.004, 0.33, 2.6, 11.0, 44.0, 880.0))
SP = _grid(_SP_SIDE, 40, _by_class(0.008, 0.8, 4.8, 20.0, 80.0, 1600.0))
BT = _grid(_BT_SIDE, 30, _by_class(0.01, 0.22, 5.0, 21.0, 85.0, 1700.0))
BT_MZ = _multi_zone(_ZONES, 36, _by_class(0.013, 0.5, 4.8, 20.0, 80.0, 1600.0))
SP_MZ = _multi_zone(_ZONES, 48, _by_class(0.015, 0.45, 4.2, 18.0, 72.0, 1400.0))
LU_MZ = _multi_zone(_LU_ZONES, 36, _by_class(0.01, 0.3, 2.4, 10.0, 40.0, 800.0))
