"""Facts about a job in a batch system: `batch.json` in its directory."""

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
# Latest state; `vanished`: unknown to the batch system, with a silent script.
BatchState = Literal["submitted", "pending", "running", End, "rejected", "vanished"]
_MOST_BYTES = 1 << 20
# Stands for the batch system's word if there is none.
UNHEARD = "no answer"
BY_US = "by Heorot"
WELL = {"state": "ok", "raw": "", "reason": ""}
CANCELLED_BY_US = {"state": "cancelled", "raw": BY_US, "reason": ""}
INTERRUPTED = "interrupted"
# Fields that keep their values if not reported again.
_KEPT = ("queue", "eligible", "started", "ended", "limit_seconds")
ALIVE = frozenset({"submitted", "pending", "running"})


@dataclass(frozen=True)
class QueueState:
    """A job in the batch system.

    Attributes:
        phase: of the job; unknown for words outside the tables.
        end: final state, if it has ended.
        raw: the batch system's own word.
        reason: its explanation, for display only.
        name: of the job; None if not reported.
        code: exit code, None if not reported.
        submitted, eligible, started, ended: Unix times as reported, mostly whole seconds [s].
        limit_seconds: time limit as reported [s].
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
        """Current or final state; None for words outside the tables."""
        return self.end or (self.phase if self.phase in {"pending", "running"} else None)


# States by job id; jobs unknown to the batch system are missing. None: there was no answer.
States = Mapping[str, QueueState] | None


def is_job_id(text: str) -> bool:
    """Whether a text is a job id that commands of batch systems cannot mistake for an option.

    A run may belong to any user, and its recorded job ids become arguments of such commands.
    """
    return re.fullmatch(r"[^\W_][\w.@+:\[\]-]{0,199}", text) is not None


def _job_id(text: str) -> str:
    if not is_job_id(text):
        raise ValueError("a job's id has letters, digits and `_ . @ + : [ ] -`")
    return text


JobId = Annotated[str, AfterValidator(_job_id)]


class BatchFacts(Record):
    """A job as reported by its batch system and its own status file; its `batch.json`.

    Attributes:
        name: in the batch system; its marker, with a number if it was submitted again.
        attempt: number of submissions so far.
        id: in the batch system; None if it was refused or is not known yet.
        queue: partition or queue, as reported.
        submitted: when the submitting command was called, Unix time [s].
        submit_seconds: duration of that command [s].
        eligible: earliest possible start, as reported, whole seconds [s].
        started: when its nodes were allocated, as reported, whole seconds [s].
        ended: when they were released, as reported, whole seconds [s].
        code: exit code, as reported.
        own_start: when its script began, by the script's own clock [s].
        own_end: when its script ended, by the same [s].
        wait_seconds: from submitted to own_start, by two clocks [s].
        limit_seconds: time limit, as reported [s].
        asked_seconds: requested time limit; None if none was requested [s].
        raw: the batch system's own word for that.
        reason: the batch system's explanation, for display only.
        earlier: ids of earlier attempts.
        ending: whether Heorot has begun to end it.
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
        """Whether it was in the queue at the latest report."""
        return self.state in {"submitted", "pending"}


def read_facts(directory: Path) -> BatchFacts | None:
    """The facts about a job; None if there are none, or they are unreadable."""
    try:
        return BatchFacts.model_validate_json(read_regular(directory / FILE, _MOST_BYTES))
    except (OSError, ValidationError):
        return None


def write_facts(directory: Path, facts: BatchFacts) -> None:
    """Write the facts, if possible; they can be queried again."""
    file = directory / FILE
    text = facts.model_dump_json(indent=1) + "\n"
    try:
        write(file, text, sync=False)
    except OSError:
        # On a full disk the space of the existing file can still be reused.
        with suppress(OSError), os.fdopen(open_staying(file, os.O_WRONLY), "w") as old:
            old.write(text)
            old.truncate()


def note_ending(directory: Path) -> None:
    """Record that Heorot ends a job, before it does, for other processes that classify it."""
    facts = read_facts(directory)
    if facts is not None and facts.state in ALIVE:
        write_facts(directory, facts.model_copy(update={"ending": True}))


def merged(facts: BatchFacts, reported: QueueState) -> BatchFacts:
    """The facts with a new report of the batch system; unreported fields stay.

    Args:
        reported: from the queue or from the accounts.
    """
    state = reported.batch_state or facts.state
    word: Mapping[str, str] = {
        "state": state,
        "raw": reported.raw,
        "reason": reported.reason or (facts.reason if reported.raw == facts.raw else ""),
    }
    if facts.raw == BY_US:  # the batch system counts a script ended on request as failed
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
