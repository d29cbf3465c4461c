"""Scaling of many programs over cores: curves below an ideal line, with names at their ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from heorot.report.figures.axis import Axis, coordinate_axis, value_axis
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.kind import Picture
from heorot.report.figures.svg.curves import curve_marks, frame
from heorot.report.figures.svg.parts import WIDTH, Box, group, panel, write_text
from heorot.report.figures.text import cut_text, widest

_PITCH = 12.0
_LEAST_HEIGHT = 250.0
_LEADER = 14.0
_MOST_FOR_NAMES = 0.32 * WIDTH


def svg_scaling(drawing: Drawing) -> Picture:
    """The curves in one panel, with room at the right for the names of the programs."""
    (only,) = drawing.panels
    names = [cut_text(line.name, "tick", _MOST_FOR_NAMES) for line in only.lines]
    most = max(float(x) for line in only.lines for x in line.x)
    ideal = _ideal(drawing, most)
    y_axis = value_axis(drawing, 8, [ideal[-1][1]])
    left = 14 + widest(text for _, text in y_axis.ticks)
    box = (left, 8.0, WIDTH - left - 8, max(_LEAST_HEIGHT, _PITCH * (len(names) + 2)))
    room = widest(names) + _LEADER + 10.0
    x_axis = _with_room(coordinate_axis(drawing, 10), room / box[2])
    marks = [_dotted([_spot(*end, box, x_axis, y_axis) for end in ideal])]
    marks += curve_marks(only, box, x_axis, y_axis, None, drawing)
    ends = [_spot(float(line.x[-1]), line.y[-1], box, x_axis, y_axis) for line in only.lines]
    for line, name, end, y in zip(only.lines, names, ends, _apart(ends, box), strict=True):
        marks += group(line.style, _name(name, end, y))
    bottom = box[1] + box[3] + 34
    parts = [
        *panel(box, axes=frame(box, x_axis, y_axis), marks=marks),
        write_text(WIDTH - 8, bottom, drawing.figure.x_label, "end", "axis-title"),
    ]
    return Picture(parts, bottom + 6, x_axis, y_axis)


def _with_room(axis: Axis, share: float) -> Axis:
    """The same axis with a share of its length free behind its values."""
    return replace(axis, high=axis.high + (axis.high - axis.low) * share / (1.0 - share))


def _spot(x: float, y: float, box: Box, x_axis: Axis, y_axis: Axis) -> tuple[float, float]:
    left, top, width, height = box
    return left + width * x_axis.place(x), top + height * (1 - y_axis.place(y))


def _ideal(drawing: Drawing, most: float) -> list[tuple[float, float]]:
    """The ends of the ideal: as many times as fast as there are cores; of a share, all of it."""
    least = min(float(x) for line in drawing.lines for x in line.x)
    return [(n, 1.0 if drawing.unit else n) for n in (least, most)]


def _dotted(ends: Sequence[tuple[float, float]]) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
    return f'<polyline class="bound" points="{points}"/>'


def _apart(ends: Sequence[tuple[float, float]], box: Box) -> list[float]:
    """Positions of the names at the ends of their curves, without overlaps [px]."""
    _, top, _, height = box
    order = sorted(range(len(ends)), key=lambda i: ends[i][1])
    places = [0.0] * len(ends)
    free = -math.inf
    for i in order:
        places[i] = free = max(ends[i][1], top + _PITCH / 2, free)
        free += _PITCH
    free = top + height - _PITCH / 2
    for i in reversed(order):
        places[i] = min(places[i], free)
        free = places[i] - _PITCH
    return places


def _name(name: str, end: tuple[float, float], y: float) -> list[str]:
    """A name with the stroke that leads to it; both stay as far from the point however close."""
    x, at = end
    down = y - at
    text = write_text(x, at, name, "start")
    shifted = text.replace("<text", f'<text dx="{_LEADER + 4:g}" dy="{down + 4:.1f}"', 1)
    return [f'<path class="base" d="M{x:.1f} {at:.1f}m5 0l{_LEADER - 5:g} {down:.1f}"/>', shifted]
