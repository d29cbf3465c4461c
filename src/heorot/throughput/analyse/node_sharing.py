"""Who shared nodes with whom, and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from heorot.throughput.model.explanation import JobLifecycle, NodeSharing
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest

LEAST_SECONDS = 1e-6
"""What took less was not timed: nothing is compared with it [s]."""

Span = tuple[float, float]
"""Begin and end [s]."""


def tell_stories(test: ThroughputTest, jobs: Sequence[ThroughputJob]) -> tuple[JobLifecycle, ...]:
    """What each of some jobs lived through, in their order."""
    alone = alone_seconds(test)
    shared = find_node_sharing(jobs)
    return tuple(_lifecycle(job, alone.get(job.kind), shared.get(job.serial, ())) for job in jobs)


def alone_seconds(test: ThroughputTest) -> dict[str, float]:
    """Median single-user times by kind, of those that took any time [s]."""
    medians = {kind: median(times) for kind, times in test.alone.items() if times}
    return {kind: seconds for kind, seconds in medians.items() if seconds >= LEAST_SECONDS}


def application_seconds(job: ThroughputJob) -> float | None:
    """From the start of the first program of a job to the end of its last [s].

    That of the job itself where its programs did not tell.
    """
    begin, end = job.application_start, job.application_end
    if begin is None or end is None:
        begin, end = job.start, job.end
    return None if begin is None or end is None else max(0.0, end - begin)


def run_times(jobs: Iterable[ThroughputJob]) -> dict[str, list[tuple[float, str]]]:
    """How long jobs by kind and programs by `kind/part` ran that ended well [s], and whose it is.

    Jobs by the time from the start of their first program to the end of their last.
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
    """The kinds of jobs that shared nodes with each, by its serial number, the longest first.

    Args:
        jobs: of a day; those without hosts or times had no company that anybody knows of.
    """
    by_host: dict[str, list[tuple[float, float, ThroughputJob]]] = {}
    for job in jobs:
        if job.start is not None and job.end is not None and job.end > job.start:
            for host in set(job.hosts):
                by_host.setdefault(host, []).append((job.start, job.end, job))
    met: dict[int, dict[str, list[Span]]] = {}
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
                    NodeSharing(kind=kind, share=min(1.0, _length(spans) / runs[serial]))
                    for kind, spans in kinds.items()
                ),
                key=lambda company: -company.share,
            )
        )
        for serial, kinds in met.items()
    }


def _overlaps(
    stays: Iterable[tuple[float, float, ThroughputJob]],
) -> Iterable[tuple[ThroughputJob, ThroughputJob, Span]]:
    """All pairs of jobs that were on a node at the same time, and when.

    Args:
        stays: begin, end and job, by begin.
    """
    present: list[tuple[float, ThroughputJob]] = []
    for begin, end, job in stays:
        present = [each for each in present if each[0] > begin]
        for other_end, other in present:
            yield job, other, (begin, min(end, other_end))
        present.append((end, job))


def _length(spans: list[Span]) -> float:
    """How long at least one of the spans lasts [s]."""
    total, reached = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def _lifecycle(
    job: ThroughputJob, alone: float | None, company: tuple[NodeSharing, ...]
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
        stretch=took / known if known and took is not None else None,
        load_factor=ran / known if known and ran is not None else None,
        company=company,
    )
