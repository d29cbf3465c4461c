"""The effect of choices, in sentences: MPI library, layout, order of ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.analyse.templates.quantities import differ, exactly, keys, limit, ratio
from heorot.families.messages import templates
from heorot.families.messages.among_all.b_eff import B_EFF
from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.families.messages.among_all.patterns import PATTERNS, PORT
from heorot.families.messages.between_two.pingpong import PINGPONG
from heorot.families.messages.over_size.crossings import (
    Difference,
    converges_at,
    crossovers,
    differences,
)
from heorot.families.messages.over_size.curves import Curve, curves, size_of
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.extremes import overlap
from heorot.model.analysis.result import Result, Sentence
from heorot.model.point import Point
from heorot.model.run.identity import Stack

_WORDS = {
    "pingpong": "messages between two ranks",
    "bcast": "broadcasts",
    "allreduce": "allreduces",
    "alltoall": "all-to-all exchanges",
}
_CONVERGED = 1.1
# Least number of sizes for a curve.
_LEAST_SIZES = 3
_BISECTION = "bisection_regular_both"


def compare(context: Context) -> list[Sentence]:
    """All sentences about choices."""
    found = [
        *_libraries(context),
        *_inside_and_between(context),
        *_orders(context),
        *_ranks_per_node(context),
    ]
    return [sentence for sentence in found if sentence is not None]


def _libraries(context: Context) -> Iterator[Sentence | None]:
    """The fastest library by size: a sentence for each operation, layout and network.

    Of cases that differ in their sizes only, the one with most of them counts.
    """
    for benchmark in (PINGPONG, COLLECTIVES):
        layouts: dict[tuple[str, int, int, str], dict[str, dict[Stack, Curve]]] = {}
        for (case, stack), regions in curves(context.rows, benchmark.name).items():
            for region in regions.keys() & _WORDS.keys():
                first = regions[region].first
                layout = (region, first.nodes, first.ranks, stack.network)
                cases = layouts.setdefault(layout, {})
                cases.setdefault(case, {})[stack] = regions[region]
        for (region, *_), cases in sorted(layouts.items()):
            yield _describe_libraries(region, max(cases.values(), key=_n_compared))


def _n_compared(found: Mapping[Stack, Curve]) -> tuple[int, int]:
    """Number of libraries, and of sizes in all."""
    return len(found), sum(len(curve.rows) for curve in found.values())


def _describe_libraries(region: str, found: Mapping[Stack, Curve]) -> Sentence | None:
    """The fastest for the shortest and for the longest messages, and the crossover."""
    short = min(found, key=lambda name: found[name].rows[0].median)
    long = min(found, key=lambda name: found[name].rows[-1].median)
    if short == long:
        return None
    compared = differences(found[short], found[long])
    met = crossovers(compared)
    if not met or met[-1].below.winner != -1:
        return None
    last = met[-1]
    apart = [each for each in compared if each.winner]
    most = max(apart, key=lambda each: each.distance)
    n_alike = sum(overlap(most.ends, each.ends) for each in apart) - 1
    fast, slow = sorted((most.first, most.second), key=lambda row: row.median)
    first = found[short].first
    pairs = (last.below, last.above, most)
    return templates.LIBRARIES(
        evidence=keys(*(row for each in pairs for row in (each.first, each.second))),
        operations=_WORDS[region],
        place=place(first),
        first=first,
        below=_size(last.below),
        short=str(short),
        long=str(long),
        above=_size(last.above),
        alike=n_alike > 0,
        at=_size(most),
        slow=slow,
        gain=ratio(slow, fast),
    )


def place(row: Result) -> Claim:
    """The placement of the ranks of a row, in a sentence."""
    if row.nodes > 1:
        return templates.BETWEEN.claim(nodes=row.nodes)
    return templates.INSIDE.claim()


def _size(found: Difference) -> Quantity:
    return exactly(size_of(found.first), "B")


def _inside_and_between(context: Context) -> Iterator[Sentence | None]:
    """Message times between nodes over those inside, and the size above which it hardly matters."""
    places: dict[Stack, dict[bool, Curve]] = {}
    for (_, stack), regions in curves(context.rows, PINGPONG.name).items():
        curve = regions.get("pingpong")
        if curve is not None:
            places.setdefault(stack, {}).setdefault(curve.first.nodes > 1, curve)
    for stack, found in places.items():
        if len(found) == 2:  # noqa: PLR2004
            yield _describe_between(stack, differences(found[False], found[True]))


def _describe_between(stack: Stack, compared: Sequence[Difference]) -> Sentence | None:
    if len(compared) < _LEAST_SIZES:
        return None
    first, last = compared[0], compared[-1]
    alike = converges_at(compared, _CONVERGED)
    return templates.INSIDE_AND_BETWEEN(
        evidence=keys(first.first, first.second, last.first, last.second),
        first=_size(first),
        first_gain=ratio(first.second, first.first),
        last=_size(last),
        last_gain=ratio(last.second, last.first),
        stack=str(stack),
        alike=None if alike is None else _size(alike),
        within=limit(_CONVERGED - 1.0),
    )


def _orders(context: Context) -> Iterator[Sentence | None]:
    """The loss of random rings against natural ones: the cost of unordered ranks."""
    rings: dict[tuple[str, Stack], dict[str, Result]] = {}
    for row in context.rows:
        if row.benchmark == B_EFF.name and row.ranked and row.metric.endswith("_ring_bandwidth"):
            order = row.metric.partition("_")[0]
            rings.setdefault((row.case, row.stack), {})[order] = row
    for found in rings.values():
        natural, random = found.get("natural"), found.get("random")
        if natural and random and natural.median > random.median and differ(natural, random):
            yield templates.ORDERS(
                evidence=keys(natural, random),
                natural=natural,
                random=ratio(random, natural, unit="%"),
            )


def _ranks_per_node(context: Context) -> Iterator[Sentence | None]:
    """The bandwidth of ranks that share a node's line, if half of all ranks send to the others."""
    found: dict[tuple[Stack, int, Point], dict[int, Result]] = {}
    for row in context.rows.find(PATTERNS.name, _BISECTION, PORT):
        if row.nodes > 1 and not row.derived:
            key = (row.stack, row.nodes, row.point)
            found.setdefault(key, {})[row.per_node] = row
    largest: dict[tuple[Stack, int], dict[int, Result]] = {}
    for (stack, nodes, _), rows in found.items():
        kept = largest.setdefault((stack, nodes), rows)
        if len(rows) > 1 and size_of(next(iter(rows.values()))) > size_of(
            next(iter(kept.values()))
        ):
            largest[stack, nodes] = rows
    for rows in largest.values():
        one, many = rows.get(1), rows.get(max(rows))
        if one is not None and many is not None and one is not many:
            yield templates.PER_NODE(
                evidence=keys(one, many), one=one, many=many, gain=ratio(many, one)
            )
