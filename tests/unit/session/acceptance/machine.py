"""Nodes of a pretended batch system, and what runs on them: scripts, in this very machine.

Each of its faults breaks one thing that it is to do.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heorot.session.acceptance.ground import VARIABLE

TURN_SECONDS = 0.02


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
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in {"PENDING", "RUNNING"}


class Machine:
    """Nodes and jobs.

    Args:
        base: a folder.
        nodes: how many, of two cores each.
        minute: how long its minutes are [s].
        token: what jobs find in their environment.
    """

    def __init__(self, base: Path, nodes: int, minute: float, token: str) -> None:
        self.base, self.minute, self._value = base, minute, token
        self.cores = {f"n{number}": 2 for number in range(1, nodes + 1)}
        self.drained: dict[str, str] = {}
        self.faults: set[str] = set()
        self.tasks: list[Task] = []
        self.lock = threading.RLock()
        self._end = threading.Event()
        self._tools()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _tools(self) -> None:
        tools = {
            "uname": 'echo "$PRETEND_HOST"',
            "scontrol": "tr , '\\n' <<<\"$3\"",
        }
        (self.base / "bin").mkdir(parents=True)
        for name, text in tools.items():
            (self.base / "bin" / name).write_text(f"#!/bin/bash\n{text}\n")
            (self.base / "bin" / name).chmod(0o755)

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
                task.state, task.process, task.hosts = "PENDING", None, ()
                task.restarts += 1
                task.held = "requeue held" in self.faults

    def finish(self, task: Task, state: str, *, clean: bool = True) -> None:
        task.state, task.ended = state, time.time()
        if task.process is not None:
            with suppress(ProcessLookupError):
                os.kill(task.process.pid, signal.SIGKILL)
            task.process.wait()
            task.code = max(0, task.process.returncode)
            if clean:
                self._sweep(task)

    def _sweep(self, task: Task | None) -> None:
        """Kill all that a job started, or all jobs did."""
        mark = f"PRETEND_JOB={self.base}:{task.id + '_' + task.index if task else ''}".encode()
        ends = b"\0" if task else b""
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    if mark + ends in (entry / "environ").read_bytes():
                        os.kill(int(entry.name), signal.SIGKILL)

    # --- the scheduler ------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._end.wait(TURN_SECONDS):
            with self.lock:
                for task in self.tasks:
                    if task.state == "RUNNING":
                        self._watch(task)
                if "stopped" not in self.faults:
                    self._schedule()

    def _watch(self, task: Task) -> None:
        assert task.process is not None
        code = task.process.poll()
        ran = time.time() - task.started
        if code is not None:
            self.finish(
                task,
                "FAILED" if code and "codes" not in self.faults else "COMPLETED",
                clean="dirty" not in self.faults,
            )
            if "epilogue" in self.faults:
                self.drained[task.hosts[0]] = "Epilog error"
            if "dirty" not in self.faults:
                for path in (self.base / "shm").glob("*"):
                    path.unlink()
        elif "early" in self.faults and ran > 0.3:
            self.finish(task, "TIMEOUT")
        elif ran > task.limit * self.minute and "time" not in self.faults:
            self.finish(task, "TIMEOUT" if "told otherwise" not in self.faults else "FAILED")
        elif task.memory and ran > 0.3:
            self.finish(task, "OUT_OF_MEMORY")

    def _schedule(self) -> None:
        waiting = [task for task in self.tasks if task.state == "PENDING" and self._may(task)]
        if "last first" in self.faults:
            waiting.reverse()
        for task in sorted(waiting, key=lambda task: task.nice):
            if hosts := self._fit(task):
                self._start(task, hosts)
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
            if ends and time.time() - max(ends) < 2.0:
                return False
        return not task.held and not task.later

    def _fit(self, task: Task) -> tuple[str, ...]:
        hosts = []
        for name, cores in self.cores.items():
            there = self.on(name)
            used = sum(other.cores for other in there)
            used = 2 if there and "whole nodes" in self.faults else used
            alone = any(other.exclusive for other in there) or (task.exclusive and bool(there))
            alone = alone and "exclusive" not in self.faults
            full = used + task.cores > cores and "cores" not in self.faults
            wanted = not task.on or name in task.on
            if wanted and name not in self.drained and not alone and not full:
                hosts.append(name)
        return tuple(hosts[: task.nodes]) if len(hosts) >= task.nodes else ()

    def _start(self, task: Task, hosts: tuple[str, ...]) -> None:
        shown = hosts[:1] if "hosts" in self.faults else hosts
        own = {
            "PRETEND_JOB": f"{self.base}:{task.id}_{task.index}",
            "PRETEND_HOST": hosts[0],
            "SLURM_JOB_NODELIST_HET_GROUP_0": hosts[0] if task.hetero else "",
            "SLURM_JOB_NODELIST_HET_GROUP_1": "n2,n3" if task.hetero else "",
            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0": "2",
            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1": "1(x2)",
            "PATH": f"{self.base / 'bin'}:{os.environ['PATH']}",
            "SLURM_JOB_ID": task.id,
            "SLURM_JOB_NODELIST": ",".join(shown),
            "SLURM_JOB_CPUS_PER_NODE": str(task.cores),
            "SLURM_ARRAY_TASK_ID": task.index,
            VARIABLE: "" if "environment" in self.faults else self._value,
        }
        output = Path(os.devnull) if "output" in self.faults else task.script.with_suffix(".out")
        with output.open("ab") as file:
            task.process = subprocess.Popen(
                ["bash", str(task.script)],
                env=os.environ | own,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        task.state, task.hosts, task.started = "RUNNING", hosts, time.time()

    def close(self) -> None:
        """End it with all that it started."""
        self._end.set()
        self._thread.join()
        for task in self.tasks:
            if task.process is not None and task.process.poll() is None:
                task.process.kill()
                task.process.wait()
        self._sweep(None)
        shutil.rmtree(self.base / "shm", ignore_errors=True)
