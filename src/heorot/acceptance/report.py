"""The page of an acceptance test: first screen, verdict on each feature, jobs, configuration."""

from __future__ import annotations

from collections.abc import Iterator
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
from heorot.report.screens.first_screen import MOST_TROUBLES, FirstScreen, Tile, Trouble, tile_of
from heorot.report.tables.columns import Fields, lay_out, numbers, plain, text, whole
from heorot.report.tables.table import Allowance, Cell, make_table
from heorot.report.wording import count
from heorot.units import NOTHING, format_duration
from heorot.writing import write

_TONES: dict[FeatureStatus, str] = {
    "passed": "good",
    "failed": "bad",
    "absent": "warn",
    "untested": "muted",
}
_SEVERITIES: dict[FeatureStatus, str] = {"failed": "error", "absent": "warning"}
_MOST_OPEN, _MOST_NAMED = 4, 8
_VERDICTS: Fields[Verdict] = (
    text("feature", lambda one: one.feature, tone="mono"),
    plain("verdict", lambda one: Cell(WORDS[one.status], tone=_TONES[one.status])),
    text("question and answer", lambda one: f"{one.question}\n{one.text}"),
    text("evidence", lambda one: "\n".join(one.evidence) or NOTHING, tone="muted"),
    text("jobs", lambda one: ", ".join(one.jobs) or NOTHING, tone="muted"),
    numbers("duration", lambda one: Cell(format_duration(one.seconds), one.seconds)),
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
    clocks = "Jobs: times since the start of the check, by the clocks of the jobs"
    settings = "Configuration reported by the batch system"
    tables = {
        "verdicts": make_table("verdicts", "Features", *verdicts, allowance, prominent=True),
        "checked": make_table("checked", clocks, *checked, allowance, folded=True),
        "policy": make_table("policy", settings, *policy, allowance, folded=True),
    }
    content = {
        "acceptance": acceptance,
        "first": acceptance_screen(acceptance),
        "sentences": tuple(_verdict(acceptance)),
        "facts": [
            (
                "Date",
                datetime.fromtimestamp(acceptance.begun).astimezone().strftime("%Y-%m-%d %H:%M"),
            ),
            ("Host", acceptance.hostname or "not known"),
            ("Nodes", f"at most {acceptance.nodes}"),
            ("Heorot", acceptance.heorot_version),
        ],
        **tables,
    }
    write(path, render_page("acceptance.html.j2", content, tables=tables))


def acceptance_screen(acceptance: Acceptance) -> FirstScreen:
    """The first screen of an acceptance test."""
    n_jobs = len(acceptance.jobs)
    unended = sum(job.number is not None and job.own_end is None for job in acceptance.jobs)
    failed = [one for one in acceptance.verdicts if one.status == "failed"]
    ordered = [*failed, *(one for one in acceptance.verdicts if one.status == "absent")]
    return FirstScreen(
        tiles=tuple(_tiles(acceptance)),
        trust=(
            (count(n_jobs, "probe job"), ""),
            (f"{unended} without an end of their own", "warn")
            if unended
            else ("all ended", "good"),
            ("times by the clocks of the jobs", ""),
            (count(len(acceptance.cleaned), "leftover") + " of earlier checks cleaned up", "muted"),
        ),
        troubles=tuple(
            Trouble(_SEVERITIES[one.status], f"{one.feature}: {one.text}", "verdicts")
            for one in ordered[:MOST_TROUBLES]
        ),
        open=tuple(
            f"{one.feature}: {one.text.rstrip('.')}."
            for one in acceptance.verdicts
            if one.status == "untested"
        )[:_MOST_OPEN],
    )


def _tiles(acceptance: Acceptance) -> Iterator[Tile]:
    n = len(acceptance.verdicts)
    for status in STATUSES:
        found = acceptance.count(status)
        yield Tile(
            f"Features {WORDS[status]}",
            str(found),
            f"of {n}",
            share=found / n if n else None,
            target="verdict",
            tone=_TONES[status] if found else "muted",
        )
    yield tile_of("Duration", format_duration(acceptance.ended - acceptance.begun))
    node_time = f"{acceptance.node_seconds / 60:.1f} node min"
    yield tile_of("Node time", node_time, note=f"at most {count(acceptance.nodes, 'node')}")


def _verdict(acceptance: Acceptance) -> Iterator[str]:
    """The verdict: the number of passed features, and the names of the others."""
    n = len(acceptance.verdicts)
    yield f"{acceptance.count('passed')} of {count(n, 'feature')} passed."
    for status in ("failed", "absent", "untested"):
        names = [one.feature for one in acceptance.verdicts if one.status == status]
        if names:
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            word = WORDS[status]
            yield f"{word[0].upper()}{word[1:]}: {', '.join(names[:_MOST_NAMED])}{more}."


def _checked(origin: float) -> Fields[CheckedJob]:
    """Columns of the table of jobs; times since `origin` [s]."""

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
        numbers("started", lambda one: moment(one.own_start)),
        numbers("ended", lambda one: moment(one.own_end)),
        text("state", lambda one: one.state.replace("_", " ")),
        text("hosts", lambda one: ", ".join(one.hosts) or NOTHING),
    )
