"""Determines the final states of a test that has ended, and writes its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from heorot.errors import HeorotError
from heorot.session.verification.disagreements import no_digests
from heorot.store.atomic import explaining
from heorot.store.digests import check_digests, write_digests
from heorot.throughput.analyse.analysis import analyse_throughput
from heorot.throughput.analyse.timeline import timeline_of
from heorot.throughput.model.measures import ThroughputAnalysis
from heorot.throughput.model.throughput import ThroughputTest
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.throughput_page import write_throughput
from heorot.throughput.session.job_outcomes import alone_times, classify_job
from heorot.throughput.session.monitored import watched
from heorot.throughput.session.prepare import Prepared, gather
from heorot.throughput.session.schedulers.watched_scheduler import read_occupancy
from heorot.throughput.session.view import ThroughputView
from heorot.throughput.simulations.simulation import simulate_policies
from heorot.throughput.store import ThroughputDirectory


@dataclass(frozen=True)
class ConcludedTest:
    """An analysed test.

    Attributes:
        code: exit code: 0 all well, 1 a job did not end well, or files of the test contradict
            their digests.
        disagreements: files that contradict their digests, in lines.
    """

    record: ThroughputTest
    analysis: ThroughputAnalysis
    directory: Path
    report: Path
    code: int
    disagreements: tuple[str, ...] = ()


def conclude(
    directory: ThroughputDirectory, prepared: Prepared, view: ThroughputView
) -> ConcludedTest:
    """Classify the jobs, analyse the test, write the report."""
    view.stage("analysing")
    test = collect_jobs(directory, prepared)
    directory.write_settled(test)
    write_digests(directory.path, files_left(prepared))
    return _report(directory, test, view, directory.report_file, ())


def reopen(path: Path, view: ThroughputView, out: Path | None = None) -> ConcludedTest:
    """Analyse an earlier test again.

    Args:
        out: the page; None for that of the directory.

    Raises:
        RunError: there is no test.
    """
    directory = ThroughputDirectory.open_prepared(path)
    prepared = gather(directory)
    agreement = check_digests(directory.path, files_left(prepared))
    # A test that continues has no digests yet.
    none = (
        no_digests(directory, agreement) if directory.throughput_facts().ended is not None else ()
    )
    view.stage("analysing")
    test = collect_jobs(directory, prepared)
    lines = (*none, *agreement.lines)
    ended = _report(directory, test, view, out or directory.report_file, lines)
    return ended if agreement.agrees else replace(ended, code=1)


def _report(
    directory: ThroughputDirectory,
    test: ThroughputTest,
    view: ThroughputView,
    report: Path,
    lines: tuple[str, ...],
) -> ConcludedTest:
    analysis = analyse_throughput(test, _simulated(test, view))
    with explaining(report):
        write_throughput(test, analysis, report, *watched(directory, test), disagreements=lines)
    code = 0 if all(job.fate == "ok" for job in test.jobs) else 1
    return ConcludedTest(test, analysis, directory.path, report, code, lines)


def files_left(prepared: Prepared) -> list[Path]:
    """Output files that jobs of a test must write."""
    return [
        work.place / "work" / step.id / name
        for work in prepared.every
        for part, step in zip(work.kind.parts, work.steps, strict=True)
        for name in part.output
    ]


def single_user_times(
    directory: ThroughputDirectory, prepared: Prepared
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """Run times of dedicated jobs, and of their parts [s].

    Returns:
        By job class, and by `class/part`.

    Raises:
        RunError: they come from an earlier test, which is missing.
    """
    earlier = directory.request().alone_from
    if earlier is None:
        return alone_times(prepared.alone)
    return alone_times(gather(ThroughputDirectory.open_prepared(earlier)).alone)


def single_user_medians(directory: ThroughputDirectory, prepared: Prepared) -> dict[str, float]:
    """Median run times of dedicated jobs, by job class [s]."""
    times, _ = single_user_times(directory, prepared)
    return {kind: median(each) for kind, each in times.items()}


def collect_jobs(directory: ThroughputDirectory, prepared: Prepared) -> ThroughputTest:
    """Classify every job of a test."""
    facts = directory.throughput_facts()
    begun = facts.begun or directory.facts().started
    alone, parts = single_user_times(directory, prepared)
    return ThroughputTest(
        facts=facts,
        jobs=tuple(
            classify_job(prepared.works[arrival.serial], arrival, begun)
            for arrival in prepared.arrivals
        ),
        alone=alone,
        alone_parts=parts,
        responses=directory.responses(),
        occupancy=read_occupancy(directory.path, facts.node_names),
    )


def _simulated(test: ThroughputTest, view: ThroughputView) -> Mapping[str, Timeline]:
    """The jobs under published policies; empty, with a message, if the simulator fails to build."""
    try:
        return simulate_policies(timeline_of(test), view.stage)
    except HeorotError as error:
        view.stage(f"other policies are not simulated: {error}")
        return {}
