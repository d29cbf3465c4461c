"""A metric over a coordinate: a line for each of what tells the rows apart."""

from __future__ import annotations

from heorot.report.figures.curves.lines import draw_lines, plotly_lines, read_lines, svg_lines
from heorot.report.figures.kind import Kind

CURVE = Kind(
    name="curve",
    draw=draw_lines,
    read=read_lines,
    plotly=plotly_lines,
    svg=svg_lines,
    keys="lines",
)
