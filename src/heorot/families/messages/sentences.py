"""What the programs of the family messages say, in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best, largest
from heorot.analyse.wording import interval, keys, ratio
from heorot.families.messages.pingpong import PINGPONG
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Sentence
from heorot.units import format_binary


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean.

    Args:
        context: the run.
    """
    found = (_messages(context), _toolchains(context))
    return [sentence for sentence in found if sentence is not None]


def _messages(context: Context) -> Sentence | None:
    name = PINGPONG.name
    short = best(context.rows.find(name, "pingpong", "latency", point={"bytes": 8}))
    if short is None:
        return None
    long = largest(
        context.rows.find(name, "pingpong", "bandwidth", toolchain=short.toolchain), "bytes"
    )
    halves = context.rows.find(name, "pingpong", "n_half", toolchain=short.toolchain)
    half = next((row for row in halves if not row.point), None)
    where = "between two nodes" if short.nodes > 1 else "inside a node"
    text = f"A message of 8 B {where} takes {interval(short)} with {short.toolchain}"
    if long is not None:
        size = format_binary(float(long.point["bytes"]))
        text += f", and one of {size} travels at {interval(long)}"
    if half is not None:
        text += f"; half the asymptotic speed takes {interval(half)}"
    return Sentence(text=text + ".", evidence=keys(short, long, half), weight=0.9)


def _toolchains(context: Context) -> Sentence | None:
    """The fastest and the slowest toolchain for short messages, if there are several."""
    found = context.rows.find(PINGPONG.name, "pingpong", "latency", point={"bytes": 8})
    fast = min(found, key=lambda row: row.median, default=None)
    slow = max(found, key=lambda row: row.median, default=None)
    if fast is None or slow is None or fast.ci_high >= slow.ci_low:
        return None
    if fast.toolchain == slow.toolchain:
        return None
    return Sentence(
        text=(
            f"The toolchain matters: a message of 8 B takes {ratio(slow, fast)} times as "
            f"long with {slow.toolchain} ({interval(slow)}) as with {fast.toolchain} "
            f"({interval(fast)})."
        ),
        evidence=keys(slow, fast),
        weight=0.7,
    )
