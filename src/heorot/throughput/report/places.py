"""The activity of nodes: their jobs over time, core by core."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np
from markupsafe import escape

from heorot.report.wording import count
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.activity import describe
from heorot.throughput.report.graph import (
    LEFT,
    PLOT,
    Graph,
    TimeRange,
    css_of,
    pattern_of,
    row_text,
)

MOST_NODES = 512
"""Of more nodes, the first are drawn."""

MOST_STAYS = 40_000
"""Maximum number of stays of jobs on nodes in a graph."""

_MOST_TITLED = 4000
_MOST_EDGED = 600
_HEIGHT = 420.0
_TALL = 34.0
_CORE = 9.0
_NAMED = 10.0
_LINED = 4.0
_TOUCH = 1e-9

_Box = tuple[int, float, float]
"""A job, and the upper end and height of its part [parts of a node]."""


def place_graph(timeline: Timeline, span: TimeRange, identifier: str) -> Graph | None:
    """The graph; None if the nodes of jobs are unknown or too many.

    Jobs that started and ended. Core numbers are unknown: each job is drawn on the lowest free
    cores.
    """
    if not timeline.offsets.size or timeline.places.size > MOST_STAYS:
        return None
    n = min(timeline.n_nodes, MOST_NODES)
    pitch = min(max(_TALL, _CORE * timeline.cores_per_node), _HEIGHT / n) if n > 1 else 120.0
    boxes = list(_merge(_find_boxes(timeline, n)))
    titled = len(boxes) <= _MOST_TITLED
    named = timeline.node_names
    names = (*named, *(f"node {i}" for i in range(len(named), timeline.n_nodes)))
    lines = [f"M{LEFT:g} {i * pitch:.1f}h{PLOT:g}" for i in range(1, n) if pitch >= _LINED]
    every = max(1, math.ceil(_NAMED / pitch))
    return Graph(
        id=identifier,
        label=f"Activity of {count(n, 'node')}: jobs over time, stacked by cores",
        height=n * pitch,
        moved=[
            f'<path class="node-line" d="{"".join(lines)}"/>',
            *_draw(timeline, span, boxes, pitch, titled=titled),
        ],
        fixed=[row_text((i + 0.5) * pitch + 4, names[i]) for i in range(0, n, every)],
        rows=True,
        dense=len(boxes) > _MOST_EDGED,
    )


def _find_boxes(timeline: Timeline, n: int) -> dict[int, list[_Box]]:
    """Parts of nodes used by each job: by job, node and position in it."""
    ends: list[list[tuple[float, int]]] = [[] for _ in range(timeline.n_nodes)]
    taken = [0] * timeline.n_nodes
    found: dict[int, list[_Box]] = {}
    whole = timeline.cores_per_node
    start = timeline.start
    for job in np.argsort(start, kind="stable").tolist():
        places = timeline.places[timeline.offsets[job] : timeline.offsets[job + 1]]
        if math.isnan(start[job]) or math.isnan(timeline.end[job]):
            continue
        # A node listed several times for a job counts its share as often.
        for node, times in sorted(Counter(places.tolist()).items()):
            share = int(timeline.cores[job]) * times / max(1, places.size)
            wanted = min(whole, max(1, math.ceil(share - 1e-9)))
            for end, mask in ends[node]:
                if end <= start[job]:
                    taken[node] &= ~mask
            ends[node] = [each for each in ends[node] if each[0] > start[job]]
            low = _first_free(taken[node], wanted, whole)
            mask = ((1 << wanted) - 1) << low
            taken[node] |= mask
            ends[node].append((float(timeline.end[job]), mask))
            if node < n:
                box = (job, node + low / whole, wanted / whole)
                found.setdefault(job, []).append(box)
    return found


def _first_free(taken: int, wanted: int, whole: int) -> int:
    """The lowest free adjacent cores; 0 if there are none."""
    mask = (1 << wanted) - 1
    return next((low for low in range(whole - wanted + 1) if not taken & (mask << low)), 0)


def _merge(found: dict[int, list[_Box]]) -> Iterable[_Box]:
    """Merge adjacent boxes of a job."""
    for boxes in found.values():
        job, top, height = boxes[0]
        for _, low, more in boxes[1:]:
            if abs(top + height - low) < _TOUCH:
                height += more
            else:
                yield job, top, height
                top, height = low, more
        yield job, top, height


def _draw(
    timeline: Timeline, span: TimeRange, boxes: list[_Box], pitch: float, *, titled: bool
) -> list[str]:
    parts: list[str] = []
    paths: dict[str, list[str]] = {}
    for job, top, height in boxes:
        x = span.place(float(timeline.start[job]))
        width = max(0.6, span.place(float(timeline.end[job])) - x)
        kind = int(timeline.kinds[job])
        well = timeline.state_names[timeline.states[job]] == "ok"
        css = f"bar stay {css_of(kind)}{'' if well else ' bad-end'}"
        y, tall = top * pitch, height * pitch
        if not titled:
            box = f"M{x:.1f} {y:.2f}h{width:.1f}v{tall:.2f}h-{width:.1f}z"
            paths.setdefault(css, []).append(box)
            continue
        place = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{tall:.2f}"'
        title = escape(describe(timeline, job))
        parts.append(f'<rect class="{css}" {place}><title>{title}</title></rect>')
        if pattern_of(kind) and well:
            parts.append(f'<rect class="{pattern_of(kind)} unseen" {place}/>')
    return [*parts, *(f'<path class="{css}" d="{"".join(d)}"/>' for css, d in paths.items())]
