"""Nodes of a pretended batch system, its scheduler, and running jobs, by one clock.

Each of its faults breaks one feature.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from heorot.acceptance.session.target import VARIABLE
from tests.unit.acceptance.session.pretended.actors import Actor, Node
from tests.unit.acceptance.session.pretended.clock import SharedClock

# Delay of a scheduler that runs on events [s].
SOON_SECONDS = 0.1
_MINUTE = 60.0
_EARLY_SECONDS = 20.0
_MEMORY_SECONDS = 5.0
_LATE_WIDE_SECONDS = 85.0


@dataclass
class Task:
    """A job, or a task of an array."""

    id: str
    name: str
    script: Path
    nodes: int = 1
    cores: int = 1
    exclusive: bool = False
    limit: int = 1
    held: bool = False
    later: bool = False
    after: tuple[str, str] | None = None
    on: tuple[str, ...] = ()
    nice: int = 0
    memory: bool = False
    requeue: bool = False
    index: str = ""
    hetero: bool = False
    state: str = "PENDING"
    code: int = 0
    hosts: tuple[str, ...] = ()
    started: float = 0.0
    ended: float = 0.0
    restarts: int = 0
    actor: Actor | None = field(default=None, repr=False)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in {"PENDING", "RUNNING"}


class Machine:
    """Nodes and jobs.

    Args:
        clock: of the system.
        nodes: how many, of two cores each.
        token: variable in the environment of jobs.
    """

    def __init__(self, clock: SharedClock, nodes: int, token: str) -> None:
        self.clock, self._value = clock, token
        self.cores = {f"n{number}": 2 for number in range(1, nodes + 1)}
        self.nodes = {name: Node() for name in self.cores}
        self.drained: dict[str, str] = {}
        self.faults: set[str] = set()
        self.tasks: list[Task] = []
        self.lock = threading.RLock()
        # Interval of the scheduler [s]; none if it runs on events.
        self.round_seconds = 0.0
        # Maximum number of starts in one cycle.
        self.at_once = 1000
        self._is_due = False

    def find(self, number: str) -> list[Task]:
        return [task for task in self.tasks if task.id == number]

    def on(self, node: str) -> list[Task]:
        return [task for task in self.tasks if task.state == "RUNNING" and node in task.hosts]

    def lose(self, node: str) -> None:
        for task in self.on(node):
            if "blind" in self.faults:
                continue
            self.finish(task, "NODE_FAIL")
            if task.requeue:
                task.state, task.hosts = "PENDING", ()
                task.restarts += 1
                task.held = "requeue held" in self.faults

    def finish(self, task: Task, state: str, *, clean: bool = True) -> None:
        task.state, task.ended = state, self.clock.time()
        if task.actor is not None:
            task.actor.kill(clean=clean)
            task.actor = None
        if clean and "dirty" not in self.faults:
            for host in task.hosts:
                self.nodes[host].files.clear()
        self.changed()

    # --- the scheduler ------------------------------------------------------------------------

    def changed(self) -> None:
        """An event: the queue is scheduled soon."""
        if self._is_due:
            return
        wait = SOON_SECONDS
        if self.round_seconds:
            wait = self.round_seconds - self.clock.monotonic() % self.round_seconds
        self._is_due = True
        self.clock.after(wait, self._look)

    def _look(self) -> None:
        with self.lock:
            self._is_due = False
            if "stopped" in self.faults:
                return
            self._schedule()
            if "wide waits" in self.faults and any(task.state == "PENDING" for task in self.tasks):
                self.clock.after(1.0, self.changed)

    def _schedule(self) -> None:
        waiting = [task for task in self.tasks if task.state == "PENDING" and self._may(task)]
        if "last first" in self.faults:
            waiting.reverse()
        n_begun = 0
        for task in sorted(waiting, key=lambda task: task.nice):
            if "one only" in self.faults and any(each.started for each in self.tasks):
                return
            if n_begun == self.at_once:
                self.clock.after(SOON_SECONDS, self.changed)
                return
            if hosts := self._fit(task):
                self._start(task, hosts)
                n_begun += 1
            elif "no backfill" in self.faults:
                return

    def _may(self, task: Task) -> bool:
        if task.after is not None:
            (other,) = self.find(task.after[1])[:1]
            strict = task.after[0] == "afterok" and "ok means any" not in self.faults
            if not other.over or (strict and other.state != "COMPLETED"):
                return False
        if "wide waits" in self.faults and task.nodes == len(self.cores):
            ends = [other.ended for other in self.tasks if other.over]
            if any(other.state == "RUNNING" for other in self.tasks):
                return False
            if ends and self.clock.time() - max(ends) < _LATE_WIDE_SECONDS:
                return False
        return not task.held and not task.later

    def _fit(self, task: Task) -> tuple[str, ...]:
        hosts = []
        for name, cores in self.cores.items():
            there = self.on(name)
            used = sum(other.cores for other in there)
            used = cores if there and "whole nodes" in self.faults else used
            alone = any(other.exclusive for other in there) or (task.exclusive and bool(there))
            alone = alone and "exclusive" not in self.faults
            full = used + task.cores > cores and "cores" not in self.faults
            wanted = not task.on or name in task.on
            if wanted and name not in self.drained and not alone and not full:
                hosts.append(name)
        return tuple(hosts[: task.nodes]) if len(hosts) >= task.nodes else ()

    def _start(self, task: Task, hosts: tuple[str, ...]) -> None:
        task.state, task.hosts, task.started = "RUNNING", hosts, self.clock.time()
        actor = Actor(
            self.clock,
            task.script,
            self.nodes[hosts[0]],
            self._setting(task, hosts),
            lambda code: self._ended(task, actor, code),
        )
        task.actor = actor
        self._limit(task, actor)
        actor.begin()

    def _setting(self, task: Task, hosts: tuple[str, ...]) -> dict[str, str]:
        shown = hosts[:1] if "hosts" in self.faults else hosts
        setting = {
            "HOST": hosts[0],
            "HOSTS": ",".join(shown),
            "CPUS": "0-1",
            "SLURM_JOB_NODELIST_HET_GROUP_0": hosts[0] if task.hetero else "",
            "SLURM_JOB_NODELIST_HET_GROUP_1": "n2,n3" if task.hetero else "",
            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0": "2",
            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1": "1(x2)",
            "SLURM_JOB_ID": task.id,
            "SLURM_JOB_CPUS_PER_NODE": str(task.cores),
            "SLURM_ARRAY_TASK_ID": task.index,
            VARIABLE: "" if "environment" in self.faults else self._value,
        }
        return setting | ({"SILENT": "yes"} if "output" in self.faults else {})

    def _ended(self, task: Task, actor: Actor, code: int) -> None:
        with self.lock:
            if task.actor is not actor:
                return
            task.code = code
            state = "FAILED" if code and "codes" not in self.faults else "COMPLETED"
            self.finish(task, state, clean="dirty" not in self.faults)
            if "epilogue" in self.faults:
                self.drained[task.hosts[0]] = "Epilog error"

    def _limit(self, task: Task, actor: Actor) -> None:
        """End a job that has used up its time or its memory."""

        def end(state: str) -> None:
            with self.lock:
                if task.actor is actor:
                    self.finish(task, state, clean="survivors" not in self.faults)

        over = "TIMEOUT" if "wrong state" not in self.faults else "FAILED"
        if "early" in self.faults:
            self.clock.after(_EARLY_SECONDS, lambda: end("TIMEOUT"))
        elif "time" not in self.faults:
            self.clock.after(task.limit * _MINUTE, lambda: end(over))
        if task.memory:
            self.clock.after(_MEMORY_SECONDS, lambda: end("OUT_OF_MEMORY"))
