"""The parts of figures for Plotly: plain dictionaries, coloured and arranged in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heorot.report.figures.axis import Axis
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.wording import split_interval

BAR_SPACE = 0.78
"""The part of a category that its bars fill."""

_SMALL_PANELS = 3


def describe_figure(
    drawing: Drawing,
    traces: Sequence[dict[str, Any]],
    *,
    x: dict[str, Any],
    y: dict[str, Any],
    n_bars: int = 0,
    stacked: bool = False,
    ceiling: float | None = None,
) -> dict[str, Any]:
    """The figure as the page's script expects it.

    The script knows no kinds: it adds colours of the theme, the grid of panels and the size.

    Args:
        drawing: what is shown.
        traces: Plotly's, whose `meta` gives style and panel.
        x: the horizontal axis of all panels, as Plotly wants it.
        y: the upright one.
        n_bars: how many bars need a place in a panel, one above the other; 0 for curves, whose
            panels stand side by side.
        stacked: whether the traces are parts of the same bars.
        ceiling: what limits all curves.
    """
    return {
        "id": drawing.id,
        "panels": [escape_text(panel.title) for panel in drawing.panels],
        "traces": list(traces),
        "x": x,
        "y": y,
        "xTitle": escape_text(drawing.figure.x_label),
        "nBars": n_bars,
        "stacked": stacked,
        "ends": [escape_text(text) for text in drawing.ends],
        "ceiling": ceiling,
    }


def choose_n_ticks(drawing: Drawing, large: int) -> int:
    """How many ticks suit an axis: few if its panels are small."""
    return 4 if len(drawing.panels) > _SMALL_PANELS else large


def escape_text(text: str) -> str:
    """Plotly reads some HTML in texts: program output must not be able to write any."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shorten(value: float) -> float:
    """Five significant digits: more than a screen can show, and the file stays small."""
    return float(f"{value:.5g}")


def describe_axis(axis: Axis) -> dict[str, Any]:
    """An axis as Plotly wants it."""
    return {
        "type": "linear" if axis.kind == "category" else axis.kind,
        "range": [shorten(axis.low), shorten(axis.high)],
        "tickvals": [value for value, _ in axis.ticks],
        "ticktext": [escape_text(text) for _, text in axis.ticks],
    }


def describe_bar_axis(drawing: Drawing) -> dict[str, Any]:
    """The axis with the names of the bars, the first at the top."""
    names = drawing.bars
    return {
        "type": "linear",
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [escape_text(name) for name in names],
    }


def whiskers(line: Line) -> dict[str, Any]:
    """The intervals of a line as Plotly's error bars."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [shorten(max(0.0, h - y)) for h, y in zip(line.high, line.y, strict=True)],
        "arrayminus": [shorten(max(0.0, y - lo)) for lo, y in zip(line.low, line.y, strict=True)],
    }


def word_values(line: Line, unit: str) -> list[str]:
    """Value and interval of every point, as the tables print them."""
    rows = zip(line.y, line.low, line.high, line.launches, line.disturbed, strict=True)
    return [
        " ".join((*split_interval(y, low, high, unit, n), *(["disturbed"] if bad else [])))
        for y, low, high, n, bad in rows
    ]
