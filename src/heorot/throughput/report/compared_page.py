"""The page of compared throughput tests: first screen, verdict, metrics, jobs over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from heorot.report.render import render_page
from heorot.report.tables.table import Allowance
from heorot.throughput.model.comparison import ThroughputComparison
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.activity import span_of
from heorot.throughput.report.figures import Graphs
from heorot.throughput.report.graph import Graph, TimeRange, css_of, draw
from heorot.throughput.report.screens.compared_screen import compared_screen, word_dates
from heorot.throughput.report.strips import strip_graph
from heorot.throughput.report.tables.compared import compared_tables, differing_table
from heorot.throughput.report.throughput_page import MOST_ROWS, page_assets
from heorot.writing import write

_CAPTION = (
    "Times count from the first scheduled submission; all systems have the same axes. Of a "
    "system with several tests the first one is drawn."
)


def write_compared(
    comparison: ThroughputComparison,
    courses: Sequence[tuple[Timeline, ThroughputMeasures]],
    path: Path,
) -> None:
    """Write the page of compared tests.

    Args:
        courses: the first test of each system.
    """
    allowance = Allowance(rows=MOST_ROWS)
    tables = compared_tables(comparison, allowance)
    differing = differing_table(comparison, allowance)
    spans = [span_of(timeline) for timeline, _ in courses]
    span = TimeRange(min(one.begin for one in spans), max(one.end for one in spans))
    graphs = _graphs(comparison, [measures for _, measures in courses], span)
    content = {
        "comparison": comparison,
        "first": compared_screen(comparison),
        "dates": word_dates(comparison),
        "tables_of": tables,
        "differing": differing,
        "activity": Graphs(
            id="systems-over-time",
            title="Running and queued jobs over time",
            svgs=tuple(draw(graph, span) for graph in graphs),
            keys=(),
            has_failed=False,
            caption=_CAPTION,
        ),
        **page_assets(),
    }
    every = {table.id: table for table in (*tables, differing)}
    write(path, render_page("throughput/compared.html.j2", content, tables=every))


def _graphs(
    comparison: ThroughputComparison, measures: Sequence[ThroughputMeasures], span: TimeRange
) -> Iterator[Graph]:
    for which, title, courses in (
        ("ran", "running jobs", [one.active for one in measures]),
        ("waited", "queued jobs", [one.queue for one in measures]),
    ):
        top = max(1.0, *(max(course.values, default=0.0) for course in courses))
        for place, course in enumerate(courses):
            name = comparison.systems[place].name
            yield strip_graph(
                course,
                span,
                f"{which}-{place}",
                f"{title}, {name}",
                css=css_of(place),
                peaks=True,
                top=float(top),
            )
