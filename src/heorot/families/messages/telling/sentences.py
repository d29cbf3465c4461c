"""What the programs of the family messages say, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from heorot.analyse.rows import best, largest
from heorot.analyse.wording import differ, interval, keys, share, times
from heorot.families.messages.between_two.multi_pair import MULTI_PAIR
from heorot.families.messages.between_two.pingpong import PINGPONG, on_several_nodes
from heorot.families.messages.derived.growth import LINEAR, LOGARITHMIC, METRIC
from heorot.families.messages.telling.comparisons import compare, place
from heorot.families.messages.telling.curves import SIZE, size_of
from heorot.families.messages.telling.findings import mpi_name
from heorot.families.messages.telling.jumps import jumps, sizes_of
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.model.run.identity import Stack
from heorot.units import format_binary

# What programs that run on many ranks wait for most, if they wait for short messages.
_GROWING = ("allreduce", "alltoall")
_STEPS = {LOGARITHMIC: "doubling of the ranks", LINEAR: "rank"}


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean, inside a node and between nodes.

    Args:
        context: the run.
    """
    found = (
        _messages(context, _latencies(context, several=False)),
        _messages(context, _latencies(context, several=True)),
        _networks(context),
        *_toolchains(context),
        *_message_rates(context),
        *_growths(context),
    )
    return [*(sentence for sentence in found if sentence is not None), *compare(context)]


def _latencies(context: Context, *, several: bool) -> list[Result]:
    """The latencies of 8 bytes inside a node, or between several."""
    found = context.rows.find(PINGPONG.name, "pingpong", "latency", point={"bytes": 8})
    return on_several_nodes(found, several=several)


def _messages(context: Context, latencies: list[Result]) -> Sentence | None:
    """Short and long messages in one place; between nodes also how much slower they are."""
    short = best(latencies)
    if short is None:
        return None
    long, half = _longest(context, short), _half(context, short)
    text = f"A message of 8 B {_place(short)} takes {interval(short)} with {short.stack}"
    if long is not None:
        size = format_binary(float(long.point["bytes"]))
        text += f", and one of {size} travels at {interval(long)}"
        if short.nodes > 1 and share(long):
            text += f", {share(long)} of the line rate"
    found = jumps(context, short.stack, several=short.nodes > 1)
    jump = max(found, key=lambda row: row.median, default=None)
    if jump is not None:
        low, high = map(format_binary, sizes_of(jump))
        text += f"; from {low} to {high} its time grows {interval(jump)} times"
    if half is not None:
        text += f"; half of the largest rate takes a message of {interval(half)}"
    inside = _inside(context, short) if short.nodes > 1 else None
    if inside is not None:
        text += f"; over the network 8 B take {times(short, inside, 'as long as inside a node')}"
    evidence = keys(short, long, jump, half, inside)
    return Sentence(text=text + ".", evidence=evidence, weight=0.88 if inside else 0.9)


def _place(row: Result) -> str:
    return "between two nodes" if row.nodes > 1 else "inside a node"


def _longest(context: Context, short: Result) -> Result | None:
    """The longest message of the same toolchain in the same place."""
    found = context.rows.find(PINGPONG.name, "pingpong", "bandwidth", stack=short.stack)
    return largest(on_several_nodes(found, several=short.nodes > 1), "bytes")


def _half(context: Context, short: Result) -> Result | None:
    """The length that reaches half of the largest rate, as measured, of the same case if it can."""
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
    names = [row.stack.network for row in (slow, fast)]
    text = (
        f"The network matters: a message of 8 B takes {interval(slow)} over {names[0]}, "
        f"{times(slow, fast, f'as long as over {names[1]}')} ({interval(fast)})"
    )
    rates = [_longest(context, row) for row in (slow, fast)]
    if rates[0] is not None and rates[1] is not None and rates[0].point == rates[1].point:
        size = format_binary(float(rates[0].point["bytes"]))
        text += f", and one of {size} travels {times(rates[0], rates[1], 'as fast')}"
    return Sentence(text=text + ".", evidence=keys(slow, fast, *rates), weight=0.8)


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
        where = f" {_place(fast)}" if several else ""
        where += f" over {network}" if network else ""
        yield Sentence(
            text=(
                f"The toolchain matters: a message of 8 B{where} takes {interval(slow)} with "
                f"{slow.stack}, {times(slow, fast, f'as long as with {fast.stack}')} "
                f"({interval(fast)})."
            ),
            evidence=keys(slow, fast),
            weight=0.65 if several else 0.7,
        )


def _message_rates(context: Context) -> Iterator[Sentence]:
    """What many pairs of ranks send together, beside one pair, in each place."""
    found = context.rows.find(MULTI_PAIR.name, "message_rate", "message_rate", point={SIZE: 8})
    for several in (False, True):
        rows = on_several_nodes(found, several=several)
        many = best(rows)
        if many is None or many.point["pairs"] == 1:
            continue
        alone = [row for row in rows if row.point["pairs"] == 1 and row.case == many.case]
        one = best([row for row in alone if row.stack == many.stack])
        text = (
            f"{many.point['pairs']} pairs of ranks {place(many)} together send messages of 8 B at "
            f"{interval(many)}"
        )
        if one is not None:
            text += f", {times(many, one, 'as many as one pair')}"
        yield Sentence(text=f"{text} ({many.stack}).", evidence=keys(many, one), weight=0.6)


def _growths(context: Context) -> Iterator[Sentence]:
    """What more ranks cost the shortest operations, in each place, if they cost anything."""
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
            yield _tell_growth(rows, stack, per_node)


def _tell_growth(rows: list[Result], stack: Stack, per_node: int) -> Sentence:
    spread = f"{per_node} on each node" if per_node else "inside a node"
    costs = [
        f"{mpi_name(row.region)} of {format_binary(size_of(row))} takes {interval(row)} longer "
        f"with every {_STEPS[str(row.point['form'])]}"
        for row in rows
    ]
    fewest = min(int(row.point["from_ranks"]) for row in rows)
    most = max(row.ranks for row in rows)
    return Sentence(
        text=f"{', '.join(costs)} ({fewest} to {most} ranks, {spread}, {stack}).",
        evidence=keys(*rows),
        weight=0.5,
    )
