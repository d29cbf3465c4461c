"""Message times measured in two ways: by other patterns, and by other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heorot.analyse.rows import best
from heorot.analyse.statistics.crossings import distance
from heorot.analyse.validity.cross_checks import pair, per_stack
from heorot.families.messages.among_all.b_eff import B_EFF, PAIRS
from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.families.messages.among_all.global_sum import GLOBAL_SUM
from heorot.families.messages.among_all.patterns import PATTERNS
from heorot.families.messages.among_all.ring import RING
from heorot.families.messages.between_two.pingpong import PINGPONG, on_several_nodes
from heorot.families.messages.between_two.sockets import SOCKETS
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.identity import Stack
from heorot.units import format_binary

# A broadcast among two ranks is one message, plus the overhead of a collective.
_ROUND_TRIPS = 2.0
_SAME = 1.1
# Programs differ in how they read the contents, which matters for short messages [s].
_LOOKING = 20e-9


@dataclass(frozen=True)
class _Way:
    """How a program measures a time.

    Attributes:
        metric: the time [s].
        parts: number of compared operations in that time.
    """

    program: Benchmark
    region: str
    metric: str = "latency"
    parts: int = 1


# Each with its measurements: the others are compared with the first.
_SAME_TIMES: dict[str, tuple[_Way, ...]] = {
    "half a round trip": (
        _Way(PINGPONG, "pingpong"),
        _Way(PATTERNS, "pingpong", "time", parts=2),
        _Way(B_EFF, PAIRS, "avg_pair_latency"),
        _Way(SOCKETS, "mpi"),
    ),
    "a global sum by the library": (
        _Way(COLLECTIVES, "allreduce"),
        _Way(GLOBAL_SUM, "allreduce", "time"),
    ),
    "a message to each neighbour in a ring at once": (
        _Way(RING, "natural_both"),
        _Way(B_EFF, "natural_nonblocking", "ring_latency"),
    ),
}

# Toolchain, nodes, ranks, message size.
_CheckKey = tuple[Stack, int, int, int]


def cross_check(context: Context) -> list[CrossCheck]:
    """All quantities of the family that are measured in two ways."""
    return [*_by_broadcasts(context), *_by_programs(context)]


def _by_broadcasts(context: Context) -> Iterator[CrossCheck]:
    """The latency of 8 bytes by half a ping-pong and by half of two broadcasts, at each place."""
    names = ("half a ping-pong", "half of two broadcasts in turn")
    for stack, suffix in per_stack(context):
        ways = [
            context.rows.find(PINGPONG.name, region, "latency", point={"bytes": 8}, stack=stack)
            for region in ("pingpong", "turning_broadcast")
        ]
        for several, place in ((False, ""), (True, " between nodes")):
            one_way, in_turn = (best(on_several_nodes(rows, several=several)) for rows in ways)
            quantity = f"latency of 8 bytes{place}{suffix}"
            yield from pair(quantity, (one_way, in_turn), names, _ROUND_TRIPS)


def _by_programs(context: Context) -> Iterator[CrossCheck]:
    """The same time by two programs, by layout and toolchain, at the size of largest difference.

    They agree within 10 % and 20 ns, or if their intervals overlap.
    """
    for quantity, (first, *others) in _SAME_TIMES.items():
        known = _times(context, first)
        for way in others:
            worst: dict[tuple[Stack, int, int], CrossCheck] = {}
            for place, row in _times(context, way).items():
                if place in known:
                    for check in _compare(quantity, place, (known[place], row), (first, way)):
                        kept = worst.setdefault(place[:3], check)
                        if _excess(check) > _excess(kept):
                            worst[place[:3]] = check
            yield from worst.values()


def _times(context: Context, way: _Way) -> dict[_CheckKey, Result]:
    """The unperturbed rows of a way by place; of several cases the first.

    The variation between launches is not in the interval of a single one, and two programs are two.
    """
    found: dict[_CheckKey, Result] = {}
    for row in context.rows.find(way.program.name, way.region, way.metric):
        if set(row.point) == {"bytes"} and not row.disturbed and row.n_launches > 1:
            place = (row.stack, row.nodes, row.ranks, int(row.point["bytes"]))
            found.setdefault(place, _share(row, way.parts))
    return found


def _share(row: Result, parts: int) -> Result:
    """The time of one of several equal parts."""
    ends = ("median", "ci_low", "ci_high")
    return row.model_copy(update={end: getattr(row, end) / parts for end in ends})


def _compare(
    quantity: str, place: _CheckKey, rows: tuple[Result, Result], ways: tuple[_Way, _Way]
) -> list[CrossCheck]:
    stack, nodes, ranks, size = place
    on = f"{ranks} ranks on {nodes} nodes" if nodes > 1 else f"{ranks} ranks"
    text = f"{quantity} ({format_binary(size)}, {on}, {stack})"
    names = (ways[0].program.display_name, ways[1].program.display_name)
    low, high = sorted(rows, key=lambda row: row.median)
    # The largest difference if their intervals just meet.
    meeting = (high.median / high.ci_low) * (low.ci_high / low.median) if high.ci_low > 0.0 else 1.0
    return pair(text, rows, names, max(_SAME + _LOOKING / low.median, meeting))


def _excess(check: CrossCheck) -> float:
    return distance(check.ratio) / check.allowed
