"""The acceptance of a batch system as a page: verdicts first, then its jobs and its policy."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from heorot.model.batch.acceptance import (
    STATUSES,
    WORDS,
    Acceptance,
    CheckedJob,
    FeatureStatus,
    Verdict,
)
from heorot.report.render import render_page
from heorot.report.tables.columns import Fields, lay_out, numbers, plain, text, whole
from heorot.report.tables.table import Allowance, Cell, make_table
from heorot.units import NOTHING, format_duration
from heorot.writing import write

_TONES: dict[FeatureStatus, str] = {
    "passed": "good",
    "failed": "bad",
    "absent": "warn",
    "untested": "muted",
}
_VERDICTS: Fields[Verdict] = (
    text("feature", lambda one: one.feature, tone="mono"),
    plain("verdict", lambda one: Cell(WORDS[one.status], tone=_TONES[one.status])),
    text("question and answer", lambda one: f"{one.question}\n{one.text}"),
    text("evidence", lambda one: "\n".join(one.evidence) or NOTHING, tone="muted"),
    text("jobs", lambda one: ", ".join(one.jobs) or NOTHING, tone="muted"),
    numbers("took", lambda one: Cell(format_duration(one.seconds), one.seconds)),
)
_POLICY: Fields[tuple[str, str]] = (
    text("setting", lambda one: one[0], tone="mono"),
    text("value", lambda one: one[1], tone="mono"),
)


def write_acceptance(acceptance: Acceptance, path: Path) -> None:
    """Write the page."""
    allowance = Allowance()
    verdicts = lay_out(acceptance.verdicts, _VERDICTS)
    checked = lay_out(acceptance.jobs, _checked(acceptance.begun))
    policy = lay_out(acceptance.policy.items(), _POLICY)
    clocks = "Jobs, by their own clocks since the begin of the check"
    said = "Policy, as the batch system tells it"
    tables = {
        "verdicts": make_table("verdicts", "Verdicts", *verdicts, allowance, prominent=True),
        "checked": make_table("checked", clocks, *checked, allowance, folded=True),
        "policy": make_table("policy", said, *policy, allowance),
    }
    counts = [(f"{acceptance.count(each)} {WORDS[each]}", _TONES[each]) for each in STATUSES]
    content = {
        "acceptance": acceptance,
        "state": [each for each in counts if not each[0].startswith("0 ")],
        "begun": datetime.fromtimestamp(acceptance.begun).astimezone().strftime("%Y-%m-%d %H:%M"),
        "took": format_duration(acceptance.ended - acceptance.begun),
        **tables,
    }
    write(path, render_page("acceptance.html.j2", content, tables=tables))


def _checked(origin: float) -> Fields[CheckedJob]:
    """What is shown of a job; times since a moment [s]."""

    def moment(value: float | None) -> Cell:
        if value is None:
            return Cell(NOTHING)
        return Cell(f"{value - origin:.3f} s", value - origin)

    return (
        text("job", lambda one: one.number or NOTHING, tone="mono"),
        text("name", lambda one: one.name, tone="mono"),
        text("feature", lambda one: one.feature),
        whole("nodes", lambda one: one.nodes),
        numbers("submitted", lambda one: moment(one.submitted)),
        numbers("began", lambda one: moment(one.own_start)),
        numbers("ended", lambda one: moment(one.own_end)),
        text("state", lambda one: one.state.replace("_", " ")),
        text("hosts", lambda one: ", ".join(one.hosts) or NOTHING),
    )
