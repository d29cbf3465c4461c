"""A fake batch system in a folder, and an adapter with short time limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heorot.jobs.events import StepEvent
from heorot.jobs.facts import BatchFacts, read_facts
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.watch import Patience
from heorot.launch.batch.slurm import Slurm
from heorot.launch.job import Job
from tests.unit.launch.adapters.fake import Fake
from tests.unit.turned import TurnedClock

# Short limits for repeated queries, long ones for delays of a slow machine.
HASTE = Patience(
    poll_seconds=0.02,
    ask_seconds=0.05,
    most_ask_seconds=0.2,
    silent_seconds=0.2,
    grace_seconds=0.5,
    vanish_seconds=20.0,
    overrun_seconds=0.4,
    unanswered_seconds=60.0,
    unsubmitted_seconds=60.0,
    settle_seconds=0.3,
    tidy_seconds=40.0,
    cancel_seconds=40.0,
    command_seconds=30.0,
)


# With a manual clock a query still takes real time, so there are few.
USUAL = Patience(
    poll_seconds=1.0,
    ask_seconds=10.0,
    vanish_seconds=60.0,
    unanswered_seconds=60.0,
    unsubmitted_seconds=12.0,
)


def facts_of(job: Job) -> BatchFacts:
    """The facts of a job."""
    facts = read_facts(job.directory)
    assert facts is not None
    return facts


def during(adapter: BatchAdapter, job: Job, act: Callable[[], None]) -> list[StepEvent]:
    """Follow a job to its end during an action."""
    seen: list[StepEvent] = []
    actor = threading.Thread(target=act)
    actor.start()
    adapter.follow(job, seen.append)
    actor.join()
    return seen


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """A fake batch system; its processes are ended after the test."""
    fake = Fake(tmp_path / "batch system")
    yield fake
    fake.end()


@pytest.fixture
def lines() -> list[str]:
    """The states that the adapter reported."""
    return []


@pytest.fixture
def adapter(fake: Fake, lines: list[str]) -> BatchAdapter:
    """An adapter for it."""
    return BatchAdapter(
        Slurm(), fake.commands, patience=HASTE, on_state=lambda _job, line: lines.append(line)
    )


@pytest.fixture
def turned(fake: Fake, lines: list[str]) -> BatchAdapter:
    """An adapter with a manual clock, advanced while nothing else happens."""
    return BatchAdapter(
        Slurm(),
        fake.commands,
        patience=USUAL,
        on_state=lambda _job, line: lines.append(line),
        clock=TurnedClock(time.time()),
    )
