"""Bars of the present load of nodes and their cores."""

from __future__ import annotations

import math

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from heorot.monitoring.model import Monitoring, NodeLoad
from heorot.units import NOTHING, format_quantity

_MOST_NODES = 40
_BAR = 16
# From idle to busy, a character for each core.
_LEVELS = " ▁▂▃▄▅▆▇█"
_MOST_CORES = 64


def live_bars(monitoring: Monitoring) -> RenderableType:
    """The activity of every node in its last interval: CPUs, cores, memory, load, network, paging.

    Args:
        monitoring: all samples, or the most recent ones.
    """
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("node", no_wrap=True)
    table.add_column("CPUs", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("cores", no_wrap=True, overflow="ellipsis")
    table.add_column("memory", no_wrap=True)
    for heading in ("", "load", "network", "paging"):
        table.add_column(heading, justify="right", no_wrap=True)
    for node in monitoring.nodes[:_MOST_NODES]:
        table.add_row(*_row(node))
    left = len(monitoring.nodes) - _MOST_NODES
    notes = [Text(f"and {left} more nodes", style="dim")] if left > 0 else []
    return Group(table, *notes)


def _row(node: NodeLoad) -> list[RenderableType]:
    busy, memory = float(node.busy[-1]), float(node.memory[-1])
    share = memory / node.memory_bytes if node.memory_bytes > 0 else math.nan
    traffic = float(node.received[-1] + node.sent[-1])
    return [
        Text(node.name),
        _bar(busy / node.cpus),
        Text(f"{_known(busy, f'{busy:.1f}')}/{node.cpus}"),
        Text(_cores(node)),
        _bar(share),
        Text(format_quantity(memory, "B", 2)),
        Text(_known(float(node.load[-1]), f"{node.load[-1]:.1f}")),
        Text(format_quantity(traffic, "B/s", 2)),
        Text(format_quantity(float(node.paged[-1]), "B/s", 2)),
    ]


def _known(value: float, text: str) -> str:
    return NOTHING if math.isnan(value) else text


def _bar(share: float) -> RenderableType:
    if math.isnan(share):
        return Text(NOTHING, style="dim")
    return ProgressBar(total=1.0, completed=min(1.0, max(0.0, share)), width=_BAR)


def _cores(node: NodeLoad) -> str:
    """A character for each core, higher for higher load."""
    shares = node.cores[-1, :_MOST_CORES] if len(node.cores) else ()
    top = len(_LEVELS) - 1
    return "".join(
        "?" if math.isnan(share) else _LEVELS[min(top, max(0, math.ceil(share * top - 0.05)))]
        for share in shares
    )
