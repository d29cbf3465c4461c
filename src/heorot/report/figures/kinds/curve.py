"""A metric over a coordinate: a line for each of what tells the rows apart."""

from __future__ import annotations

from heorot.report.figures.curves.lines import draw_lines, read_lines
from heorot.report.figures.kind import Kind
from heorot.report.figures.svg.curves import svg_curves

CURVE = Kind(
    name="curve",
    draw=draw_lines,
    read=read_lines,
    svg=svg_curves,
    keys="lines",
)
