"""The sections of the page of a throughput test that consist of tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heorot.monitoring.model import MonitoringStudy
from heorot.report.tables.table import Allowance, Table
from heorot.throughput.model.measures import ThroughputAnalysis
from heorot.throughput.model.throughput import ThroughputTest
from heorot.throughput.report.tables.every_job import job_table
from heorot.throughput.report.tables.explanation import (
    account_tables,
    component_table,
    delay_table,
    interference_table,
    order_table,
    response_table,
)
from heorot.throughput.report.tables.measured import (
    class_table,
    gap_table,
    measure_table,
    node_table,
    rate_table,
)
from heorot.throughput.report.tables.used import use_tables

_NOTHING = "Nothing was recorded."
# Of each section: id, name in the navigation, title, text if it has no rows.
_SECTIONS = (
    ("whole", "Metrics", "Metrics of the test", _NOTHING),
    ("account", "Jobs", "Final states of all jobs", _NOTHING),
    (
        "interference",
        "Contention",
        "Run times under load and dedicated",
        "No program has both dedicated runs and runs under load.",
    ),
    ("waits", "Queue waits", "Queue waits, run times and slowdowns", _NOTHING),
    ("projections", "Projections", "Node time by program, and projections", _NOTHING),
    (
        "policies",
        "Policies",
        "Simulated scheduling policies",
        "No scheduler was simulated on these jobs.",
    ),
    (
        "responses",
        "Response",
        "Response times of interactive commands",
        "No interactive command ran during the test.",
    ),
    ("load", "Nodes", "Monitoring of the nodes", "The nodes were not monitored."),
    ("jobs", "All jobs", "All jobs", _NOTHING),
)


@dataclass(frozen=True)
class Section:
    """One section with tables.

    Attributes:
        short: its name in the navigation.
        tables: those that have rows.
        empty: text if there are none.
    """

    id: str
    short: str
    title: str
    tables: tuple[Table, ...]
    empty: str


def make_sections(
    test: ThroughputTest,
    analysis: ThroughputAnalysis,
    watched: MonitoringStudy | None,
    allowance: Allowance,
    file: str,
) -> list[Section]:
    """All sections in order, folded; tables without rows are left out.

    Args:
        file: name of the file with all jobs.
    """
    explanation, measures = analysis.explanation, analysis.measures
    alone = ("alone", "By program")
    beside = ("beside", "By co-located job class")
    gaps = gap_table(measures, analysis.policy_measures)
    tables: dict[str, list[Table]] = {
        "whole": [measure_table({"value": measures}, "All metrics", "measures")],
        "account": account_tables(explanation.account, allowance),
        "interference": [
            interference_table(explanation.interference, *alone, allowance),
            interference_table(explanation.by_co_located, *beside, allowance),
        ],
        "waits": [
            class_table(measures.by_kind, "By job class", "kinds", allowance),
            class_table(measures.by_size, "By number of nodes", "sizes", allowance),
            delay_table(explanation, allowance),
            node_table(analysis.timeline, measures, allowance),
            rate_table(measures, allowance),
        ],
        "projections": [
            component_table(explanation, allowance),
            order_table(explanation, measures, allowance),
        ],
        "policies": [gaps] if gaps else [],
        "responses": [response_table(explanation, allowance)],
        "load": use_tables(watched, allowance) if watched else [],
        "jobs": [job_table(test, analysis, allowance, file)],
    }
    kept = {
        name: tuple(_fold(table) for table in own if table.rows) for name, own in tables.items()
    }
    return [
        Section(name, short, title, kept[name], empty) for name, short, title, empty in _SECTIONS
    ]


def _fold(table: Table) -> Table:
    return replace(table, folded=True, prominent=False)
