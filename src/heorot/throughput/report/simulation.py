"""The page of scheduler simulations: policies compared, each with its activity graph."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from heorot.model.analysis.result import Sentence
from heorot.report.render import render_page
from heorot.report.tables.table import Allowance
from heorot.throughput.model.measures import ThroughputMeasures
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.activity import span_of
from heorot.throughput.report.figures import show_activity
from heorot.throughput.report.graph import TimeRange
from heorot.throughput.report.screens.simulation_screen import simulation_screen
from heorot.throughput.report.tables.every_job import timeline_table
from heorot.throughput.report.tables.measured import class_table, measure_table
from heorot.throughput.report.throughput_page import MOST_ROWS, page_assets
from heorot.writing import write

MOST_GRAPHS = 8
"""Maximum number of simulations with a graph and job classes in the page."""

_SHORT = 40


def write_simulation(
    timelines: Mapping[str, Timeline],
    measures: Mapping[str, ThroughputMeasures],
    path: Path,
    *,
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    command: Sequence[str] = (),
    verdict: Sequence[Sentence] = (),
    troubles: Sequence[str] = (),
) -> None:
    """Write the page of simulations of the same workload.

    Args:
        timelines: by name of the policy; at least one.
        facts: names and values of the settings; long ones stand at the end.
        troubles: why jobs never start, in lines.
    """
    allowance = Allowance(rows=MOST_ROWS)
    # One axis for all makes their ends comparable.
    spans = [span_of(each) for each in timelines.values()]
    span = TimeRange(min(each.begin for each in spans), max(each.end for each in spans))
    graphs = [
        show_activity(
            each, measures[name], title=f"Under {name}", identifier=f"jobs-{i}", span=span
        )
        for i, (name, each) in enumerate(list(timelines.items())[:MOST_GRAPHS])
    ]
    classes = []
    for i, (name, each) in enumerate(list(measures.items())[:MOST_GRAPHS]):
        classes.append(class_table(each.by_kind, f"By job class, {name}", f"kinds-{i}", allowance))
        classes.append(
            class_table(each.by_size, f"By number of nodes, {name}", f"sizes-{i}", allowance)
        )
    if len(timelines) == 1:
        (name,) = timelines
        jobs = measures[name].jobs
        classes.append(timeline_table(timelines[name], jobs, allowance, "jobs-table"))
    classes = [replace(table, folded=True, prominent=False) for table in classes]
    compared = measure_table(measures, "The same jobs under each policy", "compared")
    content = {
        "title": title,
        "title_facts": [(name, text) for name, text in facts if len(text) <= _SHORT],
        "definitions": [(name, text) for name, text in facts if len(text) > _SHORT],
        "first": simulation_screen(timelines, measures, troubles, MOST_GRAPHS),
        "verdict": verdict,
        "measures": compared,
        "graphs": graphs,
        "classes": classes,
        "command": shlex.join(command) if command else "",
        **page_assets(),
    }
    tables = {table.id: table for table in (compared, *classes)}
    page = render_page("throughput/simulation.html.j2", content, tables=tables)
    write(path, page)
