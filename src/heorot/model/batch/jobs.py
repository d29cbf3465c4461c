"""Accounts of jobs: hosts, overhead beyond the steps, and final state."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, PositiveInt, Record, Seconds, UnixTime
from heorot.model.batch.states import JobState
from heorot.model.machine.site import BatchName
from heorot.model.run.identity import Stack

# What allocated the hosts: a batch system, the site's list of hosts, or nothing.
System = BatchName | Literal["hosts", "this machine"]


class JobRecord(Record):
    """A job of any command.

    Attributes:
        number: its id in the batch system; None without one, or if it was refused.
        queue: partition or queue it was in.
        hosts: allocated hosts, in the order they are filled; empty if it never began.
        nodes: number of hosts allocated or requested.
        submitted: when the submitting command was called last, Unix time by our clock [s].
        submit_seconds: duration of that command [s].
        raw: the final state in the batch system's own word.
        why: explanation of a job that did not end well; empty if it did.
    """

    number: str | None = None
    queue: str = ""
    hosts: tuple[str, ...] = ()
    nodes: PositiveInt = 1
    submitted: UnixTime | None = None
    submit_seconds: Seconds | None = None
    fate: JobState = "unfinished"
    raw: str = ""
    reason: str = ""
    why: str = ""


class JobAccount(JobRecord):
    """Cost and final state of one job of an evaluation.

    Attributes:
        id: such as `J0001`; `J0000` described the nodes and has no steps.
        place: its hosts in short, such as `n[1-64]`; the requested number if it never began.
        wait_seconds: from then to the start of its script, by two clocks [s].
        queue_seconds: the part of it for which no earlier job of the run was in the way [s].
        run_seconds: from the start of its script to its end, or to its last status line; summed
            over its starts; None if it never began [s].
        step_seconds: the part of it in which a step ran, or several at the same time [s].
        n_ended: number of its steps that ended in it.
        lost: ids of its steps that ended neither in it nor in another job.
        cut_off: ids of lost steps that had begun.
    """

    id: str
    system: System
    wait_seconds: float | None = None
    queue_seconds: float | None = None
    run_seconds: Seconds | None = None
    step_seconds: Seconds = 0.0
    n_asked: Count = 0
    n_ended: Count = 0
    lost: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()
    fate: JobState = "ok"

    @property
    def batched(self) -> bool:
        """Whether a batch system ran it."""
        return self.system not in {"hosts", "this machine"}

    @property
    def describes_nodes(self) -> bool:
        """Whether it only describes the nodes."""
        return self.id == "J0000"

    @property
    def behind_seconds(self) -> float | None:
        """The part of its wait for which earlier jobs of the run were in the way [s]."""
        if self.wait_seconds is None or self.queue_seconds is None:
            return None
        return max(0.0, self.wait_seconds - self.queue_seconds)

    @property
    def overhead_seconds(self) -> float | None:
        """Time of its run in which no step ran [s]."""
        return None if self.run_seconds is None else max(0.0, self.run_seconds - self.step_seconds)


class LaunchCost(Record):
    """Start-up overhead of launches: time outside of the program, over all launches of a layout.

    Attributes:
        ranks: ranks in all.
        at_once: number of launches that ran at the same time.
        median: median of the overhead [s].
        ci_low: lower end of its 95 % interval [s].
        ci_high: upper end of it [s].
    """

    stack: Stack
    nodes: PositiveInt
    ranks: PositiveInt
    at_once: PositiveInt = 1
    n: PositiveInt
    median: float
    ci_low: float
    ci_high: float


class JobCosts(Record):
    """Overhead of jobs and launches beyond the measurements.

    Attributes:
        text: a sentence that sums up; empty if there is no overhead.
        launches: a record for each layout, smaller ones first.
    """

    text: str = ""
    launches: tuple[LaunchCost, ...] = ()
