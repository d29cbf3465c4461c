"""Durations of a program's bodies, for long messages and slow lines as well."""

from __future__ import annotations

from heorot.catalogue.sizes import line_rate, pace
from heorot.families.messages.layouts import Layout
from heorot.model.machine.machine import Machine

# Longest body of further sizes, which add no information [s].
_LONGEST_BODY_SECONDS = 0.5
# Copied into shared memory and out of it, read and written each time.
_COPIES = 4


def affordable(machine: Machine, layout: Layout, sizes: str, *, sends: int = 1) -> str:
    """The sizes whose bodies do not take too long over the line of a node.

    Args:
        sizes: in ascending order, separated by commas [B].
        sends: what a rank sends in a body, in messages.
    """
    if layout.nodes == 1:
        return sizes
    longest = _LONGEST_BODY_SECONDS / body_seconds(machine, layout, sends)
    first, *others = sizes.split(",")
    return ",".join([first, *(size for size in others if int(size) <= longest)])


def body_seconds(machine: Machine, layout: Layout, volume: float) -> float:
    """All ranks of a node at once: through its line, or inside through memory [s].

    Args:
        volume: what each rank sends in a body [B].
    """
    if layout.nodes > 1:
        return volume * layout.ranks / layout.nodes / line_rate(machine)
    return volume * _COPIES * layout.ranks / pace(machine).bandwidth(layout.ranks)
