"""Needs of a class of an NPB program: time, memory, and the largest number of ranks.

Programs report the number of operations of a class. The time of one is that on a core of the
estimates' reference, which has vector registers of 256 bits and is not fast; the machine's pace
scales it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from heorot.catalogue.asked import Asked
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.pace import Pace

CLASSES = "SWABCD"
_ORDER = f"{CLASSES}EF"
# Zones on a side of the plane, by class; those of LU-MZ are as many in every class.
SIDES: Mapping[str, int] = dict(zip(_ORDER, (2, 4, 4, 8, 16, 32, 64, 128), strict=True))
LU_SIDES: Mapping[str, int] = dict.fromkeys(_ORDER, 4)

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Needs:
    """The needs of a program's classes.

    Attributes:
        program: its name, such as `npb/cg`.
        nanoseconds: time of an operation on one core [ns].
        most_ranks: largest number of ranks, by class; larger classes allow at least as many.
        overhead: work of a launch outside its timed bodies (set-up, warm-up, verification), in
            bodies.
        overhead_seconds: the same as a time, if it does not grow with the class [s].
        vector: whether its speed depends on vector registers.
        sends: bytes that each node sends to the others in one body of a class, by the number of
            nodes; about as measured on the links of a cluster of 2 and of 4 nodes.
        longer: first class of a longer operation, with the factor, as it leaves a cache, or as
            lines are longer, in the order of the classes.
    """

    program: str
    nanoseconds: float
    most_ranks: Sizes
    overhead: float
    overhead_seconds: float = 0.02
    vector: bool = True
    longer: Mapping[str, float] = field(default_factory=dict)
    sends: Callable[[str, int], float] = lambda _size, _nodes: 0.0

    def body_seconds(self, size: str, cores: int, pace: Pace) -> float:
        """One body of a class on that many cores of a machine; 0 if it is none [s]."""
        reached = _ORDER[: _ORDER.find(size) + 1]
        times = [1.0, *(self.longer[each] for each in reached if each in self.longer)][-1]
        alone = 1e-9 * self.nanoseconds * times * self._asked(size).amount("operations")
        return alone / (cores * pace.speed(cores, vector=self.vector))

    def launch_seconds(self, body: float, budget: float, pace: Pace) -> float:
        """A launch with that time per body and budget of samples [s]."""
        alone = self.overhead_seconds / pace.scalar_speed
        return alone + self.overhead * body + max(budget, body)

    def memory_bytes(self, size: str, ranks: int) -> int:
        """Memory of all ranks of one thread together for a class [B]."""
        return self._asked(size, ranks).cost("memory_bytes")

    def _asked(self, size: str, ranks: int = 1) -> Asked:
        return Asked(self.program, Case(name=size, options={"class": size}, ranks=ranks))

    def ranks_at_most(self, size: str) -> int:
        """Largest number of ranks for a class; for one that is not listed, a lower estimate."""
        return self.most_ranks.get(size, self.most_ranks[CLASSES[-1]])

    def share_out(self, size: str, cores: int) -> tuple[int, int]:
        """Ranks and threads of each on that many cores: ranks alone as far as the class allows."""
        most = min(cores, self.ranks_at_most(size))
        ranks = max(n for n in range(1, most + 1) if cores % n == 0)
        return ranks, cores // ranks


def _sizes(*values: int) -> dict[str, int]:
    return dict(zip(CLASSES, values, strict=True))


def _computed(compute: Callable[[int], float], sizes: Sizes) -> dict[str, int]:
    return {size: math.ceil(compute(n)) for size, n in sizes.items()}


def _all_to_all(total: Sizes, times: Sizes) -> Callable[[str, int], float]:
    """Bytes sent by a node if the given bytes of all nodes are transposed that many times [B]."""
    return lambda size, nodes: times.get(size, 0) * total.get(size, 0) * (1.0 - 1.0 / nodes) / nodes


def _faces(points: Sizes, each: float, times: Sizes) -> Callable[[str, int], float]:
    """Bytes sent by a node through the faces of its part, each point that many times [B]."""
    return lambda size, _nodes: each * points.get(size, 0) * times.get(size, 0)


def _squares(n: Sizes) -> dict[str, int]:
    return {size: side**2 for size, side in n.items()}


def _grid(program: str, n: Sizes, nanoseconds: float, each: float, steps: Sizes) -> Needs:
    """A program on a cube of n points a side, divided among pencils.

    Args:
        each: bytes sent per point of a face in a step [B].
    """
    return Needs(
        program=program,
        nanoseconds=nanoseconds,
        most_ranks=_computed(lambda side: (side // 4) ** 2, n),
        overhead=0.1,
        sends=_faces(_squares(n), each, steps),
    )


def _multi_zone(
    program: str,
    zones: Sizes,
    nanoseconds: float,
    steps: Sizes,
    longer: Mapping[str, float] | None = None,
) -> Needs:
    """A program on zones; a rank has at least one."""
    return Needs(
        program=program,
        nanoseconds=nanoseconds,
        most_ranks=zones,
        overhead=0.1,
        longer=longer or {},
        sends=_faces(_ZONE_FACES, 2.0 * _POINT_BYTES, steps),
    )


_NO_LIMIT = _sizes(*[1 << 20] * len(CLASSES))
_KEYS = _sizes(*(1 << log2 for log2 in (16, 20, 23, 25, 27, 31)))
_KEY_VALUES = _sizes(*(1 << log2 for log2 in (11, 16, 19, 21, 23, 27)))
_CG_ROWS = _sizes(1400, 7000, 14000, 75000, 150000, 1500000)
_FT_POINTS = _sizes(1 << 18, 1 << 19, 1 << 23, 1 << 25, 1 << 27, 1 << 31)
_MG_SIDE = _sizes(32, 128, 256, 256, 512, 1024)
_BT_SIDE = _sizes(12, 24, 64, 102, 162, 408)
_SP_SIDE = _sizes(12, 36, 64, 102, 162, 408)
_LU_SIDE = _sizes(12, 33, 64, 102, 162, 408)
_ZONES = _sizes(*(SIDES[size] ** 2 for size in CLASSES))
_LU_ZONES = _sizes(*(LU_SIDES[size] ** 2 for size in CLASSES))
# Points of a face across all zones, with five numbers each.
_ZONE_FACES = _sizes(24 * 6, 64 * 8, 128 * 16, 304 * 17, 480 * 28, 1632 * 34)
_POINT_BYTES = 40
_BT_STEPS = _sizes(60, 200, 200, 200, 200, 250)
_SP_STEPS = _sizes(100, 400, 400, 400, 400, 500)
_LU_STEPS = _sizes(50, 300, 250, 250, 250, 300)

EP = Needs(
    program="npb/ep",
    nanoseconds=1.7,
    most_ranks=_NO_LIMIT,
    overhead=1.0,
    # Of the recount in integer arithmetic that verifies the first batches of a rank.
    overhead_seconds=0.3,
    vector=False,
)
IS = Needs(
    program="npb/is",
    nanoseconds=1.2,
    longer={"A": 1.2, "B": 1.5, "C": 2.5, "D": 2.9},
    most_ranks=_computed(lambda n: n >> 10, _KEYS),
    overhead=1.0,
    vector=False,
    # Of the counts of all key values, in each of ten rankings.
    sends=_faces(_KEY_VALUES, 4.0, _sizes(*[10] * len(CLASSES))),
)
CG = Needs(
    program="npb/cg",
    nanoseconds=0.212,
    longer={"A": 1.4, "B": 2.6},
    most_ranks=_computed(lambda n: n // 64, _CG_ROWS),
    overhead=1.0,
    # Half of a vector in each of 26 products of each outer step.
    sends=_faces(_CG_ROWS, 4.0 * 26, _sizes(15, 15, 15, 75, 75, 100)),
)
MG = Needs(
    program="npb/mg",
    nanoseconds=0.14,
    longer={"A": 1.23},
    most_ranks=_computed(lambda n: n // 2, _MG_SIDE),
    overhead=0.6,
    sends=_faces(_squares(_MG_SIDE), 8.0 * 8, _sizes(4, 4, 4, 20, 20, 50)),
)
FT = Needs(
    program="npb/ft",
    nanoseconds=0.108,
    most_ranks=_sizes(64, 32, 128, 256, 512, 1024),
    overhead=0.5,
    sends=_all_to_all(
        _computed(lambda points: 16 * points, _FT_POINTS), _sizes(7, 7, 7, 21, 21, 26)
    ),
)
LU = _grid("npb/lu", _LU_SIDE, 0.0225, 220.0, _LU_STEPS)
SP = _grid("npb/sp", _SP_SIDE, 0.0815, 850.0, _SP_STEPS)
BT = _grid("npb/bt", _BT_SIDE, 0.0455, 850.0, _BT_STEPS)
BT_MZ = _multi_zone("npb/bt_mz", _ZONES, 0.0467, _BT_STEPS)
SP_MZ = _multi_zone("npb/sp_mz", _ZONES, 0.087, _SP_STEPS)
LU_MZ = _multi_zone("npb/lu_mz", _LU_ZONES, 0.0305, _LU_STEPS, {"A": 0.9, "B": 0.78})
