"""Figures of a timeline: graphs over time with keys and captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.report.figures.svg.parts import write_text
from heorot.report.figures.text import text_width
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.activity import (
    activity_graph,
    span_of,
    word_omitted,
)
from heorot.throughput.report.graph import (
    LEFT,
    WIDTH,
    TimeRange,
    css_of,
    draw,
    pattern_of,
    picture_style,
)
from heorot.throughput.report.load_map import COLUMNS
from heorot.throughput.report.places import MOST_NODES, place_graph
from heorot.throughput.report.strips import is_thinned, strip_graph
from heorot.units import format_duration

_READ = (
    "Each line is a job, in the order of submission: dotted from its submission to its start, "
    "solid while it runs."
)
_READ_PLACES = (
    "Each row is a node, as high as its cores; a job is as high as the cores it uses there. The "
    "core numbers are unknown: each job is drawn on the lowest free cores."
)
_MOST_KEYS = 24
_GAP = 6.0
_KEY_HEIGHT = 16.0
_KEY_ROOM = 32.0


@dataclass(frozen=True)
class Key:
    """The name of a colour."""

    name: str
    css: str
    pattern: str


@dataclass(frozen=True)
class Graphs:
    """Graphs that share an axis.

    Attributes:
        has_failed: whether some jobs did not complete.
        caption: how to read them, and what they leave out.
    """

    id: str
    title: str
    svgs: tuple[str, ...]
    keys: tuple[Key, ...]
    has_failed: bool
    caption: str


def show_activity(
    timeline: Timeline,
    measures: ThroughputMeasures,
    *,
    title: str,
    identifier: str = "jobs-over-time",
    more: Sequence[str] = (),
    span: TimeRange | None = None,
) -> Graphs:
    """The activity graph, and below it the allocated cores and the queue.

    Args:
        more: graphs below these.
        span: displayed time; None for all of it.
    """
    span = span or span_of(timeline)
    n_cores = timeline.n_nodes * timeline.cores_per_node
    strips = (
        strip_graph(
            measures.cores,
            span,
            f"{identifier}-cores",
            f"allocated cores, of {n_cores}",
            limit=float(n_cores),
        ),
        strip_graph(
            measures.queue, span, f"{identifier}-queue", "queued jobs", css="s1", peaks=True
        ),
    )
    graph = activity_graph(timeline, span, identifier)
    thinned = any(is_thinned(course) for course in (measures.cores, measures.queue))
    said = [
        _READ,
        word_omitted(timeline),
        "The strips show means of their columns; the queue strip shows maxima." if thinned else "",
        f"Node data are averaged over {format_duration((span.end - span.begin) / COLUMNS)} "
        "each, and so are maxima."
        if more
        else "",
    ]
    return Graphs(
        id=identifier,
        title=title,
        svgs=(draw(graph, span), *(draw(strip, span) for strip in strips), *more),
        keys=_keys(timeline),
        has_failed=measures.n_ok < measures.n_jobs,
        caption=" ".join(filter(None, said)),
    )


def draw_picture(shown: Graphs) -> str:
    """Graphs as one SVG file with keys and colours."""
    parts, top = [], 0.0
    for svg in map(str, shown.svgs):
        height = float(svg.split('viewBox="', 1)[1].split('"', 1)[0].split()[3])
        place = f'x="0" y="{top:g}" width="{WIDTH:g}" height="{height:g}"'
        parts.append(svg.replace("<svg ", f"<svg {place} ", 1))
        top += height + _GAP
    x, top = LEFT, top + _KEY_HEIGHT
    for key in shown.keys:
        room = text_width(key.name) + _KEY_ROOM
        if x + room > WIDTH and x > LEFT:
            x, top = LEFT, top + _KEY_HEIGHT
        box = f'x="{x:.1f}" y="{top - 9:.1f}" width="12" height="10"'
        parts.append(f'<rect class="bar {key.css}" {box}/>')
        parts.append(f'<rect class="{key.pattern}" {box}/>' if key.pattern else "")
        parts.append(write_text(x + 17, top, key.name, "start"))
        x += room
    size = f'viewBox="0 0 {WIDTH:g} {top + _GAP:g}" width="{WIDTH:g}" height="{top + _GAP:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="timed" {size}>'
    return f"{head}{picture_style()}{''.join(parts)}</svg>"


def show_places(timeline: Timeline) -> Graphs | None:
    """The activity of nodes; None if the nodes of jobs are unknown or too many."""
    span = span_of(timeline)
    graph = place_graph(timeline, span, "nodes-over-time")
    if graph is None:
        return None
    said = [
        _READ_PLACES,
        f"The first {MOST_NODES} of {timeline.n_nodes} nodes."
        if timeline.n_nodes > MOST_NODES
        else "",
    ]
    return Graphs(
        id="nodes-over-time",
        title="By node and core",
        svgs=(draw(graph, span),),
        keys=_keys(timeline),
        has_failed=False,
        caption=" ".join(filter(None, said)),
    )


def _keys(timeline: Timeline) -> tuple[Key, ...]:
    named = list(enumerate(timeline.kind_names))
    keys = [Key(name, css_of(i), pattern_of(i)) for i, name in named[:_MOST_KEYS]]
    more = len(named) - len(keys)
    return (*keys, *([Key(f"and {more} more", "s7", "")] if more > 0 else []))
