"""A roofline for the browser and for paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from heorot.report.figures.axis import Axis, coordinate_axis, value_axis
from heorot.report.figures.curves.lines import DASHES, SYMBOLS, frame_panel
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.figures.kind import Picture
from heorot.report.figures.plotly import describe_axis, describe_figure, escape_text, shorten
from heorot.report.figures.roofline.labels import Spot, place_labels
from heorot.report.figures.svg import WIDTH, Box, write_text
from heorot.report.figures.text import text_width, widest

_HEIGHT = 330.0
_CLOSE = 20.0


def _axes(drawing: Drawing) -> tuple[Axis, Axis]:
    return coordinate_axis(drawing, 10), value_axis(drawing, 8)


def _spots(drawing: Drawing, box: Box) -> list[list[Spot]]:
    """Where the points of each line lie in a box, with their numbers."""
    x_axis, y_axis = _axes(drawing)
    left, top, width, height = box
    return [
        [
            Spot(
                left + width * x_axis.place(float(x)),
                top + height * (1.0 - y_axis.place(y)),
                label,
            )
            for x, y, label in zip(line.x, line.y, line.labels, strict=True)
        ]
        for line in drawing.lines
        if line.shape != "bare"
    ]


def plotly_roofline(drawing: Drawing) -> dict[str, Any]:
    """The roofs and the points for the browser."""
    x_axis, y_axis = _axes(drawing)
    lines = [line for line in drawing.lines if line.shape != "bare"]
    placed = place_labels(_spots(drawing, (0.0, 0.0, 960.0, _HEIGHT)))
    traces = [_roof_trace(line) for line in drawing.lines if line.shape == "bare"]
    traces += [
        _point_trace(line, [side for side, _, _ in sides])
        for line, sides in zip(lines, placed, strict=True)
    ]
    return describe_figure(drawing, traces, x=describe_axis(x_axis), y=describe_axis(y_axis))


def _roof_trace(line: Line) -> dict[str, Any]:
    # Slopes have their names where they begin: colours alone do not tell them apart.
    labels = line.labels or (line.name, *("",) * (len(line.x) - 1))
    # Where the axis is logarithmic the pointer finds a line at its points only.
    return {
        "type": "scatter",
        "mode": "lines+text",
        "name": escape_text(line.name),
        "x": [shorten(float(x)) for x in line.x],
        "y": [shorten(y) for y in line.y],
        "text": [escape_text(label) for label in labels],
        "textposition": "bottom left" if line.labels else "bottom right",
        "hovertext": [escape_text(label) for label in line.labels or ("",) * len(line.x)],
        "error_y": {"visible": False},
        "line": {"dash": DASHES[line.style], "width": 1.8},
        "meta": {"style": line.style, "panel": 0},
    }


def _point_trace(line: Line, sides: Sequence[str]) -> dict[str, Any]:
    symbol = SYMBOLS[line.style]
    symbols = [symbol + "-open" * bad for bad in line.disturbed]
    if line.shape == "hollow":
        symbols = ["circle-open-dot"] * len(line.x)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": "",
        "x": [shorten(float(x)) for x in line.x],
        "y": [shorten(y) for y in line.y],
        "text": list(line.labels),
        "textposition": list(sides),
        "hovertext": [escape_text(text) for text in line.texts],
        "error_y": {"visible": False},
        "marker": {"symbol": symbols},
        "meta": {"style": line.style, "panel": 0},
    }


def svg_roofline(drawing: Drawing) -> Picture:
    """The roofs and the points for paper."""
    x_axis, y_axis = _axes(drawing)
    left = 14 + widest(text for _, text in y_axis.ticks)
    box = (left, 8.0, WIDTH - left - 8, _HEIGHT)
    parts = frame_panel(box, x_axis, y_axis)
    ends: list[tuple[float, float]] = []
    for line in drawing.lines:
        if line.shape == "bare":
            parts += _roof(line, box, (x_axis, y_axis), ends)
    points = [line for line in drawing.lines if line.shape != "bare"]
    spots = _spots(drawing, box)
    for line, members, labels in zip(points, spots, place_labels(spots), strict=True):
        parts += _points(line, members)
        parts += [
            write_text(x, y, spot.label, _anchor(side), "bar-value")
            for spot, (side, x, y) in zip(members, labels, strict=True)
        ]
    bottom = 8.0 + _HEIGHT + 34
    parts.append(write_text(WIDTH - 8, bottom, drawing.figure.x_label, "end", "axis-title"))
    return parts, bottom + 6


def _anchor(side: str) -> str:
    return {"right": "start", "left": "end", "center": "middle"}[side.split()[1]]


def _roof(
    line: Line, box: Box, axes: tuple[Axis, Axis], ends: list[tuple[float, float]]
) -> list[str]:
    """A roof with its name.

    Args:
        line: the roof.
        box: where the panel is.
        axes: the horizontal and the upright one.
        ends: of names along slopes so far: how far down these begin, and how long names are
            before the next one may stand [px]; is added to.
    """
    (x_axis, y_axis), (left, top, width, height) = axes, box
    places = [
        (left + width * x_axis.place(float(x)), top + height * (1 - y_axis.place(y)))
        for x, y in zip(line.x, line.y, strict=True)
    ]
    track = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [f'<polyline class="curve s{line.style}" points="{track}"/>']
    if line.labels:
        x, y = places[-1]
        parts.append(write_text(x - 4, y + 13, line.labels[-1], "end"))
    else:
        # Beside the name of a slope that is close, not upon it.
        start = max((end for y, end in ends if abs(y - places[0][1]) < _CLOSE), default=6.0)
        ends.append((places[0][1], start + text_width(line.name) + 6.0))
        parts.append(_along(line.name, places, start))
    return parts


def _along(name: str, places: Sequence[tuple[float, float]], start: float) -> str:
    """The name of a sloping roof, written along it."""
    (x0, y0), (x1, y1) = places[0], places[-1]
    angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
    text = write_text(start, -4.0, name, "start")
    return f'<g transform="translate({x0:.1f} {y0:.1f}) rotate({angle:.1f})">{text}</g>'


def _points(line: Line, spots: Sequence[Spot]) -> list[str]:
    parts = []
    for spot, bad, text in zip(spots, line.disturbed, line.texts, strict=True):
        # Twice the same point: a marker needs a line to stand on.
        track = f"{spot.x:.1f},{spot.y:.1f} {spot.x:.1f},{spot.y:.1f}"
        title = f"<title>{escape_text(text)}</title>"
        if line.shape == "hollow":
            place = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
            parts.append(f'<circle class="ring s{line.style}" {place} r="4">{title}</circle>')
            parts.append(f'<circle class="marker s{line.style}" {place} r="1"/>')
            continue
        parts.append(
            f'<polyline class="curve s{line.style} m{line.style}" points="{track}">{title}'
            "</polyline>"
        )
        if bad:
            ring = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="3.5"'
            parts.append(f'<circle class="ring s{line.style}" {ring}/>')
    return parts
