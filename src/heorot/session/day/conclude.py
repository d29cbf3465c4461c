"""Settles a day that has ended and writes what is to be read of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heorot.analyse.day.study import study
from heorot.analyse.day.timeline import timeline_of
from heorot.errors import HeorotError
from heorot.model.day.day import Day
from heorot.model.day.measures import DayAnalysis
from heorot.model.day.timeline import Timeline
from heorot.report.day.page import write_day
from heorot.session.day.monitored import watched
from heorot.session.day.prepare import Prepared, gather
from heorot.session.day.settle import alone_times, settle
from heorot.session.day.view import DayView
from heorot.session.simulation import simulate_day
from heorot.store.atomic import explaining, write_bytes
from heorot.store.day import DayDirectory


@dataclass(frozen=True)
class DayEnded:
    """A day that has been settled and analysed.

    Attributes:
        day: what became of its jobs.
        analysis: what that says.
        directory: where it is.
        report: its page.
        code: exit code: 0 all well, 1 a job did not end well.
    """

    day: Day
    analysis: DayAnalysis
    directory: Path
    report: Path
    code: int


def conclude(
    directory: DayDirectory, prepared: Prepared, view: DayView, out: Path | None = None
) -> DayEnded:
    """Settle, analyse, report.

    Args:
        directory: of the day.
        prepared: its jobs.
        view: who is told.
        out: the page; None for that of the directory.
    """
    view.stage("analysing")
    day = collect_day(directory, prepared)
    write_bytes(directory.path / "settled.json", day.model_dump_json(indent=1).encode() + b"\n")
    analysis = study(day, _simulated(day, view))
    report = out or directory.report_file
    with explaining(report):
        write_day(day, analysis, report, *watched(directory, day))
    code = 0 if all(job.fate == "ok" for job in day.jobs) else 1
    return DayEnded(day, analysis, directory.path, report, code)


def reopen(path: Path, view: DayView, out: Path | None = None) -> DayEnded:
    """Analyse an earlier day again.

    Args:
        path: its directory.
        view: who is told.
        out: the page; None for that of the directory.

    Raises:
        RunError: there is no day.
    """
    directory = DayDirectory.open_day(path)
    return conclude(directory, gather(directory), view, out)


def single_user_times(
    directory: DayDirectory, prepared: Prepared
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """Run times of jobs that had the system to themselves, and of their parts [s].

    Args:
        directory: of the day.
        prepared: its jobs.

    Returns:
        By kind, and by `kind/part`.

    Raises:
        RunError: they are those of an earlier day, which is gone.
    """
    earlier = directory.request().alone_from
    if earlier is None:
        return alone_times(prepared.alone)
    return alone_times(gather(DayDirectory.open_day(earlier)).alone)


def collect_day(directory: DayDirectory, prepared: Prepared) -> Day:
    """What became of every job.

    Args:
        directory: of the day.
        prepared: its jobs.
    """
    facts = directory.day()
    begun = facts.begun or directory.facts().started
    alone, parts = single_user_times(directory, prepared)
    return Day(
        facts=facts,
        jobs=tuple(
            settle(prepared.works[arrival.serial], arrival, begun) for arrival in prepared.arrivals
        ),
        alone=alone,
        alone_parts=parts,
        responses=directory.responses(),
    )


def _simulated(day: Day, view: DayView) -> Mapping[str, Timeline]:
    """What published policies would have done; a simulator that does not compile is told of."""
    try:
        return simulate_day(timeline_of(day), view.stage)
    except HeorotError as error:
        view.stage(f"other policies are not simulated: {error}")
        return {}
