"""A map of nodes and time: share of busy CPUs on each node.

Lost packets, nodes that stopped reporting and processes killed for lack of memory are marked at
their node and time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from markupsafe import escape

from heorot.monitoring.model import Floats, Monitoring, NodeLoad, binned
from heorot.report.figures.svg.parts import write_text
from heorot.throughput.report.graph import LEFT, PLOT, Graph, TimeRange, row_text

COLUMNS = 420
"""Columns of averages, in strips, too."""

_HEAD = 20.0
_HEIGHT = 560.0
_TALLEST_ROW = 16.0
_NAMED = 10.0
_MOST_ROWS = 256
_CLASSES = (0.02, 0.25, 0.5, 0.75, 0.95)
_WORDS = ("idle", "≤ 25", "≤ 50", "≤ 75", "≤ 95", "> 95 %")
_SHADES = (0.0, 0.16, 0.34, 0.54, 0.76, 1.0)
_KEY_PITCH = 62.0
_SHORT = 6


def node_map(
    monitoring: Monitoring, begin: float, span: TimeRange, identifier: str
) -> Graph | None:
    """Share of busy CPUs on each node over time; None without samples.

    Args:
        begin: of the test, Unix time [s].
    """
    nodes = monitoring.nodes[:_MOST_ROWS]
    if not nodes:
        return None
    pitch = min(_TALLEST_ROW, _HEIGHT / len(nodes))
    edges = span.edges(COLUMNS)
    cells: list[list[str]] = [[] for _ in _CLASSES]
    marks: list[str] = []
    for row, node in enumerate(nodes):
        top = _HEAD + row * pitch
        shares = binned(node.times, node.seconds, node.busy, edges + begin) / node.cpus
        _fill(cells, shares, span, top, pitch)
        marks += _marks(node, begin, span, top, pitch)
    every = max(1, math.ceil(_NAMED / pitch))
    names = _short([node.name for node in nodes])
    bottom = _HEAD + pitch * len(nodes)
    more = f", the first {len(nodes)}" if len(monitoring.nodes) > len(nodes) else ""
    return Graph(
        id=identifier,
        label=f"Share of busy CPUs on each of {len(nodes)} nodes over time",
        height=bottom,
        moved=[
            *(
                f'<path d="{"".join(boxes)}" style="fill:var(--accent);fill-opacity:{shade};'
                'stroke:none"/>'
                for boxes, shade in zip(cells, _SHADES[1:], strict=True)
            ),
            *marks,
        ],
        fixed=[
            write_text(LEFT, 12, f"Busy CPUs of each node{more}", "start", "panel-title"),
            *_map_keys(),
            *(
                row_text(_HEAD + (row + 0.5) * pitch + 4, names[row])
                for row in range(0, len(nodes), every)
            ),
            f'<path class="base" d="M{LEFT:g} {bottom:g}h{PLOT:g}"/>',
        ],
    )


def _short(names: Sequence[str]) -> list[str]:
    """Names without their common beginning if they are too long."""
    if max(map(len, names)) <= _SHORT:
        return list(names)
    # Numbers stay whole: 9 and 10 of node09 and node10.
    first, last = min(names), max(names)
    alike = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    same = len(first[:alike].rstrip("0123456789"))
    return [name[same:] or name for name in names]


def _fill(
    cells: list[list[str]], shares: Floats, span: TimeRange, top: float, pitch: float
) -> None:
    """Add the boxes of a node by class; adjacent boxes of a class are merged."""
    classes = np.where(np.isnan(shares), 0, np.searchsorted(_CLASSES, shares))
    edges = span.edges(COLUMNS)
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    tall = pitch - (0.8 if pitch > 4.0 else 0.0)  # noqa: PLR2004 (below, rows touch)
    for first, last in pairwise([*starts.tolist(), len(classes)]):
        if classes[first] > 0:
            x, end = span.place(float(edges[first])), span.place(float(edges[last]))
            box = f"M{x:.1f} {top:.2f}H{end:.1f}v{tall:.2f}H{x:.1f}z"
            cells[int(classes[first]) - 1].append(box)


def _marks(node: NodeLoad, begin: float, span: TimeRange, top: float, pitch: float) -> list[str]:
    """Lost packets and killed processes as lines, missing samples as a hatched end."""
    trouble = np.nan_to_num(node.drops) + np.nan_to_num(node.errors)
    if not node.contained:
        trouble = trouble + np.nan_to_num(node.kills)
    at = [span.place(float(node.times[i]) - begin) for i in np.flatnonzero(trouble)]
    lines = "".join(f"M{x:.1f} {top:.2f}v{pitch:.2f}" for x in at)
    parts = [f'<path d="{lines}" style="stroke:var(--bad);stroke-width:2"/>'] if at else []
    if node.ending == "silent":
        x = span.place(float(node.times[-1]) - begin)
        left = max(0.0, span.place(span.end) - x)
        parts.append(
            f'<rect x="{x:.1f}" y="{top:.2f}" width="{left:.1f}" height="{pitch:.2f}" '
            f'style="fill:var(--bad);fill-opacity:.14;stroke:var(--bad);stroke-width:.6">'
            f"<title>{escape(node.name)} stopped reporting</title></rect>"
        )
    return parts


def _map_keys() -> list[str]:
    """Keys of the shades and of the marks, at the right end."""
    keys = [
        (word, f"fill:var(--accent);fill-opacity:{s}")
        for word, s in zip(_WORDS, _SHADES, strict=True)
    ]
    keys.append(("drops", "fill:var(--bad)"))
    x = LEFT + PLOT - _KEY_PITCH * len(keys)
    parts = []
    for number, (word, style) in enumerate(keys):
        at = x + _KEY_PITCH * number
        parts.append(
            f'<rect x="{at:.1f}" y="4" width="10" height="8" style="{style};stroke:var(--rule)"/>'
        )
        parts.append(write_text(at + 14, 12, word, "start"))
    return parts
