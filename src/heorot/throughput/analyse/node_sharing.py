"""Which jobs shared nodes, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from heorot.throughput.model.explanation import JobLifecycle, NodeSharing
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest

LEAST_SECONDS = 1e-6
"""Shorter run times are below the resolution and not compared [s]."""

Interval = tuple[float, float]
"""Begin and end [s]."""


def describe_lifecycles(
    test: ThroughputTest, jobs: Sequence[ThroughputJob]
) -> tuple[JobLifecycle, ...]:
    """Phases and node sharing of each of some jobs, in their order."""
    alone = alone_seconds(test)
    shared = find_node_sharing(jobs)
    return tuple(_lifecycle(job, alone.get(job.kind), shared.get(job.serial, ())) for job in jobs)


def alone_seconds(test: ThroughputTest) -> dict[str, float]:
    """Median single-user times by job class, zeros left out [s]."""
    medians = {kind: median(times) for kind, times in test.alone.items() if times}
    return {kind: seconds for kind, seconds in medians.items() if seconds >= LEAST_SECONDS}


def application_seconds(job: ThroughputJob) -> float | None:
    """From the start of the first program of a job to the end of its last [s].

    The run time of the job itself if its programs recorded no times.
    """
    begin, end = job.application_start, job.application_end
    if begin is None or end is None:
        begin, end = job.start, job.end
    return None if begin is None or end is None else max(0.0, end - begin)


def run_times(jobs: Iterable[ThroughputJob]) -> dict[str, list[tuple[float, str]]]:
    """Run times [s] of completed jobs and programs with their labels, by class and `class/part`.

    A job runs from the start of its first program to the end of its last.
    """
    times: dict[str, list[tuple[float, str]]] = {}
    for job in jobs:
        seconds = application_seconds(job)
        if job.fate == "ok" and seconds is not None:
            times.setdefault(job.kind, []).append((seconds, job.label))
        for part in job.parts:
            if part.fate == "ok" and part.seconds is not None:
                times.setdefault(f"{job.kind}/{part.name}", []).append((part.seconds, job.label))
    return times


def find_node_sharing(jobs: Sequence[ThroughputJob]) -> dict[int, tuple[NodeSharing, ...]]:
    """Classes of the jobs that shared nodes with each, by its serial number, the longest first.

    Args:
        jobs: of a test; those without hosts or times share no nodes.
    """
    by_host: dict[str, list[tuple[float, float, ThroughputJob]]] = {}
    for job in jobs:
        if job.start is not None and job.end is not None and job.end > job.start:
            for host in set(job.hosts):
                by_host.setdefault(host, []).append((job.start, job.end, job))
    met: dict[int, dict[str, list[Interval]]] = {}
    for stays in by_host.values():
        for one, other, span in _overlaps(sorted(stays, key=lambda stay: stay[0])):
            met.setdefault(one.serial, {}).setdefault(other.kind, []).append(span)
            met.setdefault(other.serial, {}).setdefault(one.kind, []).append(span)
    runs = {
        job.serial: job.end - job.start
        for job in jobs
        if job.end is not None and job.start is not None
    }
    return {
        serial: tuple(
            sorted(
                (
                    NodeSharing(kind=kind, share=min(1.0, _length(intervals) / runs[serial]))
                    for kind, intervals in kinds.items()
                ),
                key=lambda sharing: -sharing.share,
            )
        )
        for serial, kinds in met.items()
    }


def _overlaps(
    stays: Iterable[tuple[float, float, ThroughputJob]],
) -> Iterable[tuple[ThroughputJob, ThroughputJob, Interval]]:
    """All pairs of jobs that were on a node at the same time, with the time.

    Args:
        stays: begin, end and job, by begin.
    """
    present: list[tuple[float, ThroughputJob]] = []
    for begin, end, job in stays:
        present = [each for each in present if each[0] > begin]
        for other_end, other in present:
            yield job, other, (begin, min(end, other_end))
        present.append((end, job))


def _length(intervals: list[Interval]) -> float:
    """Length of the union of the intervals [s]."""
    total, reached = 0.0, float("-inf")
    for begin, end in sorted(intervals):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def _lifecycle(
    job: ThroughputJob, alone: float | None, sharing: tuple[NodeSharing, ...]
) -> JobLifecycle:
    start, end, ran = job.start, job.end, application_seconds(job)
    begun, came = job.application_start, job.submitted
    known = alone if job.fate == "ok" else None
    took = None if end is None or came is None else end - came
    return JobLifecycle(
        serial=job.serial,
        label=job.label,
        launch_seconds=None if start is None or begun is None else max(0.0, begun - start),
        application_seconds=ran,
        relative_turnaround=took / known if known and took is not None else None,
        load_factor=ran / known if known and ran is not None else None,
        sharing=sharing,
    )
