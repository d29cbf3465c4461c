"""Determines the final states of a test that has ended, and writes its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from heorot.errors import HeorotError
from heorot.session.verification.doubts import no_digests
from heorot.store.atomic import explaining
from heorot.store.digests import check_digests, write_digests
from heorot.throughput.analyse.day_study import study
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.day import Day
from heorot.throughput.model.measures import DayAnalysis
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.day_page import write_day
from heorot.throughput.session.desks.watched_desk import read_occupancy
from heorot.throughput.session.monitored import watched
from heorot.throughput.session.prepare import Prepared, gather
from heorot.throughput.session.settle import alone_times, settle
from heorot.throughput.session.view import DayView
from heorot.throughput.simulations.simulation import simulate_day
from heorot.throughput.store import DayDirectory


@dataclass(frozen=True)
class DayEnded:
    """A day that has been settled and analysed.

    Attributes:
        code: exit code: 0 all well, 1 a job did not end well, or files of the day contradict their
            digests.
        disagreements: which files do, in lines.
    """

    day: Day
    analysis: DayAnalysis
    directory: Path
    report: Path
    code: int
    disagreements: tuple[str, ...] = ()


def conclude(directory: DayDirectory, prepared: Prepared, view: DayView) -> DayEnded:
    """Settle, analyse, report."""
    view.stage("analysing")
    day = collect_day(directory, prepared)
    directory.write_settled(day)
    write_digests(directory.path, files_left(prepared))
    return _report(directory, day, view, directory.report_file, ())


def reopen(path: Path, view: DayView, out: Path | None = None) -> DayEnded:
    """Analyse an earlier day again.

    Args:
        out: the page; None for that of the directory.

    Raises:
        RunError: there is no day.
    """
    directory = DayDirectory.open_day(path)
    prepared = gather(directory)
    agreement = check_digests(directory.path, files_left(prepared))
    # Nobody expects any of a day that goes on.
    none = no_digests(directory, agreement) if directory.day().ended is not None else ()
    view.stage("analysing")
    day = collect_day(directory, prepared)
    lines = (*none, *agreement.lines)
    ended = _report(directory, day, view, out or directory.report_file, lines)
    return ended if agreement.agrees else replace(ended, code=1)


def _report(
    directory: DayDirectory, day: Day, view: DayView, report: Path, lines: tuple[str, ...]
) -> DayEnded:
    analysis = study(day, _simulated(day, view))
    with explaining(report):
        write_day(day, analysis, report, *watched(directory, day), disagreements=lines)
    code = 0 if all(job.fate == "ok" for job in day.jobs) else 1
    return DayEnded(day, analysis, directory.path, report, code, lines)


def files_left(prepared: Prepared) -> list[Path]:
    """Files that jobs of a day were to leave."""
    return [
        work.place / "work" / step.id / name
        for work in prepared.every
        for part, step in zip(work.kind.parts, work.steps, strict=True)
        for name in part.output
    ]


def single_user_times(
    directory: DayDirectory, prepared: Prepared
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """Run times of jobs that had the system to themselves, and of their parts [s].

    Returns:
        By kind, and by `kind/part`.

    Raises:
        RunError: they are those of an earlier day, which is gone.
    """
    earlier = directory.request().alone_from
    if earlier is None:
        return alone_times(prepared.alone)
    return alone_times(gather(DayDirectory.open_day(earlier)).alone)


def single_user_medians(directory: DayDirectory, prepared: Prepared) -> dict[str, float]:
    """Median run times of jobs that had the system to themselves, by kind [s]."""
    times, _ = single_user_times(directory, prepared)
    return {kind: median(each) for kind, each in times.items()}


def collect_day(directory: DayDirectory, prepared: Prepared) -> Day:
    """What became of every job."""
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
        occupancy=read_occupancy(directory.path, facts.node_names),
    )


def _simulated(day: Day, view: DayView) -> Mapping[str, Timeline]:
    """What published policies would have done; a simulator that does not compile is told of."""
    try:
        return simulate_day(timeline_of(day), view.stage)
    except HeorotError as error:
        view.stage(f"other policies are not simulated: {error}")
        return {}
