"""Graphs on a common time axis: frame, axis, colours and keys.

All graphs of a page have the same width and margins, so a time has the same position in each, and
the page's script zooms them together. Shapes that move with time are in the group `moved`; texts
are outside of it, so that they are not scaled, and carry their position.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from markupsafe import Markup, escape

from heorot.report.figures.text import cut_text
from heorot.throughput.model.timeline import Floats

WIDTH = 900.0
LEFT = 52.0
RIGHT = 10.0
PLOT = WIDTH - LEFT - RIGHT
FOOT = 20.0

N_COLOURS = 8
PATTERNS = ("", "lines", "dots")

_STEPS = tuple(m * 10.0**e for e in range(-6, 0) for m in (1, 2, 5))
_STEPS += (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200)
_STEPS += tuple(86400.0 * m * 10.0**e for e in range(6) for m in (1, 2, 5))
_UNITS = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"))
_MOST_TICKS = 9


@dataclass(frozen=True)
class TimeRange:
    """The time that graphs show.

    Attributes:
        begin, end: after the start of the test [s].
    """

    begin: float
    end: float

    def place(self, seconds: float) -> float:
        """The position of a time [px]."""
        return LEFT + PLOT * (seconds - self.begin) / (self.end - self.begin)

    def edges(self, n: int) -> Floats:
        """Edges of `n` columns of equal width, shape (n + 1,) [s]."""
        return np.linspace(self.begin, self.end, n + 1)


@dataclass(frozen=True)
class Graph:
    """One graph.

    Attributes:
        label: text alternative.
        height: without the axis [px].
        moved: elements scaled with time.
        fixed: elements that stay.
        texts: elements that move with time without scaling.
        rows: whether it zooms vertically, too.
        dense: whether its rows are so low that lines must be thin.
    """

    id: str
    label: str
    height: float
    moved: Sequence[str]
    fixed: Sequence[str] = ()
    texts: Sequence[str] = ()
    rows: bool = False
    dense: bool = False


def make_span(ends: Sequence[float]) -> TimeRange:
    """The span of all known times, a little wider on the right for labels [s].

    Args:
        ends: times; NaN are left out.
    """
    known = [x for x in ends if not math.isnan(x)]
    begin, end = min([0.0, *known]), max([0.0, *known])
    length = end - begin or 1.0
    return TimeRange(begin, end + 0.01 * length)


def time_ticks(span: TimeRange) -> list[tuple[float, str]]:
    """Round times and their texts, all in one unit."""
    raw = (span.end - span.begin) / _MOST_TICKS
    step = next((s for s in _STEPS if s >= raw), _STEPS[-1])
    size, unit = next(((s, u) for s, u in _UNITS if step >= s / 2), (1.0, "s"))
    first, last = math.ceil(span.begin / step - 1e-9), math.floor(span.end / step + 1e-9)
    return [(i * step, f"{i * step / size:.10g} {unit}") for i in range(first, last + 1)]


def draw(graph: Graph, span: TimeRange) -> Markup:
    """Render the graph as SVG."""
    bottom = graph.height
    grid, ticks = [], []
    for seconds, text in time_ticks(span):
        x = span.place(seconds)
        grid.append(f"M{x:.1f} 0V{bottom:.1f}")
        if x < WIDTH - 14:
            ticks.append(
                f'<text x="{x:.1f}" y="{bottom + 14:.1f}" text-anchor="middle">{text}</text>'
            )
    name = escape(graph.id)
    size = f'viewBox="0 0 {WIDTH:.0f} {bottom + FOOT:.0f}"'
    css = "timed dense" if graph.dense else "timed"
    shown = f'data-begin="{span.begin:g}" data-end="{span.end:.10g}"'
    inside = f'data-left="{LEFT:g}" data-width="{PLOT:g}" data-height="{bottom:.1f}"'
    rows = ' data-rows=""' if graph.rows else ""
    label = f'role="img" aria-label="{escape(graph.label)}"'
    box = f'x="{LEFT:g}" y="0" width="{PLOT:g}" height="{bottom:.1f}"'
    parts = [
        f'<svg class="{css}" {size} {label} data-id="{name}" {shown} {inside}{rows}>',
        f'<clipPath id="{name}-clip"><rect {box}/></clipPath>',
        f'<g class="ticks"><path class="grid" d="{"".join(grid)}"/>{"".join(ticks)}</g>',
        *graph.fixed,
        f'<g clip-path="url(#{name}-clip)"><g class="moved">',
        *graph.moved,
        f'</g></g><g class="texts">{"".join(graph.texts)}</g></svg>',
    ]
    return Markup("".join(parts))  # noqa: S704 (every text in it is escaped)


def css_of(kind: int) -> str:
    """CSS class of the colour of a job class."""
    return f"s{kind % N_COLOURS}"


def pattern_of(kind: int) -> str:
    """CSS class of the pattern of a job class: eight classes differ by colour alone."""
    return PATTERNS[kind // N_COLOURS % len(PATTERNS)]


def row_text(y: float, text: str) -> str:
    """Label at the left of a row; it moves with the row."""
    cut = cut_text(text, "tick", LEFT - 8)
    title = f"<title>{escape(text)}</title>" if cut != text else ""
    return (
        f'<text x="{LEFT - 6:g}" y="{y:.1f}" data-y="{y:.2f}" text-anchor="end">'
        f"{escape(cut)}{title}</text>"
    )


def moving_text(x: float, y: float, text: str, anchor: str = "start", css: str = "") -> str:
    """A text that moves with time without scaling."""
    named = f' class="{css}"' if css else ""
    anchored = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text{named} x="{x:.1f}" y="{y:.1f}" data-x="{x:.2f}" data-y="{y:.2f}"{anchored}>'
        f"{escape(text)}</text>"
    )


@cache
def picture_style() -> str:
    """Colours and rules of a stand-alone picture: those of the page in light mode."""
    assets = files("heorot.report").joinpath("assets")
    page = assets.joinpath("report.css").read_text(encoding="utf-8")
    colours = " ".join(re.findall(r"--\w+: #[0-9a-f]{6};", page.partition("}")[0]))
    rules = assets.joinpath("throughput.css").read_text(encoding="utf-8")
    hatches = (
        '<pattern id="hatch-lines" width="5" height="5" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="hatch" d="M1 0V5"/></pattern>'
        '<pattern id="hatch-dots" width="5" height="5" patternUnits="userSpaceOnUse">'
        '<circle class="hatch-dot" cx="2.5" cy="2.5" r="1.2"/></pattern>'
    )
    colours = f"svg {{ {colours} background: var(--paper); }}"
    return f"<style>{colours}\n{rules}</style><defs>{hatches}</defs>"
