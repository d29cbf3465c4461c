"""The sections of the page of a day that are made of tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heorot.monitoring.model import MonitoringStudy
from heorot.report.tables.table import Allowance, Table
from heorot.throughput.model.day import Day
from heorot.throughput.model.measures import DayAnalysis
from heorot.throughput.model.story import DayStory
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
    empty: str = "Nothing is known of it."


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
    made = [
        Section(
            "whole",
            "Measures",
            "The whole day",
            (measure_table({"the day": measures}, "Measures of the day", "measures"),),
        ),
        Section(
            "account", "Account", "What came back", tuple(account_tables(told.account, allowance))
        ),
        _interference_section(told, allowance),
        _wait_section(analysis, allowance),
        Section(
            "projections",
            "What if",
            "What dominates, and what if",
            (component_table(told, allowance), order_table(told, measures, allowance)),
        ),
        *_compared_sections(analysis, allowance),
        Section(
            "load",
            "Load",
            "Load of the nodes",
            tuple(use_tables(watched, allowance)) if watched else (),
            empty="The nodes were not watched.",
        ),
        Section("jobs", "Jobs", "Jobs", (job_table(day, analysis, allowance, file),)),
    ]
    return [
        replace(section, tables=tuple(table for table in section.tables if table.rows))
        for section in made
    ]


def _interference_section(told: DayStory, allowance: Allowance) -> Section:
    names = ("alone", "Run times under load and alone")
    beside = ("beside", "The same by what shared the nodes")
    return Section(
        "interference",
        "Interference",
        "What sharing costs",
        (
            interference_table(told.interference, *names, allowance),
            interference_table(told.beside, *beside, allowance),
        ),
        empty="No program has run times both alone and under load.",
    )


def _compared_sections(analysis: DayAnalysis, allowance: Allowance) -> list[Section]:
    gaps = gap_table(analysis.measures, analysis.policy_measures)
    return [
        Section(
            "policies",
            "Policies",
            "Against simulated schedulers",
            (gaps,) if gaps else (),
            empty="No scheduler was simulated on these jobs.",
        ),
        Section(
            "responses",
            "Responses",
            "Interactive work beside the load",
            (response_table(analysis.told, allowance),),
            empty="There was no interactive work beside the load.",
        ),
    ]


def _wait_section(analysis: DayAnalysis, allowance: Allowance) -> Section:
    told, measures = analysis.told, analysis.measures
    return Section(
        "waits",
        "Waits",
        "Waits, run times and slowdowns",
        (
            class_table(measures.by_kind, "By kind of job", "kinds", allowance),
            class_table(measures.by_size, "By size", "sizes", allowance),
            delay_table(told, allowance),
            node_table(analysis.timeline, measures, allowance),
            rate_table(measures, allowance),
        ),
    )
