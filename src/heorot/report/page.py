"""Assembles the report, or its first screen alone: one HTML file with everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from heorot import __version__
from heorot.model.analysis.result import Finding
from heorot.model.evaluation import Evaluation
from heorot.report.anchors import Anchors, Frame, find_anchors, step_anchor
from heorot.report.comparison import write_comparison
from heorot.report.render import render_page
from heorot.report.screens.findings import group_findings
from heorot.report.screens.summary import summarise
from heorot.report.sections.configuration import (
    configuration_tables,
    format_time,
    reproduction,
    run_directory,
)
from heorot.report.sections.families import FamilySection, family_sections
from heorot.report.sections.glossary import glossary
from heorot.report.sections.jobs import JobsSection, jobs_section
from heorot.report.sections.node_roofline.section import node_section
from heorot.report.sections.nodes import nodes_section, place_nodes, without_nodes
from heorot.report.sections.programs import gather
from heorot.report.sections.questions.section import questions_section
from heorot.report.sections.scope import question_asked, scope_of, state_words
from heorot.report.sections.scorecard import ScoreLine, score_lines
from heorot.report.sections.section import Section
from heorot.report.sections.steps import pair_endings, word_account
from heorot.report.sections.toolchains import toolchain_section
from heorot.report.tables.table import Table, room_for
from heorot.report.tables.troubles import (
    cross_check_table,
    disturbed_table,
    failed_checks,
    finding_table,
    marked_table,
    skipped_table,
)
from heorot.report.wording import mark_uncertainty
from heorot.units import format_duration
from heorot.writing import write

__all__ = ["format_report", "format_summary", "write_comparison", "write_report", "write_summary"]

MAXIMUM_TROUBLED = 50
"""So many steps that failed are shown with their output."""

MAXIMUM_KINDS = 2
"""So many kinds of nodes are named on the first screen."""


def write_report(
    evaluation: Evaluation, path: Path, *, machine_rows: Sequence[tuple[str, str]]
) -> None:
    """Writes the report of a run."""
    write(path, format_report(evaluation, machine_rows))


def format_report(evaluation: Evaluation, machine_rows: Sequence[tuple[str, str]]) -> str:
    """The report of a run as HTML."""
    anchors = place_nodes(evaluation, find_anchors(evaluation))
    scores = _score_lines(evaluation, anchors)
    opening = _opening(evaluation, scores) | _said(evaluation, anchors)
    allowance = room_for(len(evaluation.benchmarks))
    evaluation = without_nodes(evaluation)
    export = f"heorot export {run_directory(evaluation)} --format csv"
    frame = Frame(anchors, allowance, export)
    questions = questions_section(evaluation, frame)
    families = family_sections(gather(evaluation, frame, scores))
    shown = {section.id for section in families}
    terms, sources = glossary(each for each in evaluation.families if f"f-{each.name}" in shown)
    # The other sections; None if empty.
    beside: dict[str, Section | JobsSection | None] = {
        "questions": questions,
        "depth": node_section(evaluation, frame),
        "nodes": nodes_section(evaluation, frame),
        "toolchains": toolchain_section(evaluation, frame),
        "jobs": jobs_section(evaluation, allowance),
    }
    apart = {
        "cross_checks": cross_check_table(evaluation, allowance),
        "skipped": skipped_table(evaluation, allowance),
        "disturbed": disturbed_table(evaluation, allowance),
        "marked": marked_table(evaluation.analysis.results, frame),
    }
    configuration = configuration_tables(evaluation, machine_rows, allowance)
    content: dict[str, Any] = {
        **opening,
        "scores": scores,
        **_trouble(evaluation),
        "families": families,
        **beside,
        "terms": terms,
        "sources": sources,
        **apart,
        "configuration": configuration,
        "reproduction": reproduction(evaluation),
    }
    every = [*_tables(families, beside.values()), *apart.values(), *configuration]
    return render_page("report.html.j2", content, tables={table.id: table for table in every})


def write_summary(evaluation: Evaluation, path: Path, *, report: str | None) -> None:
    """Writes the first screen of the report of a run as a page of its own.

    Args:
        report: address of the report that it links to; None without links.
    """
    write(path, format_summary(evaluation, report))


def format_summary(evaluation: Evaluation, report: str | None) -> str:
    """The first screen as HTML."""
    anchors = place_nodes(evaluation, find_anchors(evaluation))
    scores = _score_lines(evaluation, anchors)
    content = {**_opening(evaluation, scores), "report": report}
    return render_page("summary_page.html.j2", content, tables={})


def _score_lines(evaluation: Evaluation, anchors: Anchors) -> list[ScoreLine]:
    scores = evaluation.analysis.scores
    return score_lines(scores, anchors, evaluation.headers, evaluation.peers)


def _opening(evaluation: Evaluation, scores: Sequence[ScoreLine]) -> dict[str, Any]:
    """Title and first screen."""
    facts, scope = evaluation.facts, scope_of(evaluation)
    took = format_duration(facts.ended - facts.started) if facts.ended else "did not end"
    if facts.ended and facts.ended < facts.started:
        took = "not known: the clock was set back"
    more = len(scope.nodes) - MAXIMUM_KINDS
    nodes = [*scope.nodes[:MAXIMUM_KINDS], *([f"{more} more kinds of nodes"] if more > 0 else [])]
    return {
        "evaluation": evaluation,
        "day": format_time(facts.started)[:10],
        "title_facts": [
            ("Machine", "; ".join(nodes)),
            ("Date", format_time(facts.started)[:16] + " UTC"),
            ("Profile", f"{facts.request.profile}, {took}"),
            ("Heorot", facts.heorot_version),
        ],
        "scope": scope,
        "summary": summarise(evaluation, scores),
    }


def _said(evaluation: Evaluation, anchors: Anchors) -> dict[str, Any]:
    """Verdict, findings, and how the run stands."""
    analysis = evaluation.analysis
    return {
        "state": state_words(evaluation),
        "asked": question_asked(evaluation),
        "verdict": [
            (mark_uncertainty(each), anchors.evidence(each.evidence)) for each in analysis.verdict
        ],
        "findings": [
            (group, [_found(*each, anchors) for each in group.members])
            for group in group_findings(analysis.findings)
        ],
    }


def _found(number: int, finding: Finding, anchors: Anchors) -> tuple[Any, ...]:
    """A finding with its number, evidence and table."""
    table = finding_table(finding, f"finding-table-{number}")
    return number, finding, anchors.evidence(finding.evidence), table


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


def _tables(
    families: Sequence[FamilySection], beside: Iterable[Section | JobsSection | None]
) -> Iterator[Table]:
    """The tables of all programs and of the other sections."""
    for program in (each for family in families for each in family.programs):
        yield from filter(None, [program.table, *program.breakdowns])
    for section in beside:
        yield from section.tables if section else ()
