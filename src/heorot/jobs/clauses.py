"""Clauses about the state or the end of a job, with the source of the information."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from heorot.jobs.facts import ALIVE, BY_US, INTERRUPTED, UNHEARD, BatchFacts, BatchState
from heorot.jobs.hosts import shorten_hosts
from heorot.jobs.status import JobStatus
from heorot.model.batch.states import JobState
from heorot.units import format_duration

# States that a script records without reaching its end.
_BY_SCRIPT = frozenset({"cancelled", "timeout"})


def describe_state(facts: BatchFacts) -> str:
    """The state of a job in one line."""
    which = f"{facts.system} job {facts.id}" if facts.id else f"{facts.system} job"
    state = facts.state.replace("_", " ")
    return f"{which} {state}{f': {facts.reason}' if facts.reason else ''}"


def complaint_about(facts: BatchFacts) -> str:
    """The error of a job in its batch system, one line or empty."""
    job = f"job {facts.id}" if facts.id else "the job"
    if facts.state in ALIVE:
        return f"{job}: {facts.reason}" if facts.raw == UNHEARD else ""
    return "" if facts.state == "ok" else batch_clause(facts, job)


def clause(
    state: JobState,
    status: JobStatus,
    facts: BatchFacts | None,
    reported: BatchState | None,
    subject: str,
) -> str:
    """Why a job did not end well; empty if only its script's complaint states it.

    Args:
        facts: of its batch system; None without one.
        reported: the latest state from the batch system or scheduler.
        subject: the job's name in the clause.
    """
    if facts is None or facts.state in ALIVE or (facts.state != state and state in _BY_SCRIPT):
        return _own_clause(state, status, facts, reported, subject)
    if facts.state == "ok":
        return f"{subject} ended, but its script did not complete"
    if facts.state == "vanished":
        return f"{batch_clause(facts, subject)}; its script {_silent(status)}"
    return batch_clause(facts, subject, status.allocated)


def _own_clause(
    state: JobState,
    status: JobStatus,
    facts: BatchFacts | None,
    reported: BatchState | None,
    subject: str,
) -> str:
    """The same for a job whose script is the best source."""
    if state == "timeout":
        return f"{subject} reached its time limit{_limit(facts)}"
    if state == "cancelled":
        by_us = facts is not None and facts.ending
        return f"{subject} was {'cancelled by Heorot' if by_us else 'interrupted'}"
    if facts and facts.waits and status.heard is None:
        return f"{subject} was last heard of in the queue{_said(facts)} and never began"
    if reported == "running" or (facts and facts.waits):
        return f"{subject} was last heard of as running{_said(facts)}; its script {_silent(status)}"
    if reported == "vanished" and state == reported:
        return f"{subject} is lost: its script {_silent(status)}"
    return "" if status.gave_up else f"{subject} {_silent(status)}"


def _silent(status: JobStatus) -> str:
    if status.heard is None:
        return "never began"
    return f"is silent since {datetime.fromtimestamp(status.heard, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _said(facts: BatchFacts | None) -> str:
    """The batch system's own words, in brackets."""
    reported = ", ".join(filter(None, (facts.raw, facts.reason))) if facts else ""
    return f" ({reported})" if reported else ""


def _limit(facts: BatchFacts | None) -> str:
    # Not the limit in the queue, which may not have been queried.
    seconds = facts.asked_seconds if facts else None
    return f" of {format_duration(seconds)}" if seconds else ""


def batch_clause(facts: BatchFacts, subject: str, hosts: Sequence[str] = ()) -> str:
    """Why a job ended badly, according to its batch system.

    Args:
        subject: the job's name in the clause.
        hosts: of the job; empty if unknown.
    """
    words: dict[BatchState, str] = {
        "failed": f"{subject} failed{_said(facts)}",
        "timeout": f"{subject} reached its time limit{_limit(facts)}",
        "node_fail": f"{_failed_node(hosts, subject)} failed{'' if hosts else _said(facts)}",
        "cancelled": _cancelled(facts, subject),
        "rejected": f"{subject} was refused by {facts.system}: {facts.reason or facts.raw}",
        "vanished": f"{subject} is lost: {facts.reason or 'unknown to the batch system'}",
    }
    return words.get(facts.state, "")


def _cancelled(facts: BatchFacts, subject: str) -> str:
    """The user who cancelled a job, as far as known."""
    if facts.raw == BY_US:
        return f"{subject} was cancelled by Heorot"
    if facts.reason == INTERRUPTED:
        return f"{subject} was interrupted; {facts.system} does not report by whom"
    if "preempt" in facts.raw.lower():
        return f"{subject} was preempted{_said(facts)}"
    return f"{subject} was cancelled by another user{_said(facts)}"


def _failed_node(hosts: Sequence[str], subject: str) -> str:
    if len(hosts) == 1:
        return f"node {hosts[0]}"
    return f"a node of {shorten_hosts(hosts) or subject}"
