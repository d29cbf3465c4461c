"""Flops per second over flops per byte, below the roofs of the units and of each level of memory.

A roof slopes upwards as far as its level feeds too little, and is level where the units are the
limit. Points have the colour and the marker of the level that their working set lives in, and a
number that a table explains; where the bytes that memory moves were counted, a ring with the same
number shows the flops for each of these.
"""

from __future__ import annotations

from heorot.report.figures.kind import Kind
from heorot.report.figures.roofline.picture import plotly_roofline, svg_roofline
from heorot.report.figures.roofline.scene import draw_roofline, read_roofline

ROOFLINE = Kind(
    name="roofline",
    draw=draw_roofline,
    read=read_roofline,
    plotly=plotly_roofline,
    svg=svg_roofline,
    keys="lines",
)
