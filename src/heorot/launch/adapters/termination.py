"""Ends jobs of a batch system, asking their scripts first.

A script cleans up on the other hosts of its job, and reaches them only while the job exists: Slurm
starts nothing more in a job that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.launch.adapters.batch_client import BatchClient, BatchJob
from heorot.launch.adapters.watch import Patience

_SLOWER = 1.5
_TIMES = 6  # cancel commands for a job that stays


def end(
    client: BatchClient, job: BatchJob, patience: Patience, clock: Clock = SYSTEM_CLOCK
) -> bool:
    """End a job; returns when it is gone, or after a time limit without an answer.

    Args:
        job: a job; another job that has its id by now is left alone.

    Returns:
        Whether it is gone, according to the batch system.
    """
    pauses = _pauses(patience)
    state = client.state(job).state
    if state is not None and state.phase == "running":
        refusal = client.interrupt(job)
        if not refusal and _goes(client, job, patience.tidy_seconds, pauses, clock):
            return True
    for _ in range(_TIMES):
        client.cancel(job)
        if _goes(client, job, patience.cancel_seconds / _TIMES, pauses, clock):
            return True
    return False


def _pauses(patience: Patience) -> Iterator[float]:
    """Pauses between queries, growing, over all cancel commands [s]."""
    pause = patience.poll_seconds
    while True:
        yield pause
        pause = min(pause * _SLOWER, patience.ask_seconds)


def _goes(
    client: BatchClient, job: BatchJob, seconds: float, pauses: Iterator[float], clock: Clock
) -> bool:
    """Whether a job leaves the queue within a time limit."""
    deadline = clock.monotonic() + seconds
    while not client.state(job).over:
        if clock.monotonic() > deadline:
            return False
        clock.sleep(next(pauses))
    return True
