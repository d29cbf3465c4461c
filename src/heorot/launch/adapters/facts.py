"""What is known of a job in a batch system: kept beside it, told in words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from pydantic import ValidationError

from heorot.files import read_regular
from heorot.launch.batch.dialect import QueueState
from heorot.launch.job import Job
from heorot.model.batch.states import BatchFacts
from heorot.units import format_duration
from heorot.writing import open_staying, write

_MOST_BYTES = 1 << 20
ALIVE = frozenset({"submitted", "pending", "running"})


def read_facts(job: Job) -> BatchFacts | None:
    """What is known of a job; None if nothing is, or nothing readable.

    Args:
        job: which one.
    """
    try:
        return BatchFacts.model_validate_json(
            read_regular(job.directory / "batch.json", _MOST_BYTES)
        )
    except (OSError, ValidationError):
        return None


def write_facts(job: Job, facts: BatchFacts) -> None:
    """Keep what is known; nothing is lost if that cannot be, as all of it can be asked again.

    Args:
        job: which one.
        facts: what is known.
    """
    file = job.directory / "batch.json"
    text = facts.model_dump_json(indent=1) + "\n"
    try:
        write(file, text, sync=False)
    except OSError:
        # A full disk still has the room that the file takes already.
        with suppress(OSError), os.fdopen(open_staying(file, os.O_WRONLY), "w") as old:
            old.write(text)
            old.truncate()


def note_ending(job: Job) -> None:
    """Keep that it is us who end a job, before that is done: another may ask how it ended.

    Args:
        job: which one.
    """
    facts = read_facts(job)
    if facts is not None and facts.state in ALIVE:
        write_facts(job, facts.model_copy(update={"ending": True}))


def merged(facts: BatchFacts, told: QueueState) -> BatchFacts:
    """The facts with what a batch system told; what it did not tell stays.

    Args:
        facts: so far.
        told: by the queue or by the accounts.
    """
    state = told.end or (facts.state if told.phase in {"ended", "unknown"} else told.phase)
    word: Mapping[str, str] = {
        "state": state,
        "raw": told.raw,
        "reason": told.reason or (facts.reason if told.raw == facts.raw else ""),
    }
    if facts.raw == BY_US:  # to its batch system a script has failed that ended when asked
        word = {}
    elif facts.ending and told.end in {"cancelled", "failed"}:
        word = CANCELLED_BY_US
    return facts.model_copy(
        update={
            **word,
            "queue": told.queue or facts.queue,
            "eligible": told.eligible or facts.eligible,
            "started": told.started or facts.started,
            "ended": told.ended or facts.ended,
            "code": facts.code if told.code is None else told.code,
            "limit_seconds": told.limit_seconds or facts.limit_seconds,
        }
    )


def tell(facts: BatchFacts) -> str:
    """How a job stands, in one line.

    Args:
        facts: what is known.
    """
    which = f"{facts.system} job {facts.id}" if facts.id else f"{facts.system} job"
    state = facts.state.replace("_", " ")
    return f"{which} {state}{f': {facts.reason}' if facts.reason else ''}"


def complaint_about(facts: BatchFacts) -> str:
    """What went wrong with a job in the hands of its batch system, one line or empty.

    Args:
        facts: what is known.
    """
    job = f"job {facts.id}" if facts.id else "the job"
    said = ", ".join(word for word in (facts.raw, facts.reason) if word)
    said = f" ({said})" if said else ""
    # Not as the queue tells it, which is not always asked; nor its own word for this end: a script
    # whose time is up says so itself.
    limit = f" of {format_duration(facts.asked_seconds)}" if facts.asked_seconds else ""
    cancelled = f"{facts.system} says that {job} was cancelled{said}"
    if facts.raw == BY_US:
        cancelled = f"{job} was cancelled by Heorot"
    elif facts.reason == INTERRUPTED:
        cancelled = f"{job} was interrupted, and {facts.system} does not say by whom"
    sentences = {
        "rejected": f"{facts.system} refused the job: {facts.reason}",
        "cancelled": cancelled,
        "timeout": f"{facts.system} ended {job} at its time limit{limit}",
        "node_fail": f"{facts.system} says that a node of {job} failed{said}",
        "failed": f"{facts.system} says that {job} failed{said}",
        "vanished": f"{job} has vanished: {facts.reason or 'nobody knows it'}",
    }
    unheard = facts.state in {"pending", "running", "submitted"} and facts.raw == UNHEARD
    return f"{job}: {facts.reason}" if unheard else sentences.get(facts.state, "")


# Takes the place of the batch system's word when there is none.
UNHEARD = "no answer"
BY_US = "by Heorot"
CANCELLED_BY_US = {"state": "cancelled", "raw": BY_US, "reason": ""}
INTERRUPTED = "interrupted"
