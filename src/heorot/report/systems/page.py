"""The page of several systems compared: first screen, verdict, programs, what differs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heorot.model.analysis.comparison import Uncompared, Why, word_places
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.systems import SideBySide, letter_of
from heorot.model.catalogue.family import Family
from heorot.report.render import render_page
from heorot.report.screens.comparison_screens import first_sentences, systems_screen, word_date
from heorot.report.systems.courses import draw_courses
from heorot.report.systems.figures import draw_advantages, draw_families
from heorot.report.systems.tables import (
    advantage_table,
    fact_table,
    group_table,
    metric_table,
    network_table,
)
from heorot.report.tables.courses import course_table
from heorot.report.tables.table import Allowance, Table
from heorot.writing import write

_WHYS: dict[Why, str] = {
    "only in A": "only in A",
    "only in B": "only in {other}",
    "not the same work": "not the same work",
    "not told apart": "too little is known to identify it",
    "several cases": "several cases of one run measure the same",
}


def write_systems(
    side: SideBySide, families: Sequence[Family], rows: Sequence[Result], path: Path
) -> None:
    """Writes several systems side by side.

    Args:
        rows: of all runs, for figures; `system` of each is a label.
    """
    write(path, format_systems(side, families, rows))


def format_systems(side: SideBySide, families: Sequence[Family], rows: Sequence[Result]) -> str:
    """Several systems side by side as HTML."""
    allowance = Allowance()
    groups = group_table(side, allowance)
    beside, tables = make_beside(side, families, rows, allowance)
    courses = course_table(
        {letter_of(i): one.courses for i, one in enumerate(side.comparisons, start=1)}, allowance
    )
    everything = metric_table(side, allowance)
    tables |= {"groups": groups, "courses": courses, "everything": everything}
    content: dict[str, Any] = {
        "first": systems_screen(side),
        "sentences": first_sentences(side.verdict),
        "dates": [word_date(one) for one in side.systems],
        "groups": groups,
        "courses": courses,
        "course_figures": draw_courses(side),
        "everything": everything,
        "uncompared": _uncompared(side),
        "beside": beside,
    }
    packed = {table.id: table for table in tables.values()}
    return render_page("systems/systems.html.j2", content, tables=packed)


def make_beside(
    side: SideBySide, families: Sequence[Family], rows: Sequence[Result], allowance: Allowance
) -> tuple[dict[str, Any], dict[str, Table]]:
    """Machines, builds, cores and figures of a comparison, for templates; their tables by name."""
    machines = "What the machines differ in, or what is unknown of some; all else is equal"
    builds = "What the builds differ in, or what is unknown of some"
    tables = {
        "advantages": advantage_table(side, allowance),
        "facts": fact_table("facts", machines, side.facts, side, allowance),
        "builds": fact_table("builds", builds, side.builds, side, allowance),
        "networks": network_table(side, allowance),
    }
    content: dict[str, Any] = {
        "side": side,
        "letters": [letter_of(number) for number in range(len(side.systems))],
        "advantage_figure": draw_advantages(side),
        "figures": draw_families(families, rows, side.labels),
        **tables,
    }
    return content, tables


def _uncompared(side: SideBySide) -> list[tuple[str, str, tuple[Uncompared, ...]]]:
    """What was not compared: why, where, and the rows."""
    found = []
    for number, one in enumerate(side.comparisons, start=1):
        for why, words in _WHYS.items():
            rows = one.left_out(why)
            if rows:
                title = f"{letter_of(number)}: {words.format(other=letter_of(number))}"
                found.append((title, word_places(rows), rows))
    return found
