"""The account of every job: where it ran, what it cost beside its steps, and how it ended."""

from __future__ import annotations

from typing import Literal

from heorot.model.base import Count, Moment, Record, Several, Span
from heorot.model.batch.states import JobState
from heorot.model.machine.site import BatchName
from heorot.model.run.identity import Stack

# Who gave a job its hosts: a batch system, the site's list of hosts, or nobody.
System = BatchName | Literal["hosts", "this machine"]


class JobRecord(Record):
    """A job, whoever ran it.

    Attributes:
        number: its id in the batch system; None without one, or if it was refused.
        queue: partition or queue it was in.
        hosts: those it was given, in the order they are filled; empty if it never began.
        nodes: how many hosts it was given, or asks for.
        submitted: when the submitting command was called last, Unix time by our clock [s].
        submit_seconds: how long that took [s].
        raw: the batch system's own word for that.
        why: a sentence of ours about one that did not end well; empty if it did.
    """

    number: str | None = None
    queue: str = ""
    hosts: tuple[str, ...] = ()
    nodes: Several = 1
    submitted: Moment | None = None
    submit_seconds: Span | None = None
    fate: JobState = "unfinished"
    raw: str = ""
    reason: str = ""
    why: str = ""


class JobAccount(JobRecord):
    """What one job of an evaluation cost and what became of it.

    Attributes:
        id: such as `J0001`; `J0000` described the nodes and has no steps.
        place: its hosts, made short, such as `n[1-64]`; how many it wanted if it never began.
        wait_seconds: from then to the start of its script, by two clocks [s].
        queue_seconds: the part of it for which no earlier job of the run was in the way [s].
        run_seconds: from the start of its script to its end, or to its last word; summed over the
            times it was started; None if it never began [s].
        step_seconds: of them those in which a step ran, or several at the same time [s].
        n_ended: those of them that ended in it.
        lost: ids of its steps that ended neither in it nor in another job.
        cut_off: those of them that had begun.
    """

    id: str
    system: System
    wait_seconds: float | None = None
    queue_seconds: float | None = None
    run_seconds: Span | None = None
    step_seconds: Span = 0.0
    n_asked: Count = 0
    n_ended: Count = 0
    lost: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()
    fate: JobState = "ok"

    @property
    def batched(self) -> bool:
        """Whether a batch system had it."""
        return self.system not in {"hosts", "this machine"}

    @property
    def surveys(self) -> bool:
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
    """Time of a launch outside of its program, over all launches of one layout.

    Attributes:
        ranks: ranks in all.
        at_once: so many launches were under way at the same time.
        median: middle of them [s].
        ci_low: lower end of its 95 % interval [s].
        ci_high: upper end of it [s].
    """

    stack: Stack
    nodes: Several
    ranks: Several
    at_once: Several = 1
    n: Several
    median: float
    ci_low: float
    ci_high: float


class JobCosts(Record):
    """What jobs and launches cost beside what is measured.

    Attributes:
        text: a sentence that sums up; empty if there is nothing to say.
        launches: a record for each layout, smaller ones first.
    """

    text: str = ""
    launches: tuple[LaunchCost, ...] = ()
