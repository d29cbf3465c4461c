"""Everything that follows from the samples of a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heorot.model.analysis.result import Finding
from heorot.monitoring.analyse import templates
from heorot.monitoring.analyse.busy_cpus import busy_cpus, whole_of
from heorot.monitoring.analyse.crossings import cross_accounts, cross_exporter
from heorot.monitoring.analyse.job_uses import job_uses
from heorot.monitoring.analyse.resources import find_resources
from heorot.monitoring.analyse.templates import describe
from heorot.monitoring.analyse.unreliable import find_unreliable
from heorot.monitoring.model import Accounted, Crossing, Exported, Monitoring, MonitoringStudy
from heorot.throughput.analyse.monitored.waiting import find_idle, find_out_of_place
from heorot.throughput.model.day import Day
from heorot.units import format_quantity

_ORDER = {"error": 0, "warning": 1, "note": 2}


def study(
    monitoring: Monitoring,
    day: Day | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    accounts: Mapping[str, Accounted] | None = None,
    pages: Mapping[str, Mapping[str, tuple[Exported, Exported]]] | None = None,
) -> MonitoringStudy:
    """What follows from the samples.

    Args:
        labels: of jobs, by their marks or the names of their directories; those that are missing
            are called as their directories.
        accounts: of Slurm, by label of the job.
        pages: of each other watcher, by its name: of each node what it said at the begin and at
            the end.
    """
    labels = labels or {}
    facts = day.facts if day else None
    whole = whole_of(monitoring, facts.begun if facts else None, facts.ended if facts else None)
    order = [job.label for job in day.jobs] if day else []
    uses = job_uses(monitoring, labels, order)
    crossings = [
        *cross_accounts(uses, accounts or {}, "sacct"),
        *(
            crossing
            for name, told in (pages or {}).items()
            for crossing in cross_exporter(monitoring, told, name)
        ),
    ]
    findings = [*find_unreliable(monitoring), *find_resources(monitoring), *_disputes(crossings)]
    if day is not None:
        if whole is not None:
            findings += find_idle(day, whole, [node.name for node in monitoring.nodes])
        findings += find_out_of_place(day, monitoring, labels)
    return MonitoringStudy(
        busy=busy_cpus(whole, monitoring) if whole else None,
        jobs=uses,
        findings=tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity])),
        crossings=tuple(crossings),
    )


def _disputes(crossings: Sequence[Crossing]) -> list[Finding]:
    rows = [
        (
            crossing.what,
            format_quantity(crossing.ours, crossing.unit),
            format_quantity(crossing.theirs, crossing.unit),
            crossing.source,
        )
        for crossing in crossings
        if not crossing.agrees
    ]
    return describe(templates.DIFFERENT, rows)
