"""The section of jobs: what they waited, took and cost; nothing of jobs on this machine alone."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.model.evaluation import Evaluation
from heorot.report.tables.jobs import job_table, launch_table
from heorot.report.tables.table import Allowance, Table

ID = "jobs"


@dataclass(frozen=True)
class JobsSection:
    """What jobs and launches cost.

    Attributes:
        sentence: the sum; empty without jobs.
    """

    id: str
    sentence: str
    tables: tuple[Table, ...]


def jobs_section(evaluation: Evaluation, allowance: Allowance) -> JobsSection | None:
    """The section; None if there was neither a batch system nor a second host."""
    jobs, costs = evaluation.jobs, evaluation.job_costs
    if not any(job.batched or job.nodes > 1 for job in jobs):
        return None
    tables = [job_table(jobs, allowance)]
    if costs.launches:
        tables.append(launch_table(costs.launches, allowance))
    text = costs.text[:1].upper() + costs.text[1:]
    return JobsSection(id=ID, sentence=text, tables=tuple(tables))
