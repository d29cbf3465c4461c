"""What is known of a job in a batch system: kept beside it in `batch.json`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, ValidationError

from heorot.files import read_regular
from heorot.jobs.batch_states import End, Phase
from heorot.model.base import Count, Int64, Record, Seconds, UnixTime
from heorot.model.machine.site import BatchName
from heorot.writing import open_staying, write

FILE = "batch.json"
# What a batch system said last; vanished: it does not know the job, whose script is silent.
BatchState = Literal["submitted", "pending", "running", End, "rejected", "vanished"]
_MOST_BYTES = 1 << 20
# Takes the place of the batch system's word when there is none.
UNHEARD = "no answer"
BY_US = "by Heorot"
WELL = {"state": "ok", "raw": "", "reason": ""}
CANCELLED_BY_US = {"state": "cancelled", "raw": BY_US, "reason": ""}
INTERRUPTED = "interrupted"
# What stays as it was if it is not told again.
_KEPT = ("queue", "eligible", "started", "ended", "limit_seconds")
ALIVE = frozenset({"submitted", "pending", "running"})


@dataclass(frozen=True)
class QueueState:
    """A job as the batch system sees it.

    Attributes:
        phase: where it is; unknown for words that we do not know.
        end: how it ended, if it has.
        raw: the batch system's own word.
        reason: its own explanation, to be shown and never acted upon.
        name: of the job; None if not told.
        code: exit code, None if not told.
        submitted, eligible, started, ended: Unix times as told, mostly whole seconds [s].
        limit_seconds: of the job as told [s].
    """

    phase: Phase
    end: End | None = None
    raw: str = ""
    reason: str = ""
    name: str | None = None
    queue: str = ""
    code: int | None = None
    submitted: UnixTime | None = None
    eligible: UnixTime | None = None
    started: UnixTime | None = None
    ended: UnixTime | None = None
    limit_seconds: float | None = None

    @property
    def batch_state(self) -> BatchState | None:
        """How it stands or has ended; None if that is not said in words that we know."""
        return self.end or (self.phase if self.phase in {"pending", "running"} else None)


# States by job id; a job that is not in it is not known there. None: there was no answer.
States = Mapping[str, QueueState] | None


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
    submitted: UnixTime | None = None
    submit_seconds: Seconds | None = None
    eligible: UnixTime | None = None
    started: UnixTime | None = None
    ended: UnixTime | None = None
    code: Int64 | None = None
    own_start: UnixTime | None = None
    own_end: UnixTime | None = None
    wait_seconds: float | None = None
    limit_seconds: Seconds | None = None
    asked_seconds: Seconds | None = None
    state: BatchState = "submitted"
    raw: str = ""
    reason: str = ""
    earlier: tuple[JobId, ...] = ()
    ending: bool = False

    @property
    def waits(self) -> bool:
        """Whether it was in the queue when it was last heard of."""
        return self.state in {"submitted", "pending"}


def read_facts(directory: Path) -> BatchFacts | None:
    """What is known of a job; None if nothing is, or nothing readable."""
    try:
        return BatchFacts.model_validate_json(read_regular(directory / FILE, _MOST_BYTES))
    except (OSError, ValidationError):
        return None


def write_facts(directory: Path, facts: BatchFacts) -> None:
    """Keep what is known; nothing is lost if that cannot be, as all of it can be asked again."""
    file = directory / FILE
    text = facts.model_dump_json(indent=1) + "\n"
    try:
        write(file, text, sync=False)
    except OSError:
        # A full disk still has the room that the file takes already.
        with suppress(OSError), os.fdopen(open_staying(file, os.O_WRONLY), "w") as old:
            old.write(text)
            old.truncate()


def note_ending(directory: Path) -> None:
    """Keep that it is us who end a job, before that is done: another may ask how it ended."""
    facts = read_facts(directory)
    if facts is not None and facts.state in ALIVE:
        write_facts(directory, facts.model_copy(update={"ending": True}))


def merged(facts: BatchFacts, reported: QueueState) -> BatchFacts:
    """The facts with what a batch system told; what it did not tell stays.

    Args:
        reported: by the queue or by the accounts.
    """
    state = reported.batch_state or facts.state
    word: Mapping[str, str] = {
        "state": state,
        "raw": reported.raw,
        "reason": reported.reason or (facts.reason if reported.raw == facts.raw else ""),
    }
    if facts.raw == BY_US:  # to its batch system a script has failed that ended when asked
        word = {}
    elif facts.ending and reported.end in {"cancelled", "failed"}:
        word = CANCELLED_BY_US
    return facts.model_copy(
        update={
            **word,
            **{name: getattr(reported, name) or getattr(facts, name) for name in _KEPT},
            "code": facts.code if reported.code is None else reported.code,
        }
    )
