"""A roofline: roofs with their names, and points with numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.report.figures.axis import Axis, coordinate_axis, value_axis
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.figures.kind import Picture
from heorot.report.figures.svg.curves import frame, ring, track
from heorot.report.figures.svg.labels import Placed, Spot, place_labels
from heorot.report.figures.svg.parts import WIDTH, Box, group, panel, tooltip, write_text
from heorot.report.figures.text import Css, text_width, widest

_HEIGHT = 330.0
_CLOSE = 20.0
SMALL_WIDTH = 430.0
_SMALL_HEIGHT = 196.0
_TICK = 55.0


def svg_roofline(drawing: Drawing) -> Picture:
    """The roofs and the points, with their numbers."""
    return _draw(drawing, WIDTH, _HEIGHT, numbered=True)


def small_roofline(drawing: Drawing) -> Picture:
    """The same in the room of a few tiles, without numbers."""
    return _draw(drawing, SMALL_WIDTH, _SMALL_HEIGHT, numbered=False)


def _draw(drawing: Drawing, width: float, height: float, *, numbered: bool) -> Picture:
    """The picture.

    Args:
        width: of all of it [px].
        height: of its panel [px].
    """
    x_axis = coordinate_axis(drawing, int(width / _TICK) - 3)
    y_axis = value_axis(drawing, int(height / _TICK) + 2)
    left = 14 + widest(text for _, text in y_axis.ticks)
    box = (left, 8.0, width - left - 8, height)
    marks: list[str] = []
    ends: list[tuple[float, float]] = []
    points = [line for line in drawing.lines if line.shape != "bare"]
    for line in drawing.lines:
        if line.shape == "bare":
            places = _places(line, box, x_axis, y_axis)
            marks += group(line.style, _roof(line, places, ends, in_full=numbered))
    spots = [
        list(map(Spot, *zip(*_places(line, box, x_axis, y_axis), strict=True), line.labels))
        for line in points
    ]
    for line, members, labels in zip(points, spots, place_labels(spots), strict=True):
        beside = [
            _label(spot, place, "bar-value")
            for spot, place in zip(members, labels, strict=True)
            if numbered
        ]
        marks += group(line.style, [*_points(line, members), *beside])
    bottom = 8.0 + height + 34
    parts = [
        *panel(box, axes=frame(box, x_axis, y_axis), marks=marks),
        write_text(width - 8, bottom, drawing.figure.x_label, "end", "axis-title"),
    ]
    return Picture(parts, bottom + 6, x_axis, y_axis)


def _places(line: Line, box: Box, x_axis: Axis, y_axis: Axis) -> list[tuple[float, float]]:
    left, top, width, height = box
    return [
        (left + width * x_axis.place(float(x)), top + height * (1 - y_axis.place(y)))
        for x, y in zip(line.x, line.y, strict=True)
    ]


def _roof(
    line: Line,
    places: Sequence[tuple[float, float]],
    ends: list[tuple[float, float]],
    *,
    in_full: bool,
) -> list[str]:
    """A roof with its name; without it if only the first word may stand and has no room.

    Args:
        places: of its ends [px].
        ends: of names along slopes so far: how far down these begin, and how long names are
            before the next one may stand [px]; is added to.
    """
    parts = [track("", places, line.labels or (line.name, ""))]
    if line.labels:
        parts.append(_label(Spot(*places[-1], line.labels[-1]), ("end", -4.0, 13.0), "tick"))
    else:
        # Next to the name of a close slope, not on it.
        name = line.name if in_full else line.name.partition(",")[0]
        start = max((end for y, end in ends if abs(y - places[0][1]) < _CLOSE), default=6.0)
        end = start + text_width(name) + 6.0
        if in_full or end < math.dist(*places):
            ends.append((places[0][1], end))
            parts.append(_along(name, places, start))
    return parts


def _label(spot: Spot, place: Placed, css: Css) -> str:
    """A text near a point; its distance is the same at every zoom."""
    text = write_text(spot.x, spot.y, spot.label, place[0], css)
    return text.replace("<text", f'<text dx="{place[1]:g}" dy="{place[2]:g}"', 1)


def _along(name: str, places: Sequence[tuple[float, float]], start: float) -> str:
    """The name of a sloping roof, written along it."""
    (x0, y0), (x1, y1) = places[0], places[-1]
    angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
    text = write_text(start, -4.0, name, "start")
    return f'<g transform="translate({x0:.1f} {y0:.1f}) rotate({angle:.1f})">{text}</g>'


def _points(line: Line, spots: Sequence[Spot]) -> list[str]:
    parts = []
    for spot, bad, text in zip(spots, line.perturbed, line.texts, strict=True):
        if line.shape == "hollow":
            place = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
            parts.append(f'<circle class="ring" {place} r="4">{tooltip(text)}</circle>')
            parts.append(f'<circle class="marker" {place} r="1"/>')
            continue
        # Twice the same point: a marker needs a line to stand on.
        twice = f"{spot.x:.1f},{spot.y:.1f} {spot.x:.1f},{spot.y:.1f}"
        css = f"curve m{line.style}"
        parts.append(f'<polyline class="{css}" points="{twice}">{tooltip(text)}</polyline>')
        parts += [ring(spot.x, spot.y)] if bad else []
    return parts
