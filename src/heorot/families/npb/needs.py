"""What a class of an NPB program needs: time, memory, and how many ranks can share it.

Seconds are those of one body on one core of the kind that estimates are written for, which has
vector registers of 256 bits and is not fast; the machine's pace scales them. They are the plan's
business only: the programs know nothing of them, but tell how much memory they take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heorot.catalogue.asked import Asked
from heorot.families.npb.zones import LU_SIDES, SIDES
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.pace import Pace

CLASSES = "SWABCD"
# Beyond them each class takes so many times as long.
_LARGER = "EF"
_GROWTH = 16

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Needs:
    """What the classes of a program need.

    Attributes:
        program: its name, such as `npb/cg`.
        seconds: of one body on one core, by class [s].
        most_ranks: so many ranks can share a class, by class.
        beside: what a launch computes beside its timed bodies (set-up, warm-up, verification), in
            bodies.
        beside_seconds: the same where it does not grow with the class [s].
        vector: whether its speed is that of vector registers.
    """

    program: str
    seconds: Mapping[str, float]
    most_ranks: Sizes
    beside: float
    beside_seconds: float = 0.02
    vector: bool = True

    def knows(self, size: str) -> bool:
        """Whether it is a class, the largest included, which no plan has."""
        return len(size) == 1 and size in CLASSES + _LARGER

    def body_seconds(self, size: str, cores: int, pace: Pace) -> float:
        """One body of a class shared by so many cores of a machine [s]."""
        known, growth = _known(size)
        return growth * self.seconds[known] / (cores * pace.speed(cores, vector=self.vector))

    def launch_seconds(self, body: float, budget: float, pace: Pace) -> float:
        """A launch whose body takes so long and whose samples may take the budget [s]."""
        alone = self.beside_seconds / pace.scalar_speed
        return alone + self.beside * body + max(budget, body)

    def memory_bytes(self, size: str, ranks: int) -> int:
        """What all ranks of one thread together allocate for a class [B]."""
        case = Case(name=size, options={"class": size}, ranks=ranks)
        return Asked(self.program, case).cost("memory_bytes")

    def ranks_at_most(self, size: str) -> int:
        """So many ranks can share a class; of one whose needs are not listed, as many at least."""
        return self.most_ranks[_known(size)[0]]

    def share_out(self, size: str, cores: int) -> tuple[int, int]:
        """Ranks and threads of each on so many cores: ranks alone as far as the class allows."""
        most = min(cores, self.ranks_at_most(size))
        ranks = max(n for n in range(1, most + 1) if cores % n == 0)
        return ranks, cores // ranks


def _known(size: str) -> tuple[str, int]:
    """The largest class up to one whose needs are listed, and how many times that one it is."""
    if size in CLASSES:
        return size, 1
    return CLASSES[-1], _GROWTH ** (_LARGER.index(size) + 1)


def _by_class(*values: float) -> dict[str, float]:
    return dict(zip(CLASSES, values, strict=True))


def _sizes(*values: int) -> dict[str, int]:
    return dict(zip(CLASSES, values, strict=True))


def _computed(compute: Callable[[int], float], sizes: Sizes) -> dict[str, int]:
    return {size: math.ceil(compute(n)) for size, n in sizes.items()}


def _grid(program: str, n: Sizes, seconds: Mapping[str, float]) -> Needs:
    """A program on a cube of n points a side, divided among pencils."""
    return Needs(
        program=program,
        seconds=seconds,
        most_ranks=_computed(lambda side: (side // 4) ** 2, n),
        beside=0.1,
    )


def _multi_zone(program: str, zones: Sizes, seconds: Mapping[str, float]) -> Needs:
    """A program on zones; a rank has at least one."""
    return Needs(
        program=program,
        seconds=seconds,
        most_ranks=zones,
        beside=0.1,
    )


_NO_LIMIT = _sizes(*[1 << 20] * len(CLASSES))
_KEYS = _sizes(*(1 << log2 for log2 in (16, 20, 23, 25, 27, 31)))
_CG_ROWS = _sizes(1400, 7000, 14000, 75000, 150000, 1500000)
_MG_SIDE = _sizes(32, 128, 256, 256, 512, 1024)
_BT_SIDE = _sizes(12, 24, 64, 102, 162, 408)
_SP_SIDE = _sizes(12, 36, 64, 102, 162, 408)
_LU_SIDE = _sizes(12, 33, 64, 102, 162, 408)
_ZONES = _sizes(*(SIDES[size] ** 2 for size in CLASSES))
_LU_ZONES = _sizes(*(LU_SIDES[size] ** 2 for size in CLASSES))

EP = Needs(
    program="npb/ep",
    seconds=_by_class(0.06, 0.11, 0.9, 3.7, 15.0, 230.0),
    most_ranks=_NO_LIMIT,
    beside=1.0,
    # Of the recount in integer arithmetic that verifies the first batches of a rank.
    beside_seconds=0.3,
    vector=False,
)
IS = Needs(
    program="npb/is",
    seconds=_by_class(0.0008, 0.012, 0.12, 0.6, 4.0, 76.0),
    most_ranks=_computed(lambda n: n >> 10, _KEYS),
    beside=1.0,
    vector=False,
)
CG = Needs(
    program="npb/cg",
    seconds=_by_class(0.014, 0.09, 0.45, 30.0, 80.0, 2000.0),
    most_ranks=_computed(lambda n: n // 64, _CG_ROWS),
    beside=1.0,
)
MG = Needs(
    program="npb/mg",
    seconds=_by_class(0.001, 0.07, 0.7, 3.4, 26.0, 530.0),
    most_ranks=_computed(lambda n: n // 2, _MG_SIDE),
    beside=0.6,
)
FT = Needs(
    program="npb/ft",
    seconds=_by_class(0.014, 0.045, 0.8, 9.6, 41.0, 1010.0),
    most_ranks=_sizes(64, 32, 128, 256, 512, 1024),
    beside=0.5,
)
LU = _grid("npb/lu", _LU_SIDE, _by_class(0.0035, 0.36, 2.6, 11.5, 47.0, 920.0))
SP = _grid("npb/sp", _SP_SIDE, _by_class(0.008, 1.05, 7.0, 30.0, 119.0, 2420.0))
BT = _grid("npb/bt", _BT_SIDE, _by_class(0.011, 0.38, 7.5, 32.0, 129.0, 2570.0))
BT_MZ = _multi_zone("npb/bt_mz", _ZONES, _by_class(0.017, 0.72, 6.8, 28.0, 115.0, 2250.0))
SP_MZ = _multi_zone("npb/sp_mz", _ZONES, _by_class(0.015, 0.66, 6.2, 28.0, 107.0, 2140.0))
LU_MZ = _multi_zone("npb/lu_mz", _LU_ZONES, _by_class(0.006, 0.36, 2.8, 11.0, 44.0, 890.0))
