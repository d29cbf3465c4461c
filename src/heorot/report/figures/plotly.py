"""Drawings as Plotly figures: plain dictionaries, coloured and arranged in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heorot.report.figures.axis import Axis, common_ceiling, coordinate_axis, value_axis
from heorot.report.figures.drawing import Drawing, Line
from heorot.report.wording import format_coordinate, format_tick, split_interval
from heorot.units import format_quantity

MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "star", "x")
DASHES = ("solid", "solid", "solid", "solid", "dash", "dash", "dot", "dot")
BAR_SPACE = 0.78
"""The part of a category that its bars fill."""

_SMALL_PANELS = 3


def plotly_figure(drawing: Drawing) -> dict[str, Any]:
    """The figure as the page's script expects it.

    `traces` are Plotly's, whose `meta` gives style and panel; `x` and `y` are Plotly axes for all
    panels; the script adds colours of the theme, the grid of panels and the size.

    Args:
        drawing: what is shown.
    """
    bars = drawing.figure.kind != "curve"
    many = len(drawing.panels) > _SMALL_PANELS
    values = value_axis(drawing, 4 if many else 7)
    stacked = drawing.figure.is_stacked
    if bars:
        names = bar_names(drawing)
        across, up = _axis(values), _bar_axis(names)
        traces = [
            trace
            for i, panel in enumerate(drawing.panels)
            for line in panel.lines
            for trace in ([_segments(line, names)] if stacked else _bars(line, i, names, drawing))
        ]
    else:
        axis = coordinate_axis(drawing, 4 if many else 10)
        across, up = _axis(axis), _axis(values)
        traces = [
            _curve(line, i, axis, drawing)
            for i, panel in enumerate(drawing.panels)
            for line in panel.lines
        ]
    ceiling = None if bars else common_ceiling(drawing)
    return {
        "id": drawing.id,
        "kind": drawing.figure.kind,
        "panels": [escape_text(panel.title) for panel in drawing.panels],
        "traces": traces,
        "x": across,
        "y": up,
        "xTitle": escape_text(drawing.figure.x_label),
        "nBars": _count_bars(drawing) if bars else 0,
        "ends": [escape_text(text) for text in drawing.ends],
        "ceiling": ceiling,
    }


def _count_bars(drawing: Drawing) -> int:
    """How many bars need a place, one above the other."""
    side_by_side = 1 if drawing.figure.is_stacked else max(1, len(drawing.keys))
    return len(bar_names(drawing)) * side_by_side


def bar_names(drawing: Drawing) -> list[str]:
    """The names of all bars from the top, each once."""
    return list(dict.fromkeys(str(x) for line in drawing.lines for x in line.x))


def bar_place(drawing: Drawing, line: Line, name: str, names: Sequence[str]) -> float:
    """The height of a bar's middle, counted in categories from the top."""
    n_bars = max(1, len(drawing.keys))
    offset = ((line.style + 0.5) / n_bars - 0.5) * BAR_SPACE
    return names.index(name) + offset


def escape_text(text: str) -> str:
    """Plotly reads some HTML in texts: program output must not be able to write any."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _short(value: float) -> float:
    """Five significant digits: more than a screen can show, and the file stays small."""
    return float(f"{value:.5g}")


def _axis(axis: Axis) -> dict[str, Any]:
    return {
        "type": "linear" if axis.kind == "category" else axis.kind,
        "range": [_short(axis.low), _short(axis.high)],
        "tickvals": [value for value, _ in axis.ticks],
        "ticktext": [escape_text(text) for _, text in axis.ticks],
    }


def _bar_axis(names: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "linear",
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [escape_text(name) for name in names],
    }


def _curve(line: Line, panel: int, axis: Axis, drawing: Drawing) -> dict[str, Any]:
    x_name = drawing.figure.x
    symbol = MARKERS[line.style]
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": escape_text(line.name),
        "x": [axis.number(x) for x in line.x],
        "y": [_short(y) for y in line.y],
        "error_y": _whiskers(line),
        "text": [
            escape_text(f"{format_coordinate(x_name, x)}: {text}")
            for x, text in zip(line.x, _texts(line, drawing.unit), strict=True)
        ],
        "line": {"dash": DASHES[line.style]},
        "marker": {"symbol": symbol},
        "meta": {"style": line.style, "panel": panel},
    }
    if any(line.disturbed):
        trace["marker"]["symbol"] = [symbol + "-open" * bad for bad in line.disturbed]
    return trace


def _bars(line: Line, panel: int, names: Sequence[str], drawing: Drawing) -> list[dict[str, Any]]:
    places = [_short(bar_place(drawing, line, str(x), names)) for x in line.x]
    meta = {"style": line.style, "panel": panel}
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": escape_text(line.name),
            "x": [_short(y) for y in line.y],
            "y": places,
            "width": _short(BAR_SPACE / max(1, len(drawing.keys)) * 0.9),
            "error_x": _whiskers(line),
            "hovertext": [
                escape_text(f"{x}: {text}")
                for x, text in zip(line.x, _texts(line, drawing.unit), strict=True)
            ],
            "meta": meta
            | {
                "labels": [format_quantity(y, drawing.unit) for y in line.y],
                "disturbed": list(line.disturbed),
            },
        }
    ]
    known = [(c, p) for c, p in zip(line.ceilings, places, strict=True) if c is not None]
    if known:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "ceiling",
                "x": [_short(c) for c, _ in known],
                "y": [p for _, p in known],
                "text": [f"ceiling {format_tick(c, drawing.unit)}" for c, _ in known],
                "marker": {"symbol": "line-ns-open", "size": 18},
                "meta": meta | {"ceiling": True},
            }
        )
    return traces


def _segments(line: Line, names: Sequence[str]) -> dict[str, Any]:
    """The segments of one kind of all bars of a stack."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": escape_text(line.name),
        "x": [_short(y) for y in line.y],
        "y": [names.index(str(x)) for x in line.x],
        "width": BAR_SPACE,
        "hovertext": [
            escape_text(f"{x}: {text}") for x, text in zip(line.x, line.texts, strict=True)
        ],
        "meta": {
            "style": line.style,
            "panel": 0,
            "pattern": line.pattern,
            "labels": [],
            "disturbed": list(line.disturbed),
        },
    }


def _whiskers(line: Line) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [_short(max(0.0, h - y)) for h, y in zip(line.high, line.y, strict=True)],
        "arrayminus": [_short(max(0.0, y - lo)) for lo, y in zip(line.low, line.y, strict=True)],
    }


def _texts(line: Line, unit: str) -> list[str]:
    """Value and interval of every point, as the tables print them."""
    rows = zip(line.y, line.low, line.high, line.disturbed, strict=True)
    return [
        " ".join((*split_interval(y, low, high, unit), *(["disturbed"] if bad else [])))
        for y, low, high, bad in rows
    ]
