"""Classifies the end of every step and gathers the samples of complete ones."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from heorot.collect.jobs import Ended, account_for, read_ended, reconcile
from heorot.collect.output import cause_of, last_output
from heorot.collect.records import read_record
from heorot.jobs.status import JobStatus, read_jobs
from heorot.model.point import Point
from heorot.model.run.collected import Collected
from heorot.model.run.identity import Key
from heorot.model.run.outcome import CANNOT_RUN, Exit, Outcome, State
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.records import (
    CORE_KIND,
    PAIRED,
    CheckLine,
    EndLine,
    RegionLine,
    Traffic,
)
from heorot.model.run.series import SAMPLED, Series, Verified
from heorot.printable import one_line

_SIGNALLED = 128
_NOT_STARTED = {126: "cannot be executed", 127: "was not found"}


def record_of(step: Step, job: Path) -> ProgramRecord:
    """The record of a step of one of Heorot's programs."""
    return read_record(job / "records" / f"{step.id}.jsonl")


def collect(
    steps: Sequence[Step],
    jobs: Path,
    read: Callable[[Step, Path], ProgramRecord] = record_of,
    asked: Mapping[str, Sequence[str]] | None = None,
) -> Collected:
    """Classify every step, gather the samples and account for the jobs.

    Args:
        steps: the planned steps.
        jobs: directory with one directory per job.
        read: the record of a step, given the directory of its job.
        asked: ids of the steps of each job, by its name; None for the started ones.
    """
    statuses = read_jobs(jobs)
    ended = read_ended(statuses, steps, asked or {})
    known = {job.name: job for job in ended}
    # A step belongs to the last job that has it.
    homes = {step.id: job for job in ended for step in job.asked}
    outcomes: list[Outcome] = []
    series: list[Series] = []
    for step in steps:
        job = _job_of(step, statuses)
        if job is None:
            reason = _never_started(homes.get(step.id), statuses)
            outcomes.append(Outcome(step=step.id, state="lost", reason=reason))
            continue
        record = read(step, job.directory)
        outcome = _judge(step, job, record, known.get(job.directory.name))
        outcomes.append(outcome)
        if _is_whole(step, outcome.exit, record):
            checks, where = _by_place(record.checks), _where(step, record, job)
            series += [
                _series(step, region, record.end, _verified(region, checks), where)
                for region in record.regions
            ]
    account = reconcile([step.id for step in steps], outcomes, statuses)
    return Collected(tuple(outcomes), tuple(series), account, account_for(ended))


def _never_started(home: Ended | None, statuses: Sequence[JobStatus]) -> str:
    """Why a step never started: by its own job, else by the last job with a complaint."""
    cause = home.failure_reason("its job") if home else ""
    complaints = [status.complaint for status in statuses if status.complaint][-1:]
    if home and (cause or home.status.complaint):
        complaints = [home.status.complaint]
    return "; ".join(filter(None, ["never started", *complaints, cause]))


def _job_of(step: Step, statuses: Sequence[JobStatus]) -> JobStatus | None:
    """The job in which the step ended last, else started last."""
    ended = [job for job in statuses if step.id in job.exits]
    started = [job for job in statuses if step.id in job.started]
    return next(reversed(ended or started), None)


def _judge(step: Step, job: JobStatus, record: ProgramRecord, known: Ended | None) -> Outcome:
    ended = job.exits.get(step.id)
    state, reason = _state(step, job, ended, record, known)
    output = job.directory / "outputs" / f"{step.id}.txt"
    if state == "failed" and record.run is None and not record.problem:
        reason = ": ".join(filter(None, (reason, cause_of(output))))
    return Outcome(
        step=step.id,
        state=state,
        reason=one_line(reason),
        exit=ended,
        last_output=last_output(output),
        run=record.run,
        end=record.end,
        checks=record.checks,
        notes=record.notes,
        left=tuple(left for left in job.left if step.id in left.steps),
    )


def _state(
    step: Step, job: JobStatus, ended: Exit | None, record: ProgramRecord, known: Ended | None
) -> tuple[State, str]:
    """The final state of a step and its first applicable cause."""
    if ended is None:
        why = "was interrupted" if job.interrupted else "started and never reported its end"
        # Without a batch system the interruption is the only known cause.
        more = known and (known.facts is not None or not job.interrupted)
        cause = known.failure_reason("its job") if known and more else ""
        return "lost", "; ".join(filter(None, [why, job.complaint, cause]))
    if ended.timed_out:
        return "timed_out", _hang(ended, record) + _overdue(job.overdue.get(step.id))
    refusal = _refusal(step, ended.code, record)
    if refusal:
        return "refused", refusal
    reason = _failure(step, ended.code, record)
    return ("failed" if reason else "completed"), reason


def _hang(ended: Exit, record: ProgramRecord) -> str:
    """Where a killed step hung: at work, or while exiting."""
    where = "without an end" if record.end is None else "while exiting, its record complete"
    where = f"in `{record.at}`, {where}" if record.at else where
    return f"killed after {ended.ended - ended.started:.1f} s {where}"


def _overdue(stopped: bool | None) -> str:
    """Why a time limit was enforced from outside, empty if it was not."""
    if stopped is None:
        return ""
    why = "was stopped" if stopped else "made no progress"
    return f"; the job script {why}, so its limit came from outside"


def _refusal(step: Step, code: int, record: ProgramRecord) -> str:
    """Why the program cannot run here, empty if it can.

    A refusal in the record counts, whatever exit code the launcher made of it. A refusal of a step
    that was not started as planned, such as with too few ranks, is the launcher's failure.
    """
    if record.problem or record.end is not None or _mismatch(step, record):
        return ""
    return record.refused or ("the program gave no reason" if code == CANNOT_RUN else "")


def _failure(step: Step, code: int, record: ProgramRecord) -> str:
    """The first reason why a step that ended by itself failed, empty if it did not."""
    mismatch = _mismatch(step, record)
    failed = [check for check in record.checks if not _passed(check)]
    end_passed = record.end is not None and record.end.passed
    causes = (
        (record.problem, record.problem),
        (record.run is None, f"wrote no record ({_describe(code)})"),
        (mismatch, mismatch),
        (record.refused, "its record has a refusal as well as an end"),
        (record.end is None, f"ended without an end line ({_describe(code)})"),
        (failed, f"verification failed: {_sentences(failed)}"),
        (
            code != 0 or not end_passed,
            f"its record is complete, but it failed ({_describe(code)})",
        ),
    )
    return next((reason for applies, reason in causes if applies), "")


def _is_whole(step: Step, ended: Exit | None, record: ProgramRecord) -> bool:
    """Whether the record is complete and of the planned step; verification may have failed.

    The end of the step does not matter: libraries hang or crash in finalize, after the
    measurements.
    """
    return (
        ended is not None
        and record.end is not None
        and not record.refused
        and not record.problem
        and not _mismatch(step, record)
    )


def _mismatch(step: Step, record: ProgramRecord) -> str:
    """How a record differs from its step, or empty."""
    run = record.run
    if run is None:
        return ""
    if run.benchmark != step.benchmark:
        return f"the record is of {run.benchmark}, not of {step.benchmark}"
    if run.ranks != step.ranks:
        return f"ran with {run.ranks} ranks instead of {step.ranks}"
    if run.threads != step.threads:
        return f"ran with {run.threads} threads per rank instead of {step.threads}"
    return ""


def _describe(code: int) -> str:
    """An exit code as text."""
    if code in _NOT_STARTED:
        return f"exit code {code}, the command {_NOT_STARTED[code]}"
    if code > _SIGNALLED:
        try:
            name = signal.Signals(code - _SIGNALLED).name
        except ValueError:
            return f"exit code {code}"
        return f"exit code {code}, killed by signal {name}"
    return f"exit code {code}"


def _passed(check: CheckLine) -> bool:
    return check.passed and check.value <= check.tolerance


def _sentences(failed: Sequence[CheckLine]) -> str:
    """The first failed check as text, and the number of others."""
    if not failed:
        return ""
    first = failed[0]
    where = f" ({first.region})" if first.region else ""
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    return f"{first.name} {first.value:.3g} > {first.tolerance:.3g}{where}{more}"


def _by_place(checks: Sequence[CheckLine]) -> dict[tuple[str | None, Point | None], bool]:
    """Whether all checks of each region and point passed; None stands for all of them."""
    passed: dict[tuple[str | None, Point | None], bool] = {}
    for check in checks:
        place = (check.region, check.point if check.region is not None else None)
        passed[place] = _passed(check) and passed.get(place, True)
    return passed


def _verified(region: RegionLine, passed: dict[tuple[str | None, Point | None], bool]) -> Verified:
    """The verification of a region: its own checks and those of the whole program."""
    places = ((region.name, region.point), (region.name, None), (None, None))
    concerned = [passed[place] for place in places if place in passed]
    if not concerned:
        return "unchecked"
    return "passed" if all(concerned) else "failed"


def _where(step: Step, record: ProgramRecord, job: JobStatus) -> Point:
    """The node, pair of nodes or type of core of a case that runs on each, as coordinates.

    The node is where the ranks were, according to the record, else according to the job script. The
    type of core is the planned one, which is checked later.
    """
    if not step.each_node:
        return Point({CORE_KIND: step.kind} if step.kind else {})
    placement = record.run.placement if record.run else ()
    hosts = tuple(dict.fromkeys(place.host for place in placement)) or job.placed.get(step.id, ())
    name = "node" if step.nodes == 1 else "pair"
    return Point({name: PAIRED.join(sorted(hosts)) or "unknown"})


def _series(
    step: Step, region: RegionLine, end: EndLine | None, verified: Verified, where: Point
) -> Series:
    sampled = {name: getattr(region, name) for name in SAMPLED}
    return Series(
        key=Key(step.setup, region.name, region.point | where),
        step=step.id,
        launch=step.launch,
        attempt=step.attempt,
        seconds=np.array(region.seconds, dtype=np.float64),
        verified=verified,
        step_disturbance=end.disturbance if end else None,
        foreign=_foreign(end.traffic or ()) if end else None,
        **sampled,
    )


def _foreign(traffic: Sequence[Traffic]) -> Traffic | None:
    """The interface that received most bytes not sent by one of the nodes; None if none did."""
    most = max(traffic, key=lambda one: one.unsent_bytes, default=None)
    return most if most and most.unsent_bytes > 0 else None
