"""Sentences on the programs of the family messages."""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import differ, exactly, keys, ratio, share_of
from heorot.families.messages import templates
from heorot.families.messages.between_two.multi_pair import MULTI_PAIR
from heorot.families.messages.between_two.pingpong import PINGPONG, on_several_nodes
from heorot.families.messages.claims.comparisons import place
from heorot.families.messages.claims.findings import mpi_name
from heorot.families.messages.claims.jumps import jumps, sizes_of
from heorot.families.messages.derived.growth import LINEAR, LOGARITHMIC, METRIC
from heorot.families.messages.over_size.curves import SIZE, size_of
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.identity import Stack

_BYTES = exactly(8, "B")
# The operation whose latency limits programs on many ranks most.
_GROWING = ("allreduce", "alltoall")
_STEPS = {LOGARITHMIC: "doubling of the ranks", LINEAR: "rank"}


def sentences(context: Context) -> list[Sentence]:
    """The sentences of the family, inside a node and between nodes."""
    found = (
        _messages(context, _latencies(context, several=False)),
        _messages(context, _latencies(context, several=True)),
        _networks(context),
        *_toolchains(context),
        *_message_rates(context),
        *_growths(context),
    )
    return [sentence for sentence in found if sentence is not None]


def _latencies(context: Context, *, several: bool) -> list[Result]:
    """The latencies of 8 bytes inside a node, or between several."""
    found = context.rows.find(
        PINGPONG.name, "pingpong", "latency", point={"bytes": int(_BYTES.median)}
    )
    return on_several_nodes(found, several=several)


def _messages(context: Context, latencies: list[Result]) -> Sentence | None:
    """Short and long messages in one place; between nodes also the ratio to those in a node."""
    short = best(latencies)
    if short is None:
        return None
    long, half = _longest(context, short), _half(context, short)
    found = jumps(context, short.stack, several=short.nodes > 1)
    jump = max(found, key=lambda row: row.median, default=None)
    low, high = sizes_of(jump) if jump is not None else (0, 0)
    inside = _inside(context, short) if short.nodes > 1 else None
    return templates.MESSAGE(
        weight=0.88 if inside else 0.9,
        evidence=keys(short, long, jump, half, inside),
        bytes=_BYTES,
        place=_place(short),
        time=short,
        size=_size(long),
        rate=long,
        share=share_of(long) if short.nodes > 1 else None,
        jump_from=exactly(low, "B"),
        jump_to=exactly(high, "B"),
        jump=jump,
        half=half,
        over_inside=ratio(short, inside),
    )


def _size(row: Result | None) -> Quantity | None:
    """The size of the message of a row."""
    return None if row is None else exactly(size_of(row), "B")


def _place(row: Result) -> Claim:
    return (templates.BETWEEN_TWO if row.nodes > 1 else templates.INSIDE).claim()


def _longest(context: Context, short: Result) -> Result | None:
    """The longest message of the same toolchain in the same place."""
    found = context.rows.find(PINGPONG.name, "pingpong", "bandwidth", stack=short.stack)
    return largest(on_several_nodes(found, several=short.nodes > 1), "bytes")


def _half(context: Context, short: Result) -> Result | None:
    """The size that reaches half of the largest rate, as measured, of the same case if possible."""
    found = context.rows.find(PINGPONG.name, "pingpong", "half_rate_size", stack=short.stack)
    halves = on_several_nodes(found, several=short.nodes > 1)
    return next((row for row in halves if row.case == short.case), next(iter(halves), None))


def _inside(context: Context, short: Result) -> Result | None:
    """The same message inside a node, with the same toolchain if that was measured."""
    stack = Stack(short.stack.toolchain)
    found = _latencies(context, several=False)
    return best([row for row in found if row.stack == stack] or found)


def _networks(context: Context) -> Sentence | None:
    """The fastest and the slowest network for short messages, with the better toolchain."""
    rows: dict[str, list[Result]] = {}
    for row in _latencies(context, several=True):
        if row.stack.network:
            rows.setdefault(row.stack.toolchain, []).append(row)
    several = [found for found in rows.values() if len(found) > 1]
    fast = best([row for found in several for row in found])
    if fast is None:
        return None
    alike = rows[fast.stack.toolchain]
    slow = max(alike, key=lambda row: row.median)
    if not differ(slow, fast):
        return None
    rates = [_longest(context, row) for row in (slow, fast)]
    alike_rates = rates[0] is not None and rates[1] and rates[0].point == rates[1].point
    return templates.NETWORKS(
        evidence=keys(slow, fast, *rates),
        bytes=_BYTES,
        slow=slow,
        fast=fast,
        size=_size(rates[0]),
        fast_rate=rates[1] if alike_rates else None,
        slow_rate=rates[0],
    )


def _toolchains(context: Context) -> Iterator[Sentence | None]:
    """The fastest and the slowest toolchain for short messages, in each place and network."""
    places: dict[tuple[bool, str], list[Result]] = {}
    for several in (False, True):
        for row in _latencies(context, several=several):
            places.setdefault((several, row.stack.network), []).append(row)
    for (several, network), found in places.items():
        fast = min(found, key=lambda row: row.median)
        slow = max(found, key=lambda row: row.median)
        if not differ(slow, fast) or fast.stack == slow.stack:
            continue
        yield templates.TOOLCHAINS(
            weight=0.65 if several else 0.7,
            bytes=_BYTES,
            place=_place(fast) if several else None,
            network=network,
            slow=slow,
            fast=fast,
        )


def _message_rates(context: Context) -> Iterator[Sentence]:
    """The aggregate rate of many pairs of ranks, compared with one pair, in each place."""
    found = context.rows.find(
        MULTI_PAIR.name, "message_rate", "message_rate", point={SIZE: int(_BYTES.median)}
    )
    for several in (False, True):
        rows = on_several_nodes(found, several=several)
        many = best(rows)
        if many is None or many.point["pairs"] == 1:
            continue
        alone = [row for row in rows if row.point["pairs"] == 1 and row.case == many.case]
        one = best([row for row in alone if row.stack == many.stack])
        yield templates.RATE(
            evidence=keys(many, one),
            place=place(many),
            bytes=_BYTES,
            rate=many,
            gain=ratio(many, one),
        )


def _growths(context: Context) -> Iterator[Sentence]:
    """The increase of the shortest operations with more ranks, in each place, if any."""
    places: dict[tuple[Stack, int], dict[str, Result]] = {}
    for row in context.rows:
        if row.metric == METRIC and row.region in _GROWING and row.ci_low > 0.0:
            per_node = row.per_node if row.nodes > 1 else 0
            kept = places.setdefault((row.stack, per_node), {})
            known = kept.get(row.region)
            if SIZE in row.point and (known is None or size_of(row) < size_of(known)):
                kept[row.region] = row
    for (stack, per_node), found in places.items():
        rows = [found[region] for region in _GROWING if region in found]
        if rows:
            yield _describe_scaling(rows, stack, per_node)


def _describe_scaling(rows: list[Result], stack: Stack, per_node: int) -> Sentence:
    spread = templates.INSIDE.claim()
    if per_node:
        spread = templates.ON_EACH_NODE.claim(per_node=per_node)
    return templates.GROWTH(
        costs=[
            templates.COST.claim(
                operation=mpi_name(row.region),
                size=_size(row),
                time=row,
                step=_STEPS[str(row.point["form"])],
            )
            for row in rows
        ],
        fewest=min(int(row.point["from_ranks"]) for row in rows),
        most=max(row.ranks for row in rows),
        spread=spread,
        stack=str(stack),
    )
