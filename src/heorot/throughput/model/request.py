"""What the user asks `throughput` for."""

from __future__ import annotations

from pathlib import Path

from heorot.model.base import Amount, Count, Several, Span
from heorot.model.run.request import ProgramsRequest


class DayRequest(ProgramsRequest):
    """What the user asks `throughput` for.

    Attributes:
        schedule: a schedule or workload file, or the name of a shipped schedule or of a model.
        jobs: the file that says what its names stand for; None for the one shipped with it.
        nodes: of the machine that the day may use; None for all that there are.
        time_scale: times of the schedule are multiplied by it.
        most: so many jobs of a workload are used; None for all.
        alone: so many times each kind of job runs with the system to itself before the day.
        alone_from: a day whose single-user times are taken instead.
        exclusive: whether jobs that do not say so themselves have their nodes to themselves;
            None for what the file of jobs says.
        interval_seconds: between two samples of the nodes; 0 for no monitoring [s].
    """

    schedule: str
    jobs: Path | None = None
    nodes: Several | None = None
    time_scale: Amount = 1.0
    most: Several | None = None
    seed: Count = 0
    alone: Count = 3
    alone_from: Path | None = None
    exclusive: bool | None = None
    interval_seconds: Span = 1.0
