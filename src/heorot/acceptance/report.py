"""The acceptance of a batch system as a page: verdicts first, then its jobs and its policy."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from heorot.model.batch.acceptance import STATUSES, WORDS, Acceptance, CheckedJob, FeatureStatus
from heorot.report.render import render_page
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.units import NOTHING, format_duration
from heorot.writing import write

_TONES: dict[FeatureStatus, str] = {
    "passed": "good",
    "failed": "bad",
    "absent": "warn",
    "untested": "muted",
}


def write_acceptance(acceptance: Acceptance, path: Path) -> None:
    """Write the page."""
    write(path, format_acceptance(acceptance))


def format_acceptance(acceptance: Acceptance) -> str:
    """The page as HTML."""
    allowance = Allowance()
    tables = {
        "verdicts": _verdict_table(acceptance, allowance),
        "checked": _job_table(acceptance, allowance),
        "policy": _policy_table(acceptance, allowance),
    }
    counts = [(f"{acceptance.count(each)} {WORDS[each]}", _TONES[each]) for each in STATUSES]
    content = {
        "acceptance": acceptance,
        "state": [each for each in counts if not each[0].startswith("0 ")],
        "begun": datetime.fromtimestamp(acceptance.begun).astimezone().strftime("%Y-%m-%d %H:%M"),
        "took": format_duration(acceptance.ended - acceptance.begun),
        **tables,
    }
    return render_page("acceptance.html.j2", content, tables=tables)


def _verdict_table(acceptance: Acceptance, allowance: Allowance) -> Table:
    rows = [
        Row(
            (
                Cell(verdict.feature, tone="mono"),
                Cell(WORDS[verdict.status], tone=_TONES[verdict.status]),
                Cell(f"{verdict.question}\n{verdict.text}"),
                Cell("\n".join(verdict.evidence) or NOTHING, tone="muted"),
                Cell(", ".join(verdict.jobs) or NOTHING, tone="muted"),
                Cell(format_duration(verdict.seconds), verdict.seconds),
            )
        )
        for verdict in acceptance.verdicts
    ]
    names = ("feature", "verdict", "question and answer", "evidence", "jobs")
    columns = (*map(Column, names), Column("took", numeric=True))
    return make_table("verdicts", "Verdicts", columns, rows, allowance, prominent=True)


def _job_table(acceptance: Acceptance, allowance: Allowance) -> Table:
    origin = acceptance.begun
    rows = [_job_row(job, origin) for job in acceptance.jobs]
    columns = (
        *map(Column, ("job", "name", "feature")),
        *(Column(name, numeric=True) for name in ("nodes", "submitted", "began", "ended")),
        Column("state"),
        Column("hosts"),
    )
    caption = "Jobs, by their own clocks since the begin of the check"
    return make_table("checked", caption, columns, rows, allowance, folded=True)


def _job_row(job: CheckedJob, origin: float) -> Row:
    def moment(value: float | None) -> Cell:
        if value is None:
            return Cell(NOTHING)
        return Cell(f"{value - origin:.3f} s", value - origin)

    return Row(
        (
            Cell(job.number or NOTHING, tone="mono"),
            Cell(job.name, tone="mono"),
            Cell(job.feature),
            Cell(str(job.nodes), job.nodes),
            moment(job.submitted),
            moment(job.own_start),
            moment(job.own_end),
            Cell(job.state.replace("_", " ")),
            Cell(", ".join(job.hosts) or NOTHING),
        )
    )


def _policy_table(acceptance: Acceptance, allowance: Allowance) -> Table:
    rows = [
        Row((Cell(name, tone="mono"), Cell(value, tone="mono")))
        for name, value in acceptance.policy.items()
    ]
    columns = (Column("setting"), Column("value"))
    caption = "Policy, as the batch system tells it"
    return make_table("policy", caption, columns, rows, allowance)
