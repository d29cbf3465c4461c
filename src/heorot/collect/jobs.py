"""What every job cost, and how it ended: its own file is believed, then its batch system."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from heorot.collect.output import one_line
from heorot.collect.status import JobStatus
from heorot.files import read_regular
from heorot.model.batch.jobs import JobAccount, System
from heorot.model.batch.states import BatchFacts, Fate
from heorot.model.run.plan import Step
from heorot.units import format_duration

_SURVEY = "J0000"
_MOST_BYTES = 1 << 20
# Of host names that are not numbered alike, as many are named.
_NAMED = 4


@dataclass(frozen=True)
class Ended:
    """A job that is over, as its two files tell.

    Attributes:
        status: what its script wrote.
        facts: what its batch system told; None without one, or if that cannot be read.
        asked: its steps; those that started if nobody says.
        elsewhere: whether it ran on hosts that the site lists, if no batch system gave it any.
    """

    status: JobStatus
    facts: BatchFacts | None
    asked: tuple[Step, ...]
    elsewhere: bool = False

    @property
    def name(self) -> str:
        """Such as `J0001`."""
        return self.status.directory.name

    @property
    def fate(self) -> Fate:
        """How it ended: what its own file says counts."""
        status, facts = self.status, self.facts
        ids = {step.id for step in self.asked}
        if status.ended or (ids and ids <= status.exits.keys()):
            return "ok"
        if facts is not None:
            return "failed" if facts.state == "ok" else facts.state
        if status.interrupted:
            return "cancelled"
        return "failed" if status.complaint else "vanished"

    def blame(self, subject: str) -> str:
        """A clause about what became of a job that did not end well; empty if it did.

        Args:
            subject: what the clause calls the job.
        """
        if self.fate == "ok":
            return ""
        if self.facts is None:
            return _own_word(self.status, subject)
        return one_line(_word(self.facts, self.status, subject))


def read_ended(
    statuses: Sequence[JobStatus], steps: Iterable[Step], asked: Mapping[str, Sequence[str]]
) -> tuple[Ended, ...]:
    """All jobs, in the order they were made; a folder that never held one is left out.

    Args:
        statuses: what their scripts wrote.
        steps: all steps of the run.
        asked: ids of the steps of each job, by its name.
    """
    by_id = {step.id: step for step in steps}
    elsewhere = any(one.directory.name == _SURVEY or len(one.allocated) > 1 for one in statuses)
    found = []
    for status in statuses:
        facts = _read_facts(status.directory / "batch.json")
        ids = asked.get(status.directory.name) or dict.fromkeys((*status.started, *status.exits))
        own = tuple(by_id[one] for one in ids if one in by_id)
        if own or facts or status.heard is not None:
            found.append(Ended(status, facts, own, elsewhere=elsewhere))
    return tuple(found)


def account_for(jobs: Sequence[Ended]) -> tuple[JobAccount, ...]:
    """What every job cost, and how it ended.

    Args:
        jobs: all of them, in the order they were made.
    """
    ended = {step for job in jobs for step in job.status.exits}
    finished: list[float] = []
    accounts = []
    for job in jobs:
        accounts.append(_account(job, ended, finished))
        # Of a job that was cut off nobody knows the end: its last word is what comes next to it.
        if job.status.heard is not None:
            finished.append(job.status.heard)
    return tuple(accounts)


def _account(job: Ended, ended: set[str], finished: Sequence[float]) -> JobAccount:
    """One job.

    Args:
        job: which one.
        ended: the steps that ended in any job.
        finished: when the scripts of earlier jobs wrote last [s].
    """
    status, facts = job.status, job.facts
    wanted = max((max(step.numbers) + 1 for step in job.asked), default=1)
    nodes = len(status.allocated) or wanted
    wait = _wait(facts, status)
    here: System = "hosts" if job.elsewhere else "this machine"
    why = "; ".join(filter(None, (status.complaint, job.blame("it"))))
    lost = tuple(step.id for step in job.asked if step.id not in ended)
    return JobAccount(
        id=job.name,
        system=facts.system if facts else here,
        number=one_line(facts.id) if facts and facts.id else None,
        queue=one_line(facts.queue) if facts else "",
        hosts=status.allocated,
        place=shorten_hosts(status.allocated) or f"{nodes} node{'s' * (nodes > 1)}",
        nodes=nodes,
        submitted=facts.submitted if facts else None,
        submit_seconds=facts.submit_seconds if facts else None,
        wait_seconds=wait,
        queue_seconds=_in_queue(wait, facts, finished),
        run_seconds=None if status.heard is None else status.run_seconds,
        step_seconds=status.step_seconds,
        n_asked=len(job.asked),
        n_ended=sum(step.id in status.exits for step in job.asked),
        lost=lost,
        cut_off=tuple(step for step in lost if step in status.started),
        fate=job.fate,
        raw=one_line(facts.raw) if facts else "",
        reason=one_line(facts.reason) if facts else "",
        why=why if job.fate != "ok" else "",
    )


def _wait(facts: BatchFacts | None, status: JobStatus) -> float | None:
    """From the last submission to the start of the script [s]."""
    if facts is None:
        return None
    if facts.wait_seconds is not None and math.isfinite(facts.wait_seconds):
        return facts.wait_seconds
    # Whoever followed the job was gone before it began.
    if status.begun is None or facts.submitted is None or facts.attempt > 1:
        return None
    return status.begun - facts.submitted


def _in_queue(
    wait: float | None, facts: BatchFacts | None, finished: Sequence[float]
) -> float | None:
    """The part of a wait that is the queue's: each job of a run waits for the one before [s]."""
    if wait is None or facts is None or facts.submitted is None:
        return wait
    began = facts.submitted + wait
    before = max((end for end in finished if end <= began), default=0.0)
    return min(wait, began - before)


def _own_word(status: JobStatus, subject: str) -> str:
    """What became of a job without a batch system; its complaint, if any, stands elsewhere."""
    if status.interrupted:
        return f"{subject} was interrupted"
    if status.heard is None:
        return f"{subject} never began"
    return "" if status.complaint else f"{subject} {_silent(status)}"


def _silent(status: JobStatus) -> str:
    if status.heard is None:
        return "never began"
    return f"is silent since {datetime.fromtimestamp(status.heard, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _word(facts: BatchFacts, status: JobStatus, subject: str) -> str:
    """What a batch system says of a job that did not end well, as a clause."""
    told = ", ".join(filter(None, (facts.raw, facts.reason)))
    said = f" ({told})" * bool(told)
    # Not as the queue tells it, which is not always asked.
    limit = f" of {format_duration(facts.asked_seconds)}" if facts.asked_seconds else ""
    words: dict[Fate, str] = {
        "ok": f"{subject} ended, but its script did not come to its end",
        "failed": f"{subject} failed{said}",
        "timeout": f"{subject} reached its time limit{limit}",
        "node_fail": f"{_failed_node(status)} failed",
        "cancelled": _cancelled(facts, subject, said),
        "rejected": f"{subject} was refused: {facts.reason or facts.raw}",
        "vanished": (
            f"{subject} vanished: {facts.reason or 'nobody knows it'}; its script {_silent(status)}"
        ),
        "running": f"{subject} was last heard of as running{said}; its script {_silent(status)}",
    }
    waiting = f"{subject} was last heard of in the queue{said} and never began"
    return words.get(facts.state, waiting)


def _cancelled(facts: BatchFacts, subject: str, said: str) -> str:
    """Who cancelled a job, as far as that is known."""
    if facts.raw == "by Heorot":
        return f"{subject} was cancelled by Heorot"
    if facts.reason == "interrupted":
        return f"{subject} was interrupted, and {facts.system} does not say by whom"
    if "preempt" in facts.raw.lower():
        return f"{subject} had to make room for another{said}"
    return f"{subject} was cancelled by someone else{said}"


def _failed_node(status: JobStatus) -> str:
    if len(status.allocated) == 1:
        return f"node {status.allocated[0]}"
    return f"a node of {shorten_hosts(status.allocated)}" if status.allocated else "a node"


def shorten_hosts(hosts: Sequence[str]) -> str:
    """Names of hosts as batch systems shorten them: `n[1-3,7]`; empty if there are none.

    Args:
        hosts: their names; those with numbers alike but for these stand together.
    """
    if len(hosts) <= 2:  # noqa: PLR2004 (a range of two is no shorter)
        return ", ".join(hosts)
    split = [re.fullmatch(r"(.*?)(\d{1,9})(\D*)", host, re.ASCII) for host in hosts]
    # Numbers as long as one with a zero in front have zeros in front, too: 09, 10.
    padded = {(m[1], len(m[2]), m[3]) for m in split if m and m[2].startswith("0")}
    families: dict[tuple[str, int, str], list[int]] = {}
    for host, match in zip(hosts, split, strict=True):
        key = (match[1], len(match[2]), match[3]) if match else (host, -1, "")
        key = key if key in padded or not match else (match[1], 0, match[3])
        families.setdefault(key, []).append(int(match[2]) if match else 0)
    words = [_family(*key, sorted(set(numbers))) for key, numbers in families.items()]
    more = [f"and {len(words) - _NAMED} more"] if len(words) > _NAMED + 1 else []
    return ", ".join([*(words[:_NAMED] if more else words), *more])


def _family(front: str, width: int, back: str, numbers: Sequence[int]) -> str:
    """Hosts that differ in their numbers only."""
    if width < 0:
        return front
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = [f"{a:0{width}d}" if a == b else f"{a:0{width}d}-{b:0{width}d}" for a, b in runs]
    inner = ",".join(parts)
    return f"{front}{inner}{back}" if len(numbers) == 1 else f"{front}[{inner}]{back}"


def _read_facts(path: Path) -> BatchFacts | None:
    """What a batch system told of a job; None if it told nothing, or nothing readable."""
    try:
        return BatchFacts.model_validate_json(read_regular(path, _MOST_BYTES))
    except (OSError, ValidationError):
        return None
