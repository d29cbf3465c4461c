"""Load of the nodes below the activity graph: strips of the system, and a map of the nodes.

A strip shows the sum over all nodes known at a time; its height is the capacity of the nodes, or
the maximum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from heorot.monitoring.model import Floats, Monitoring, NodeLoad, PortLoad, binned
from heorot.report.figures.svg.parts import write_text
from heorot.report.wording import group_digits
from heorot.throughput.report.graph import LEFT, PLOT, Graph, TimeRange, draw
from heorot.throughput.report.load_map import COLUMNS, node_map
from heorot.units import format_quantity

_HEIGHT = 40.0
_HEAD = 20.0
_MANY = 100

# Of each strip: name, title, unit; of each of its lines: name, colour, column.
_STRIPS: tuple[tuple[str, str, str, tuple[tuple[str, str, str], ...]], ...] = (
    ("cpus", "Busy CPUs", "", (("", "s0", "busy"),)),
    ("memory", "Memory", "B", (("", "s2", "memory"),)),
    ("network", "Network", "B/s", (("received", "s1", "received"), ("sent", "s3", "sent"))),
    ("disks", "Disks", "B/s", (("read", "s5", "read"), ("written", "s7", "written"))),
    ("load", "Processes that want a CPU (load)", "", (("", "s6", "load"),)),
)
_OF_COMPUTERS = frozenset({"disks", "load"})

Line = tuple[str, str, Floats]
"""Name, CSS class and values of a line in a strip."""


def load_graphs(monitoring: Monitoring, begin: float, span: TimeRange) -> tuple[str, ...]:
    """All graphs of the load as SVG, from the top; none without samples.

    Args:
        begin: of the test, Unix time [s].
        span: displayed time, as in the activity graph.
    """
    graphs = strips(monitoring, begin, span)
    if (each := node_map(monitoring, begin, span, "load-nodes")) is not None:
        graphs.append(each)
    return tuple(draw(graph, span) for graph in graphs)


def strips(monitoring: Monitoring, begin: float, span: TimeRange) -> list[Graph]:
    """CPUs, memory, network, disks, processes and ports of switches over time.

    Args:
        begin: of the test, Unix time [s].
    """
    nodes = monitoring.nodes
    if not nodes:
        return []
    edges = span.edges(COLUMNS) + begin
    apart = _apart(nodes)
    limits = {
        "cpus": float(sum(node.cpus for node in nodes)),
        "memory": sum(node.memory_bytes for node in apart),
    }
    found = []
    for name, title, unit, columns in _STRIPS:
        members = apart if name in _OF_COMPUTERS else nodes
        lines = [
            (key, css, _sum([_column(node, column, edges) for node in members]))
            for key, css, column in columns
        ]
        limit = limits.get(name)
        found.append(_strip(span, f"load-{name}", title, unit, lines, limit))
    if monitoring.ports:
        found.append(_port_strip(monitoring.ports, begin, span))
    return found


def _apart(nodes: Iterable[NodeLoad]) -> tuple[NodeLoad, ...]:
    """One node per host: of nodes that share a host, the first stands for all."""
    contained = [node for node in nodes if node.contained]
    return (*(node for node in nodes if not node.contained), *contained[:1])


def _column(load: NodeLoad, column: str, edges: Floats) -> Floats:
    values: Floats = getattr(load, column)
    return binned(load.times, load.seconds, values, edges)


def _port_strip(ports: Sequence[PortLoad], begin: float, span: TimeRange) -> Graph:
    edges = span.edges(COLUMNS) + begin
    rates = [binned(port.times, _lengths(port), port.received, edges) for port in ports]
    marks = [
        span.place(float(port.times[i]) - begin)
        for port in ports
        for i in np.flatnonzero(np.nan_to_num(port.drops) + np.nan_to_num(port.errors))
    ]
    lines = [("into all ports", "s4", _sum(rates))]
    return _strip(span, "load-ports", "Switch", "B/s", lines, marks=marks)


def _sum(parts: Sequence[Floats]) -> Floats:
    """Sum of the known values: unknown ones count as 0."""
    known = np.isfinite(parts).any(axis=0)
    return np.where(known, np.nansum(parts, axis=0), np.nan)


def _lengths(port: PortLoad) -> Floats:
    """Lengths of the intervals of a port; the first is taken to be as long as the second [s]."""
    lengths = np.diff(port.times)
    return np.concatenate([lengths[:1] if len(lengths) else np.ones(1), lengths])


def _strip(
    span: TimeRange,
    identifier: str,
    title: str,
    unit: str,
    lines: Sequence[Line],
    limit: float | None = None,
    *,
    marks: Sequence[float] = (),
) -> Graph:
    """Quantities over time: the first as an area, others as lines."""
    peak = max((float(np.nanmax(v)) for _, _, v in lines if np.isfinite(v).any()), default=0.0)
    known = limit if limit is not None and math.isfinite(limit) else None
    highest = max(peak, known or 0.0) or 1.0
    bottom = _HEAD + _HEIGHT
    moved = [
        _draw_line(values, span, css, highest, bottom, is_area=number == 0)
        for number, (_, css, values) in enumerate(lines)
    ]
    moved += [
        f'<path d="M{x:.1f} {_HEAD:g}v{_HEIGHT:g}" style="stroke:var(--bad)"/>' for x in marks
    ]
    said = f"{title}, at most {_number(peak, unit)}"
    fixed = [
        write_text(
            LEFT,
            12,
            said if not known else f"{said} of {_number(known, unit)}",
            "start",
            "panel-title",
        ),
        *_keys(lines),
        write_text(LEFT - 6, bottom + 3, "0", "end"),
        f'<path class="base" d="M{LEFT:g} {bottom:g}h{PLOT:g}"/>',
    ]
    return Graph(identifier, f"{said}, over time", bottom, moved, fixed)


def _number(value: float, unit: str) -> str:
    if unit:
        return format_quantity(value, unit, 2)
    return group_digits(round(value)) if value >= _MANY else f"{value:.3g}"


def _keys(lines: Sequence[Line]) -> list[str]:
    """Keys of the colours of a strip, at its right end."""
    parts = []
    x = LEFT + PLOT
    for name, css, _ in reversed(lines):
        if name:
            parts.append(write_text(x, 12, name, "end"))
            x -= 7.0 * len(name) + 4.0
            parts.append(
                f'<rect class="{css}" x="{x - 8:.1f}" y="4" width="8" height="8" '
                'style="fill:var(--c)"/>'
            )
            x -= 22.0
    return parts


def _draw_line(
    values: Floats, span: TimeRange, css: str, highest: float, bottom: float, *, is_area: bool
) -> str:
    """A quantity over time as steps, with gaps where it is unknown."""
    edges = span.edges(COLUMNS)
    path: list[str] = []
    last: float | None = None
    for value, (begin, end) in zip(values.tolist(), pairwise(edges.tolist()), strict=True):
        if math.isnan(value):
            if last is not None and is_area:
                path.append(f"V{bottom:g}")
            last = None
            continue
        y = bottom - _HEIGHT * value / highest
        if last is None:
            path.append(f"M{span.place(begin):.1f} {bottom if is_area else y:.1f}")
        if y != last:
            path.append(f"V{y:.1f}")
        path.append(f"H{span.place(end):.1f}")
        last = y
    if last is not None and is_area:
        path.append(f"V{bottom:g}")
    css, style = (f"area {css}", "") if is_area else (css, ' style="stroke:var(--c);fill:none"')
    return f'<path class="{css}"{style} d="{"".join(path)}"/>'
