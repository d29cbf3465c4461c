"""Sizes of matrices that a case lists, as many as time and memory allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.catalogue.layouts import Layout
from heorot.catalogue.sizes import share_of_memory
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Machine

_MOST_OF_MEMORY = 0.3


def with_affordable_sizes(
    machine: Machine,
    layout: Layout,
    sized: Callable[[tuple[int, ...], Layout], Case],
    sizes: Sequence[int],
    seconds: float,
) -> Case:
    """The case with all sizes, or without the largest ones that take too long or do not fit.

    Args:
        sized: the case with some of them in a layout, estimated.
        sizes: numbers of rows, ascending.
        seconds: the available time [s].
    """
    left = tuple(sizes)
    case = sized(left, layout)
    room = share_of_memory(machine, _MOST_OF_MEMORY)
    while len(left) > 1 and (case.needs.seconds > seconds or case.needs.memory_bytes > room):
        left = left[:-1]
        case = sized(left, layout)
    return case
