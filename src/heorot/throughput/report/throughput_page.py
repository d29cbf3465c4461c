"""The page of a throughput test: first screen, verdict, findings, graphs, tables, definitions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from heorot.model.analysis.result import Finding
from heorot.monitoring.model import Monitoring, MonitoringStudy
from heorot.report.render import render_page
from heorot.report.sections.configuration import format_time
from heorot.report.tables.table import Allowance, Table
from heorot.report.tables.troubles import finding_table
from heorot.report.wording import count
from heorot.throughput.model.measures import ThroughputAnalysis
from heorot.throughput.model.throughput import ThroughputFacts, ThroughputTest
from heorot.throughput.report.activity import span_of
from heorot.throughput.report.figures import draw_picture, show_activity, show_places
from heorot.throughput.report.load import load_graphs
from heorot.throughput.report.screens.single_screen import single_screen
from heorot.throughput.report.sections import make_sections
from heorot.throughput.report.tables.every_job import write_jobs
from heorot.writing import write

MOST_ROWS = 3000
"""Maximum number of rows in the page, all tables together; larger tables of jobs are files."""

_PLAIN_ROWS = 400
# Findings whose rows stand in the section on the final states of all jobs.
_ACCOUNTED = frozenset({"day/missing jobs", "day/missing parts"})


def write_throughput(
    test: ThroughputTest,
    analysis: ThroughputAnalysis,
    path: Path,
    monitoring: Monitoring | None = None,
    watched: MonitoringStudy | None = None,
    disagreements: Sequence[str] = (),
) -> None:
    """Write the page of a test, with all its jobs as CSV and the activity graph as SVG.

    Args:
        path: the HTML file; the others have its name and end in `-jobs.csv`, `-activity.svg`.
        monitoring: samples of the nodes, drawn below the activity graph.
        disagreements: files of the test that contradict their digests, in lines.
    """
    file = path.with_name(f"{path.stem}-jobs.csv")
    write_jobs(test, analysis, file)
    shown = show_activity(analysis.timeline, analysis.measures, title="")
    picture = path.with_name(f"{path.stem}-activity.svg")
    write(picture, draw_picture(shown))
    page = format_throughput(test, analysis, file.name, monitoring, watched, disagreements)
    write(path, page)


def format_throughput(
    test: ThroughputTest,
    analysis: ThroughputAnalysis,
    file: str,
    monitoring: Monitoring | None = None,
    watched: MonitoringStudy | None = None,
    disagreements: Sequence[str] = (),
) -> str:
    """The page of a test as HTML.

    Args:
        file: name of the file with all jobs.
    """
    explanation, allowance = analysis.explanation, Allowance(rows=MOST_ROWS, plain=_PLAIN_ROWS)
    command = test.facts.command
    sections = make_sections(test, analysis, watched, allowance, file)
    found = (*explanation.findings, *(watched.findings if watched else ()))
    tables = [table for section in sections for table in section.tables]
    content: dict[str, Any] = {
        "facts": test.facts,
        "title_facts": _title_facts(test.facts),
        "first": single_screen(test, analysis, watched, found, disagreements),
        "disagreements": disagreements,
        "verdict": explanation.verdict,
        "activity": show_activity(
            analysis.timeline,
            analysis.measures,
            title="Every job over time",
            more=_draw_load(test, analysis, monitoring),
        ),
        "places": show_places(analysis.timeline),
        "sections": sections,
        "findings": [(one, _table_of(one, number)) for number, one in enumerate(found)],
        "method": _word_method(test),
        "reproduction": [("Run the test again", shlex.join(command))] if command else [],
        **page_assets(),
    }
    return render_page(
        "throughput/throughput.html.j2", content, tables={table.id: table for table in tables}
    )


def _table_of(one: Finding, number: int) -> Table | None:
    """The table of a finding; none if its rows stand in the account of jobs."""
    return None if one.kind in _ACCOUNTED else finding_table(one, f"rows-{number}")


def _draw_load(
    test: ThroughputTest, analysis: ThroughputAnalysis, monitoring: Monitoring | None
) -> Sequence[str]:
    if monitoring is None or not test.jobs:
        return ()
    return load_graphs(monitoring, test.zero, span_of(analysis.timeline))


def page_assets() -> dict[str, Markup]:
    """Style and script of graphs over time."""
    assets = files("heorot.report").joinpath("assets")
    read = {"throughput_style": "throughput.css", "throughput_script": "throughput.js"}
    return {
        name: Markup(assets.joinpath(file).read_text(encoding="utf-8"))  # noqa: S704 (our own files)
        for name, file in read.items()
    }


def _title_facts(facts: ThroughputFacts) -> list[tuple[str, str]]:
    begun = format_time(facts.begun)[:16] + " UTC" if facts.begun is not None else "not known"
    nodes = count(facts.n_nodes, "node")
    scale = "" if facts.time_scale == 1.0 else f", times x {facts.time_scale:g}"
    return [
        ("Batch system", facts.system),
        ("Machine", f"{nodes} with {count(facts.cores_per_node, 'core')} each"),
        ("Schedule", facts.schedule + scale),
        ("Date", begun),
        ("Nodes", "exclusive" if facts.exclusive else "shared"),
        ("Heorot", facts.heorot_version),
    ]


def _word_method(test: ThroughputTest) -> str:
    facts = test.facts
    digest = f" (SHA-256 {facts.schedule_digest[:16]}…)" if facts.schedule_digest else ""
    nodes = "exclusive" if facts.exclusive else "shared"
    alone = (
        "Dedicated run times are of the same jobs, one after the other on the empty system."
        if test.alone
        else "No job ran dedicated."
    )
    scaled = (
        f" Jobs were scaled to the machine: {'; '.join(facts.scaled)}. Compare them only with "
        "tests of the same numbers of nodes and cores."
        if facts.scaled
        else ""
    )
    return (
        f"The schedule is {facts.schedule}{digest}, its times multiplied by {facts.time_scale:g}; "
        f"seed {facts.seed}; nodes were {nodes} unless a job requested otherwise. Start and end "
        "times are from the status files of the jobs, else from the batch system. "
        f"A job that neither reports is lost. {alone}{scaled}"
    )
