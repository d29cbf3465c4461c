"""What became of a job in the hands of a batch system."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from heorot.model.base import Count, Moment, Record, Span, Whole
from heorot.model.machine.site import BatchName

# How a job ended, or that it has not; vanished: nobody knows it, and its script is silent.
Fate = Literal[
    "submitted",
    "pending",
    "running",
    "ok",
    "failed",
    "timeout",
    "node_fail",
    "cancelled",
    "rejected",
    "vanished",
]


def is_job_id(text: str) -> bool:
    """Whether a batch system calls a job like this, which its commands take for nothing else.

    A run may be anybody's, and what it calls its job becomes an argument of such a command.
    """
    return re.fullmatch(r"[^\W_][\w.@+:\[\]-]{0,199}", text) is not None


def _job_id(text: str) -> str:
    if not is_job_id(text):
        raise ValueError("a job's id has letters, digits and `_ . @ + : [ ] -`")
    return text


JobId = Annotated[str, AfterValidator(_job_id)]


class BatchFacts(Record):
    """A job as its batch system and its own status file told of it; `batch.json` beside them.

    Attributes:
        system: the batch system.
        name: of the job there; its marker, with a number if it was submitted again.
        attempt: how often it was submitted, this one included.
        id: the batch system's; None if it was refused, or while nobody knows.
        queue: partition or queue it is in, as told.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: how long that command took [s].
        eligible: since when it could have started, as told, whole seconds [s].
        started: when its nodes were its own, as told, whole seconds [s].
        ended: when they were free again, as told, whole seconds [s].
        code: exit code, as told.
        own_start: when its script began, by the script's own clock [s].
        own_end: when its script ended, by the same [s].
        wait_seconds: from submitted to own_start, by two clocks [s].
        limit_seconds: after which the batch system ends it, as told [s].
        asked_seconds: the same, as it was asked for; None if nothing was [s].
        state: how it stands.
        raw: the batch system's own word for that.
        reason: why, as the batch system says; never acted upon.
        earlier: ids of earlier attempts.
        ending: whether Heorot has set about ending it.
    """

    system: BatchName
    name: str
    attempt: Count = 1
    id: JobId | None = None
    queue: str = ""
    submitted: Moment | None = None
    submit_seconds: Span | None = None
    eligible: Moment | None = None
    started: Moment | None = None
    ended: Moment | None = None
    code: Whole | None = None
    own_start: Moment | None = None
    own_end: Moment | None = None
    wait_seconds: float | None = None
    limit_seconds: Span | None = None
    asked_seconds: Span | None = None
    state: Fate = "submitted"
    raw: str = ""
    reason: str = ""
    earlier: tuple[JobId, ...] = ()
    ending: bool = False
