"""The activity graph: a line for each job, dotted while it waits, solid while it runs.

Source: A. J. van der Steen, An evaluation of some Beowulf clusters, WFI-2000-07, Utrecht University
(2000), figures 6.2, 6.4 and 6.7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from markupsafe import escape

from heorot.report.figures.text import text_width
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.graph import (
    LEFT,
    PLOT,
    Graph,
    TimeRange,
    css_of,
    make_span,
    moving_text,
    pattern_of,
    row_text,
)
from heorot.throughput.report.tables.cells import word_state
from heorot.units import format_duration, plural

LABELLED = 60
"""Maximum number of jobs with names at their bars."""

MOST_SINGLE = 4000
"""Maximum number of jobs with a labelled bar each; above, the bars of a class are one path."""

MOST_DRAWN = 20_000
"""Maximum number of lines; of more jobs every second, third... is drawn."""

_TALL = 18.0
_LOW = 13.0
_HEIGHT = 620.0
_HIGH = 900.0
_MOST_HEIGHT = 1300.0
_LEAST_PITCH = 0.4
_DENSE = 5.0
_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_GAP = 4.0


@dataclass(frozen=True)
class _Bar:
    """Position of a job [px]: NaN for events that did not occur."""

    job: int
    y: float
    submit: float
    start: float
    end: float


def span_of(timeline: Timeline) -> TimeRange:
    """The time from the start of a test to the last known event."""
    known = np.concatenate((timeline.submit, timeline.start, timeline.end))
    return make_span([float(np.nanmin(known)), float(np.nanmax(known))] if known.size else [])


def activity_graph(timeline: Timeline, span: TimeRange, identifier: str) -> Graph:
    """The activity graph of a timeline."""
    n = timeline.submit.size
    step = -(-n // MOST_DRAWN) if n else 1
    shown = list(range(0, n, step))
    pitch = pitch_of(len(shown))
    bars = [_place(timeline, span, job, row * pitch) for row, job in enumerate(shown)]
    single = len(shown) <= MOST_SINGLE
    thick = 0.72 * pitch
    make = _single if single else _paths
    texts = _labels(timeline, bars, pitch) if n <= LABELLED else []
    return Graph(
        id=identifier,
        label=f"Activity graph: one line for each of {n} jobs in the order of submission, dotted "
        "while it waits, solid while it runs",
        height=max(2 * pitch, len(shown) * pitch),
        moved=make(timeline, bars, pitch, thick),
        fixed=_numbers(len(shown), step, pitch),
        texts=texts,
        rows=True,
        dense=pitch < _DENSE,
    )


def word_omitted(timeline: Timeline) -> str:
    """What the graph of a large test leaves out; empty if nothing."""
    n = timeline.submit.size
    step = -(-n // MOST_DRAWN) if n else 1
    said = [
        f"Of {n} jobs one in {step} is drawn." if step > 1 else "",
        "The jobs are too many to be named." if n > step * MOST_SINGLE else "",
    ]
    return " ".join(filter(None, said))


def pitch_of(n: int) -> float:
    """The height of one of `n` lines [px]."""
    if n <= LABELLED:
        return min(_TALL, max(_LOW, _HEIGHT / max(1, n)))
    return max(min(_LEAST_PITCH, _MOST_HEIGHT / n), min(8.0, _HIGH / n))


def describe(timeline: Timeline, job: int) -> str:
    """Text of a bar: name, times, size, final state."""
    label = timeline.labels[job] if timeline.labels else f"job {job + 1}"
    kind = timeline.kind_names[timeline.kinds[job]]
    name = label if label.startswith(kind) else f"{label} ({kind})"
    state = word_state(timeline.state_names[timeline.states[job]])
    wait, run = (
        timeline.start[job] - timeline.eligible[job],
        timeline.end[job] - timeline.start[job],
    )
    came = format_duration(float(timeline.submit[job]))
    parts = ["never submitted" if math.isnan(timeline.eligible[job]) else f"submitted at {came}"]
    parts += (
        [f"queue wait {format_duration(float(wait))}"]
        if not math.isnan(wait)
        else ["never started"]
    )
    parts += [f"run time {format_duration(float(run))}"] if not math.isnan(run) else []
    nodes, cores = int(timeline.nodes[job]), int(timeline.cores[job])
    size = f"{plural(nodes, 'node')}, {plural(cores, 'core')}"
    return f"{name}: {', '.join(parts)}, {size}, {state}"


def _place(timeline: Timeline, span: TimeRange, job: int, y: float) -> _Bar:
    x = [span.place(float(a[job])) for a in (timeline.submit, timeline.start, timeline.end)]
    return _Bar(job, y, *x)


def _single(timeline: Timeline, bars: list[_Bar], pitch: float, thick: float) -> list[str]:
    """Each job as a group with a title."""
    parts, ends = [], []
    for bar in bars:
        kind, state = int(timeline.kinds[bar.job]), timeline.state_names[timeline.states[bar.job]]
        middle = bar.y + 0.5 * pitch
        well = state == "ok"
        inner = [f"<title>{escape(describe(timeline, bar.job))}</title>"]
        until = _wait_end(bar)
        if until > bar.submit:
            inner.append(f'<path class="w" d="M{bar.submit:.2f} {middle:.2f}H{until:.2f}"/>')
        if not math.isnan(bar.start):
            inner += _bar(bar, kind, pitch, thick, well=well)
        if not well:
            x = next(x for x in (bar.end, bar.start, bar.submit) if not math.isnan(x))
            ends.append(f'<path class="end" d="M{x:.2f} {middle:.2f}h0"/>')
        parts.append(f'<g class="job {css_of(kind)}">{"".join(inner)}</g>')
    return [*parts, *ends]


def _bar(bar: _Bar, kind: int, pitch: float, thick: float, *, well: bool) -> list[str]:
    """The solid part; open to the right if its end is unknown."""
    top = bar.y + 0.5 * (pitch - thick)
    width = max(0.6, (LEFT + PLOT if math.isnan(bar.end) else bar.end) - bar.start)
    box = f'x="{bar.start:.2f}" y="{top:.2f}" width="{width:.2f}" height="{thick:.2f}"'
    css = "bar" if well else "bar bad-end" if not math.isnan(bar.end) else "bar bad-end open"
    pattern = pattern_of(kind)
    overlay = f'<rect class="{pattern}" {box}/>' if pattern and well and pitch >= _LOW else ""
    return [f'<rect class="{css}" {box}/>', overlay]


def _wait_end(bar: _Bar) -> float:
    """End of the dotted part: of a job that never started, its recorded end, if any."""
    if not math.isnan(bar.start):
        return bar.start
    return bar.submit if math.isnan(bar.end) else bar.end


def _paths(timeline: Timeline, bars: list[_Bar], pitch: float, thick: float) -> list[str]:
    """All jobs of a class as one path: bars of large tests are too small to point at."""
    solid: dict[str, list[str]] = {}
    dotted: list[str] = []
    for bar in bars:
        middle, until = bar.y + 0.5 * pitch, _wait_end(bar)
        if until > bar.submit:
            dotted.append(f"M{bar.submit:.1f} {middle:.2f}H{until:.1f}")
        if not math.isnan(bar.start):
            well = timeline.state_names[timeline.states[bar.job]] == "ok"
            css = f"bar {css_of(int(timeline.kinds[bar.job]))}{'' if well else ' bad-end'}"
            end = LEFT + PLOT if math.isnan(bar.end) else bar.end
            width = max(0.6, end - bar.start)
            top = bar.y + 0.5 * (pitch - thick)
            solid.setdefault(css, []).append(
                f"M{bar.start:.1f} {top:.2f}h{width:.1f}v{thick:.2f}h-{width:.1f}z"
            )
    waits = f'<path class="w all" d="{"".join(dotted)}"/>'
    return [waits, *(f'<path class="{css}" d="{"".join(d)}"/>' for css, d in solid.items())]


def _labels(timeline: Timeline, bars: list[_Bar], pitch: float) -> list[str]:
    """Names after the bars; before them where space is short."""
    texts = []
    for bar in bars:
        name = timeline.labels[bar.job] if timeline.labels else str(bar.job + 1)
        y, room = bar.y + 0.5 * pitch + 4, text_width(name) + _GAP
        known = [x for x in (bar.end, bar.start, bar.submit) if not math.isnan(x)]
        last = LEFT + PLOT if math.isnan(bar.end) and not math.isnan(bar.start) else known[0]
        if last + room <= LEFT + PLOT:
            texts.append(moving_text(last + _GAP, y, name, "start", "name"))
        elif bar.submit - room >= LEFT:
            texts.append(moving_text(bar.submit - _GAP, y, name, "end", "name"))
        else:
            texts.append(moving_text(last - _GAP, y, name, "end", "name inside"))
    return texts


def _numbers(n: int, step: int, pitch: float) -> list[str]:
    """Serial numbers at the left, as many as fit."""
    every = next(
        (e for e in (*_ROUND, *(r * 100 for r in _ROUND)) if e * pitch >= _LOW - 1), 10_000
    )
    rows = [row for row in range(n) if row == 0 or (row + 1) % every == 0]
    if len(rows) > 1 and (rows[1] - rows[0]) * pitch < _LOW - 1:
        rows.pop(0)
    return [row_text((row + 0.5) * pitch + 4, str(row * step + 1)) for row in rows]
