"""Strips below the activity graph: allocated cores and the queue over the same time."""

from __future__ import annotations

import numpy as np

from heorot.report.figures.svg.parts import write_text
from heorot.report.wording import group_digits
from heorot.throughput.model.measures import Course
from heorot.throughput.report.graph import LEFT, PLOT, Graph, TimeRange

_HEIGHT = 64.0
_HEAD = 18.0
_MOST_POINTS = 1500
_COLUMNS = 800
_ROUNDING = 1e-6


def strip_graph(
    course: Course,
    span: TimeRange,
    identifier: str,
    title: str,
    *,
    css: str = "s0",
    limit: float | None = None,
    peaks: bool = False,
    top: float = 1.0,
) -> Graph:
    """A quantity over time as an area.

    Args:
        limit: upper limit of the quantity, drawn as a line.
        peaks: whether a column of a long course shows the maximum instead of the mean.
        top: least upper end of the axis.
    """
    times, values = _thin(course, span, peaks=peaks)
    highest = max([top, limit or 0.0, *values])
    bottom = _HEAD + _HEIGHT

    def y(value: float) -> float:
        return bottom - _HEIGHT * value / highest

    path, previous = [f"M{LEFT:g} {bottom:g}"], 0.0
    for time, value in zip(times, values, strict=True):
        x = span.place(time)
        path.append(f"H{x:.2f}V{y(value):.1f}" if value != previous else "")
        previous = value
    path.append(f"H{LEFT + PLOT:g}V{bottom:g}Z")
    fixed = [
        write_text(LEFT, 12, title, "start", "panel-title"),
        write_text(LEFT - 6, bottom + 3, "0", "end"),
        write_text(LEFT - 6, y(highest) + 4, _number(highest), "end"),
        f'<path class="base" d="M{LEFT:g} {bottom:g}h{PLOT:g}"/>',
    ]
    if limit is not None:
        fixed.append(f'<path class="limit" d="M{LEFT:g} {y(limit):.1f}h{PLOT:g}"/>')
    return Graph(
        id=identifier,
        label=f"{title} over time, at most {_number(max([0.0, *course.values.tolist()]))}",
        height=bottom,
        moved=[f'<path class="area {css}" d="{"".join(path)}"/>'],
        fixed=fixed,
    )


def is_thinned(course: Course) -> bool:
    """Whether a course has more steps than a strip has columns."""
    return course.times.size > _MOST_POINTS


def _thin(course: Course, span: TimeRange, *, peaks: bool) -> tuple[list[float], list[float]]:
    """The steps of a course; of a long one, means or maxima of columns [s]."""
    times, values = course.times, course.values
    if not is_thinned(course):
        return times.tolist(), values.tolist()
    edges = span.edges(_COLUMNS)
    all_times = np.union1d(times, edges)
    place = np.searchsorted(times, all_times, side="right")
    at = np.concatenate(([0.0], values))[place]
    first = np.searchsorted(all_times, edges[:-1])
    if peaks:
        return edges[:-1].tolist(), np.maximum.reduceat(at, first).tolist()
    area = np.concatenate(([0.0], np.cumsum(at[:-1] * np.diff(all_times))))
    means = np.diff(area[np.searchsorted(all_times, edges)]) / np.diff(edges)
    return edges[:-1].tolist(), means.tolist()


def _number(value: float) -> str:
    near = round(value)
    return group_digits(near) if abs(value - near) < _ROUNDING else f"{value:.1f}"
