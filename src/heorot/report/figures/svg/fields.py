"""Maps of coloured fields: names before the lines, names of columns above, colours explained below.

A field has the colour of its value's class, hatching if perturbed and a frame if marked. One
without a value has its label as a sign, or a dot; one of which nothing is to be read is empty.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import isnan

from markupsafe import escape

from heorot.report.figures.drawing import Drawing, Line
from heorot.report.figures.kind import Picture
from heorot.report.figures.svg.parts import WIDTH, fit_text, rectangle, tooltip, write_text
from heorot.report.figures.text import Css, cut_text, widest

_MOST_FOR_COLUMNS = 150.0
_MOST_FOR_NAMES = 0.28 * WIDTH
_SWATCH = 72.0
_GAP = 0.8

Classes = Sequence[tuple[float, str]]
"""Least value of each of eight colours, and the words for it; the first has no least one."""


def class_in(classes: Classes, value: float) -> int:
    """The place of a value in the classes.

    Args:
        value: not negative [1].
    """
    return bisect_right([least for least, _ in classes], max(0.0, value)) - 1


def svg_fields(
    drawing: Drawing, *, classes: Classes, height: float, width: float, bold: bool = False
) -> Picture:
    """A map: `labels` of lines stand in their fields if all of them have room.

    Args:
        height: of a field [px]; at most its width.
        width: of a field, at most [px].
        bold: whether names of lines with marked fields are.
    """
    names, lines = drawing.bars, drawing.lines
    left = min(14 + widest([line.name for line in lines], "tick"), _MOST_FOR_NAMES)
    pitch = min(width, (WIDTH - left - 4) / len(names))
    height = min(height, pitch)
    heads = min(widest(names, "tick"), _MOST_FOR_COLUMNS)
    written = widest(label for line in lines for label in line.labels) < pitch - 4
    parts = [_head(name, left + pitch * (j + 0.5), heads) for j, name in enumerate(names)]
    top = heads + 8.0
    for panel in drawing.panels:
        if panel.title:
            parts.append(fit_text(0, top + 14, panel.title, "start", "panel-title", WIDTH))
            top += 20.0
        for line in panel.lines:
            css: Css = "bar-value" if bold and any(line.marked) else "tick"
            base = top + height / 2 + 4.0
            parts.append(fit_text(left - 6, base, line.name, "end", css, left - 8))
            parts += _fields(line, classes, (left, top, pitch, height), written=written)
            top += height
        top += 6.0
    return Picture([*parts, *_legend(classes, left, top + 4.0)], top + 28.0)


def _fields(
    line: Line, classes: Classes, first: tuple[float, float, float, float], *, written: bool
) -> list[str]:
    """The fields of a line.

    Args:
        line: with a label for each, or without any.
        first: left, top, width and height of the first field with the gap behind it [px].
        written: whether labels of values have room.
    """
    left, top, pitch, height = first
    labels = line.labels or ("",) * len(line.x)
    middle, base = top + height / 2, top + height / 2 + 4.0
    parts, frames = [], []
    for j, (value, text, label) in enumerate(zip(line.y, line.texts, labels, strict=True)):
        if not text:
            continue
        x = left + pitch * j
        centre = x + pitch / 2
        box = (x, top, pitch - _GAP, height - _GAP)
        said = tooltip(f"{line.name}, {line.x[j]}: {text}")
        if isnan(value):
            sign = fit_text(centre, base, label, "middle", "bar-value", pitch)
            dot = f'<circle class="gap" cx="{centre:.1f}" cy="{middle:.1f}" r="1">{said}</circle>'
            parts.append(f"<g>{said}{sign}</g>" if label else dot)
            continue
        parts.append(rectangle(f"field d{class_in(classes, value)}", box, said))
        if line.perturbed[j]:
            parts.append(rectangle("pattern lines", box))
        if label and written:
            parts.append(f'<g class="on-field">{write_text(centre, base, label, "middle")}</g>')
        if line.marked and line.marked[j]:
            frames.append(rectangle("frame", box))
    return parts + frames


def _head(name: str, x: float, room: float) -> str:
    """The name of a column, read from below."""
    text = escape(cut_text(name, "tick", room))
    turned = f"translate({x + 4:.1f} {room + 2:.1f}) rotate(-90)"
    return f'<text transform="{turned}">{text}{tooltip(name)}</text>'


def _legend(classes: Classes, left: float, top: float) -> list[str]:
    """The colours with what they stand for."""
    start = min(left, WIDTH - _SWATCH * len(classes))
    parts = []
    for number, (_, words) in enumerate(classes):
        x = start + _SWATCH * number
        parts.append(rectangle(f"field d{number}", (x, top, 10.0, 10.0)))
        parts.append(write_text(x + 13, top + 9, words, "start"))
    return parts
