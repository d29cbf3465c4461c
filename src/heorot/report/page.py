"""Assembles the report: one HTML file with everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heorot import __version__
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, find_anchors, step_anchor
from heorot.report.comparison import write_comparison
from heorot.report.figures.drawing import Drawing
from heorot.report.figures.show import kind_of, plotly_figure
from heorot.report.render import render_page
from heorot.report.sections.configuration import (
    configuration_tables,
    format_time,
    reproduction,
    run_directory,
)
from heorot.report.sections.families import FamilySection, family_sections
from heorot.report.sections.glossary import glossary
from heorot.report.sections.jobs import jobs_section
from heorot.report.sections.nodes import NodesSection, nodes_section, place_nodes, without_nodes
from heorot.report.sections.programs import gather
from heorot.report.sections.scope import scope_of
from heorot.report.sections.scorecard import score_lines
from heorot.report.sections.steps import pair_endings, word_account
from heorot.report.sections.summary import question_asked, state_words
from heorot.report.tables.table import Table, room_for
from heorot.report.tables.troubles import (
    cross_check_table,
    disturbed_table,
    failed_checks,
    finding_table,
    marked_table,
    skipped_table,
)
from heorot.units import format_duration

__all__ = ["format_report", "write_comparison", "write_report"]

MAXIMUM_TROUBLED = 50
"""So many steps that failed are shown with their output."""


def write_report(
    evaluation: Evaluation, path: Path, *, machine_rows: Sequence[tuple[str, str]]
) -> None:
    """Writes the report of a run.

    Args:
        evaluation: the run.
        path: the HTML file.
        machine_rows: the machine, one fact a row.
    """
    path.write_text(format_report(evaluation, machine_rows), encoding="utf-8")


def format_report(evaluation: Evaluation, machine_rows: Sequence[tuple[str, str]]) -> str:
    """The report of a run as HTML.

    Args:
        evaluation: the run.
        machine_rows: the machine, one fact a row.
    """
    anchors = place_nodes(evaluation, find_anchors(evaluation))
    opening, allowance = _opening(evaluation, anchors), room_for(len(evaluation.benchmarks))
    evaluation = without_nodes(evaluation)
    export = f"heorot export {run_directory(evaluation)} --format csv"
    scores = score_lines(evaluation.analysis.scores, anchors, evaluation.headers)
    families = family_sections(gather(evaluation, anchors, allowance, export, scores))
    terms, sources = glossary(
        family
        for family in evaluation.families
        if f"f-{family.name}" in {section.id for section in families}
    )
    nodes = nodes_section(evaluation, anchors, allowance, export)
    jobs = jobs_section(evaluation, allowance)
    cross_checks = cross_check_table(evaluation, allowance)
    skipped, disturbed = (make(evaluation, allowance) for make in (skipped_table, disturbed_table))
    marked = marked_table(evaluation.analysis.results, anchors, allowance, export)
    configuration = configuration_tables(evaluation, machine_rows, allowance)
    shown = [*_tables(families, nodes), *(jobs.tables if jobs else ())]
    content: dict[str, Any] = {
        **opening,
        "scores": scores,
        **_trouble(evaluation),
        "families": families,
        "nodes": nodes,
        "jobs": jobs,
        "terms": terms,
        "sources": sources,
        "cross_checks": cross_checks,
        "skipped": skipped,
        "disturbed": disturbed,
        "marked": marked,
        "configuration": configuration,
        "reproduction": reproduction(evaluation),
    }
    return render_page(
        "report.html.j2",
        content,
        figures=[plotly_figure(drawing) for drawing in _drawings(families)],
        tables=_by_id([*shown, cross_checks, skipped, disturbed, marked, *configuration]),
    )


def _opening(evaluation: Evaluation, anchors: Anchors) -> Mapping[str, Any]:
    """Title, verdict, score card and findings."""
    facts, analysis = evaluation.facts, evaluation.analysis
    took = format_duration(facts.ended - facts.started) if facts.ended else "did not end"
    processors = [node.processor.model or node.processor.isa for node in evaluation.machine.nodes]
    return {
        "evaluation": evaluation,
        "day": format_time(facts.started)[:10],
        "title_facts": [
            ("Processor", ", ".join(dict.fromkeys(processors))),
            ("Date", format_time(facts.started)[:16] + " UTC"),
            ("Profile", facts.request.profile),
            ("Duration", took),
            ("Heorot", facts.heorot_version),
        ],
        "state": state_words(evaluation),
        "asked": question_asked(evaluation),
        "scope": scope_of(evaluation),
        "verdict": [(each, anchors.evidence(each.evidence)) for each in analysis.verdict],
        "findings": [
            (each, anchors.evidence(each.evidence), finding_table(each, f"finding-{number}"))
            for number, each in enumerate(analysis.findings)
        ],
    }


def _trouble(evaluation: Evaluation) -> Mapping[str, Any]:
    """What did not end as it should."""
    troubled = [ending for ending in pair_endings(evaluation) if ending.outcome.troubled]
    return {
        "account": word_account(evaluation),
        "troubled": [(each, failed_checks(each.outcome)) for each in troubled[:MAXIMUM_TROUBLED]],
        "n_more_troubled": max(0, len(troubled) - MAXIMUM_TROUBLED),
        "version": __version__,
        "step_anchor": step_anchor,
    }


def _drawings(families: Sequence[FamilySection]) -> list[Drawing]:
    """Those that the page's script draws; others have a picture only."""
    return [
        drawing
        for family in families
        for drawing in (
            *([family.overview] if family.overview else []),
            *(each for program in family.programs for each in program.drawings),
        )
        if kind_of(drawing).plotly
    ]


def _tables(families: Sequence[FamilySection], nodes: NodesSection | None) -> list[Table]:
    """The tables of all programs, and of the nodes."""
    programs = [program for family in families for program in family.programs]
    shown = [program.table for program in programs if program.table]
    shown += [table for program in programs for table in program.breakdowns]
    return [*shown, *(nodes.tables if nodes else ())]


def _by_id(tables: Sequence[Table]) -> dict[str, Table]:
    return {table.id: table for table in tables}
