"""The sections of the page of a day that are made of tables."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.monitoring.model import MonitoringStudy
from heorot.report.tables.table import Allowance, Table
from heorot.throughput.model.day import Day
from heorot.throughput.model.measures import DayAnalysis
from heorot.throughput.report.tables.day_told import (
    account_tables,
    component_table,
    delay_table,
    interference_table,
    order_table,
    response_table,
)
from heorot.throughput.report.tables.every_job import job_table
from heorot.throughput.report.tables.measured import (
    class_table,
    gap_table,
    measure_table,
    node_table,
    rate_table,
)
from heorot.throughput.report.tables.used import use_tables

_NOTHING = "Nothing is known of it."
# Of each section its id, its name in the navigation, its title, and what is said if it has no rows.
_SECTIONS = (
    ("whole", "Measures", "The whole day", _NOTHING),
    ("account", "Account", "What came back", _NOTHING),
    (
        "interference",
        "Interference",
        "What sharing costs",
        "No program has run times both alone and under load.",
    ),
    ("waits", "Waits", "Waits, run times and slowdowns", _NOTHING),
    ("projections", "What if", "What dominates, and what if", _NOTHING),
    (
        "policies",
        "Policies",
        "Against simulated schedulers",
        "No scheduler was simulated on these jobs.",
    ),
    (
        "responses",
        "Responses",
        "Interactive work beside the load",
        "There was no interactive work beside the load.",
    ),
    ("load", "Load", "Load of the nodes", "The nodes were not watched."),
    ("jobs", "Jobs", "Jobs", _NOTHING),
)


@dataclass(frozen=True)
class Section:
    """One section with tables.

    Attributes:
        short: its name in the navigation.
        tables: those that have rows.
        empty: what is said if there are none.
    """

    id: str
    short: str
    title: str
    tables: tuple[Table, ...]
    empty: str


def make_sections(
    day: Day,
    analysis: DayAnalysis,
    watched: MonitoringStudy | None,
    allowance: Allowance,
    file: str,
) -> list[Section]:
    """All of them, in their order; tables without rows are left out.

    Args:
        file: name of the file with all jobs.
    """
    told, measures = analysis.told, analysis.measures
    alone = ("alone", "Run times under load and alone")
    beside = ("beside", "The same by what shared the nodes")
    gaps = gap_table(measures, analysis.policy_measures)
    tables: dict[str, list[Table]] = {
        "whole": [measure_table({"the day": measures}, "Measures of the day", "measures")],
        "account": account_tables(told.account, allowance),
        "interference": [
            interference_table(told.interference, *alone, allowance),
            interference_table(told.beside, *beside, allowance),
        ],
        "waits": [
            class_table(measures.by_kind, "By kind of job", "kinds", allowance),
            class_table(measures.by_size, "By size", "sizes", allowance),
            delay_table(told, allowance),
            node_table(analysis.timeline, measures, allowance),
            rate_table(measures, allowance),
        ],
        "projections": [component_table(told, allowance), order_table(told, measures, allowance)],
        "policies": [gaps] if gaps else [],
        "responses": [response_table(told, allowance)],
        "load": use_tables(watched, allowance) if watched else [],
        "jobs": [job_table(day, analysis, allowance, file)],
    }
    kept = {name: tuple(table for table in own if table.rows) for name, own in tables.items()}
    return [
        Section(name, short, title, kept[name], empty) for name, short, title, empty in _SECTIONS
    ]
