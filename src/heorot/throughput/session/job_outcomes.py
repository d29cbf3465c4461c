"""Final states of the jobs of a test, from their status files and the batch system."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import Any, Literal

from heorot.collect.output import last_output
from heorot.collect.quick_state import quick_state
from heorot.jobs.facts import BatchFacts
from heorot.jobs.outcome import JobEnd, read_end
from heorot.jobs.status import JobStatus
from heorot.model.run.outcome import Exit
from heorot.printable import one_line
from heorot.throughput.analyse.node_sharing import application_seconds, run_times
from heorot.throughput.model.kinds import Arrival, Part
from heorot.throughput.model.throughput import PartEnd, ThroughputJob
from heorot.throughput.session.schedulers.fcfs_scheduler import read_note
from heorot.throughput.session.schedulers.observed_times import (
    by_steady_clock,
    interventions_of,
    read_seen,
)
from heorot.throughput.session.schedulers.scheduler import SchedulerNote
from heorot.throughput.session.work import Work
from heorot.units import format_duration

PartState = Literal["ok", "failed", "timeout", "lost", "skipped"]


def classify_job(work: Work, arrival: Arrival, begun: float) -> ThroughputJob:
    """Classify a job.

    Args:
        begun: start of the test, Unix time [s].
    """
    note = read_note(work)
    end = read_end(work.place, [step.id for step in work.steps], note.state if note else None)
    status, facts = end.status, end.facts
    parts = _parts(work, status)
    # A requeued job had no nodes in between: its last run counts.
    since = status.last_begun or 0.0
    started = [part.started for part in parts if part.started is not None]
    started = [moment for moment in started if moment >= since] or started
    ended = [part.ended for part in parts if part.ended is not None]
    record = end.record | (_reported(facts) if facts else {}) | _failure(work, end, parts, note)
    if note:
        record |= {"submitted": note.queued, "eligible": note.queued, "allocated": note.started}
        record["hosts"] = record["hosts"] or note.hosts
    found = ThroughputJob(
        serial=arrival.serial,
        label=arrival.label,
        kind=arrival.kind,
        nodes=work.kind.nodes,
        cores=work.kind.nodes * work.cores_per_node,
        exclusive=work.exclusive,
        scheduled=begun + arrival.at_seconds,
        depends=bool(arrival.after),
        own_start=status.last_begun,
        application_start=min(started, default=None),
        application_end=max(ended, default=None),
        own_end=status.heard if status.own(end.steps) else None,
        parts=parts,
        interventions=interventions_of(end),
        **{"limit_seconds": work.kind.time_limit_seconds, **record},
    )
    return by_steady_clock(found, read_seen(work.place))


def _reported(facts: BatchFacts) -> dict[str, Any]:
    """What the batch system reported on a job."""
    return {
        "eligible": facts.eligible,
        "allocated": facts.started,
        "batch_end": facts.ended,
        "code": facts.code,
        **({"limit_seconds": facts.limit_seconds} if facts.limit_seconds else {}),
    }


def _failure(
    work: Work, end: JobEnd, parts: tuple[PartEnd, ...], note: SchedulerNote | None
) -> dict[str, str]:
    """State and reason from the scheduler, or from a program that did not end well."""
    if end.state != "ok":
        return {"why": note.why} if note and note.why and end.status.begun is None else {}
    bad = [part for part in parts if part.fate != "ok"]
    if not bad:
        return {}
    timed_out = all(part.fate == "timeout" for part in bad)
    first = bad[0]
    more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
    of = f"{first.name}: " if work.kind.is_composite else ""
    reason = first.why or first.fate
    return {"fate": "timeout" if timed_out else "failed", "why": of + reason + more}


def _parts(work: Work, status: JobStatus) -> tuple[PartEnd, ...]:
    ends: list[PartEnd] = []
    for part, step in zip(work.kind.parts, work.steps, strict=True):
        name = part.name or step.id
        started = status.started.get(step.id)
        exit_ = status.exits.get(step.id)
        if exit_ is None:
            lost: PartState = "lost" if started is not None else "skipped"
            why = "its end is unknown" if started is not None else "it was never started"
            ends.append(PartEnd(name=name, started=started, fate=lost, why=why))
            continue
        state, why = _part_state(work, part, exit_)
        ends.append(
            PartEnd(
                name=name,
                started=exit_.started,
                ended=exit_.ended,
                code=exit_.code,
                fate=state,
                seconds=max(0.0, exit_.ended - exit_.started),
                why=why,
            )
        )
    return tuple(ends)


def _part_state(work: Work, part: Part, exit_: Exit) -> tuple[PartState, str]:
    """Final state of a part that has ended, by its verification and its output files."""
    if exit_.timed_out:
        return "timeout", "it took longer than its time limit"
    folder = work.place / "work" / exit_.step
    missing = [name for name in part.output if not (folder / name).is_file()]
    well = exit_.code == 0 if part.command else quick_state(exit_, work.place) == "completed"
    if well and not missing:
        return "ok", ""
    if missing:
        return "failed", f"it has not written {missing[0]}"
    output = one_line(last_output(work.place / "outputs" / f"{exit_.step}.txt"))
    if exit_.code:
        return "failed", f"exit code {exit_.code}{f': {output}' if output else ''}"
    return "failed", "it failed its verification"


def describe_outcome(work: Work) -> tuple[bool, str]:
    """Whether a job ended well, and its outcome in a few words."""
    job = classify_single(work)
    if job.fate != "ok":
        state = job.fate.replace("_", " ")
        return False, f"{state}: {job.why}" if job.why else state
    seconds = application_seconds(job)
    took = "" if seconds is None else f" after {format_duration(seconds)}"
    waited = None
    if job.start is not None and job.submitted is not None:
        waited = max(0.0, job.start - job.submitted)
    return True, f"ok{took}" + (f", waited {format_duration(waited)}" if waited is not None else "")


def reset_if_cancelled(work: Work) -> None:
    """Reset a dedicated job that an interruption cancelled, so that it runs again.

    Its id in the batch system is kept: the queue listed it, and it belongs to this test.
    """
    if classify_single(work).fate == "cancelled":
        forgotten = work.place.parents[1] / "forgotten"
        if (work.place / "batch.json").exists():
            n = sum(1 for _ in forgotten.glob("*"))
            kept = forgotten / f"{work.place.name}-{n + 1}"
            kept.mkdir(parents=True, exist_ok=True)
            (work.place / "batch.json").replace(kept / "batch.json")
        shutil.rmtree(work.place, ignore_errors=True)


def classify_single(work: Work) -> ThroughputJob:
    """Classify a job independent of a schedule."""
    arrival = Arrival(serial=1, label=work.label, kind=work.name, at_seconds=0.0)
    return classify_job(work, arrival, 0.0)


def alone_times(
    works: Iterable[Work],
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """Run times of dedicated jobs, and of their parts [s].

    Returns:
        By job class, and by `class/part`; only of jobs that ended well.
    """
    jobs = [job for job in map(classify_single, works) if job.fate == "ok"]
    times = {name: tuple(each for each, _ in runs) for name, runs in run_times(jobs).items()}
    kinds = {job.kind for job in jobs}
    return (
        {name: each for name, each in times.items() if name in kinds},
        {name: each for name, each in times.items() if name not in kinds},
    )
