"""A batch system inside this process, with the output of Slurm, by a clock that tests turn."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from heorot.acceptance.session.target import VARIABLE
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.batch.dialect import Question, Submission
from heorot.launch.batch.slurm import Slurm
from heorot.process import Finished
from tests.unit.acceptance.session.pretended.clock import SharedClock
from tests.unit.acceptance.session.pretended.machine import SOON_SECONDS, Machine, Task

T = TypeVar("T")
_SUBMIT_SECONDS = 0.02
_TOKEN = "a 'token' = it"  # noqa: S105 (nothing is opened by it)


class Pretend(BatchClient):
    """The batch system and its client.

    Args:
        clock: of the system.
        nodes: how many, of two cores each.
    """

    def __init__(self, clock: SharedClock, nodes: int = 3) -> None:
        super().__init__(Slurm(), variables={VARIABLE: _TOKEN})
        self.clock = clock
        self.machine = Machine(clock, nodes, _TOKEN)
        self.settings = {"SchedulerType": "sched/backfill", "PriorityType": "priority/basic"}
        self.refusal = ""
        self.cancelled: list[str] = []
        machine = self.machine
        self.faults, self.tasks = machine.faults, machine.tasks
        self.cores, self.drained = machine.cores, machine.drained

    # --- queries ------------------------------------------------------------------------------

    def ask(self, question: Question[T]) -> T:
        """Answer as Slurm's commands do."""
        with self.machine.lock:
            answer = self._answer(question.argv)
            self.machine.changed()
            return question.read(answer)

    def run(
        self,
        words: Sequence[str],
        timeout_seconds: float,
        before: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> Finished:
        """Waiting jobs get processors in the next cycle."""
        del timeout_seconds, before, folder
        self.clock.sleep(max(SOON_SECONDS, self.machine.round_seconds))
        script = words[-1]
        if "interactive" in self.faults or not script.startswith("exit "):
            return Finished(0, "n1\n", "")
        return Finished(int(script.removeprefix("exit ")), "", "")

    def send(self, question: Question[Submission], folder: Path) -> Submission:
        """Take a job."""
        del folder
        self.clock.sleep(_SUBMIT_SECONDS)
        with self.machine.lock:
            answer = self._submit(question.argv)
            self.machine.changed()
            return question.read(answer)

    def _answer(self, argv: tuple[str, ...]) -> Finished:
        if argv[0] != "scontrol":
            answers = {
                "squeue": self._queue,
                "sinfo": self._nodes,
                "scancel": self._cancel,
                "sacct": self._accounts,
            }
            return answers[argv[0]](argv)
        if "partition" in argv:
            limit = "00:10:00" if "limits" in self.settings else "UNLIMITED"
            line = f"PartitionName=lab Default=YES State=UP MaxTime={limit}"
            return Finished(0, f"{line} TotalNodes={len(self.cores)}\n", "")
        if "config" in argv:
            lines = [f"{key} = {value}" for key, value in self.settings.items()]
            return Finished(0, "\n".join(lines), "")
        return self._control(argv)

    def _occupants(self) -> Finished:
        """Occupied nodes with their jobs, and pending jobs."""
        lines = [
            f"{task.id}|{task.state}|{task.cores * task.nodes}|{','.join(task.hosts)}|{task.name}"
            for task in self.tasks
            if not task.over
        ]
        return Finished(0, "\n".join(lines), "")

    def _queue(self, argv: tuple[str, ...]) -> Finished:
        words = " ".join(argv)
        if "%i|%T|%C|%N|%j" in words:
            return self._occupants()
        ids = re.search(r"--jobs=(\S+)", words)
        name = re.search(r"--name=(\S+)", words)
        lines = []
        # Pending jobs come first, then running ones.
        for task in sorted(self.tasks, key=lambda task: (task.over, task.state != "PENDING")):
            if ids and task.id not in ids[1].split(","):
                continue
            if name and task.name != name[1]:
                continue
            reason = "None" if task.state != "PENDING" else self._reason(task)
            reported = task.id + (f"_{task.index}" if task.index else "")
            silent = "silent" in self.faults or "still running" in self.faults
            state = "RUNNING" if silent and task.over else task.state
            if "ghosts" in self.faults and task.id in self.cancelled:
                state = "CANCELLED"
            state = "RUNNING" if task.held and "held jobs run" in self.faults else state
            lines.append(f"{reported}|{state}|lab|N/A|N/A|{task.limit}:00|{task.name}|{reason}")
        return Finished(0, "\n".join(lines), "")

    def _reason(self, task: Task) -> str:
        if "mute about reasons" in self.faults:
            return "None"
        if task.held:
            return "JobHeldUser"
        return "BeginTime" if task.later else "Dependency" if task.after else "Resources"

    def _nodes(self, argv: tuple[str, ...]) -> Finished:
        if "-R" in argv:
            lines = [f"{name}|{why}" for name, why in self.drained.items()]
            return Finished(0, "\n".join(lines), "")
        busy = {host for task in self.tasks if task.state == "RUNNING" for host in task.hosts}
        states = {
            name: "drained" if name in self.drained else "mixed" if name in busy else "idle"
            for name in self.cores
        }
        lines = [f"{name}|{states[name]}|{self.cores[name]}|(null)|lab" for name in self.cores]
        if "forgets a node" in self.faults and self.tasks:
            lines.pop()
        return Finished(0, "\n".join(lines), "")

    def _update(self, node: str, state: str) -> Finished:
        if "drain refused" in self.faults:
            return Finished(1, "", "slurm_update error: Invalid user id")
        if state == "State=RESUME":
            self.drained.pop(node, None)
        elif "drain ignored" not in self.faults:
            self.drained[node] = "heorot-check"
            if state == "State=DOWN":
                self.machine.lose(node)
            elif "drain kills" in self.faults:
                for task in self.machine.on(node):
                    self.machine.finish(task, "CANCELLED")
        return Finished(0, "", "")

    def _control(self, argv: tuple[str, ...]) -> Finished:
        if argv[1] == "update":
            return self._update(argv[2].partition("=")[2], argv[3])
        if f"{argv[1]} refused" in self.faults:
            return Finished(1, "", "Access/permission denied")
        if argv[1] in {"hold", "release"}:
            for task in self.machine.find(argv[2]):
                task.held = argv[1] == "hold" and not {"hold", "late hold"} & self.faults
            return Finished(0, "", "")
        for task in self.machine.find(argv[-1]):
            cpus = 2 * task.nodes if task.exclusive else task.cores * task.nodes
            cpus -= "fewer cpus" in self.faults
            reported = f"NumNodes={task.nodes} NumCPUs={cpus} Restarts={task.restarts}"
            code = 0 if "codes" in self.faults else task.code
            return Finished(
                0,
                f"JobId={task.id} JobName={task.name} JobState={task.state} Reason=None"
                f" ExitCode={code}:0 Partition=lab {reported} StartTime=2099-01-01T00:00:00\n",
                "",
            )
        return Finished(1, "", "slurm_load_jobs error: Invalid job id specified")

    def _accounts(self, argv: tuple[str, ...]) -> Finished:
        ids = argv[-1].removeprefix("--jobs=").split(",")
        if "no accounts" in self.faults:
            return Finished(1, "", "Slurm accounting storage is disabled")
        if "dumb accounts" in self.faults:
            return Finished(124, "", "")
        if "late accounts" in self.faults:
            self.faults.remove("late accounts")
            return Finished(0, "", "")
        lines = []
        for task in self.tasks[1 if "lost account" in self.faults else 0 :]:
            if task.id in ids and task.over:
                shift = 100.0 if "wrong clock" in self.faults else 0.0
                times = [
                    time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(moment + shift))
                    for moment in (task.started, task.started, task.started, task.ended)
                ]
                lines.append(f"{task.id}|{task.state}|0:0|{'|'.join(times)}|lab|{task.name}")
        return Finished(0, "\n".join(lines), "")

    def _submit(self, argv: tuple[str, ...]) -> Finished:
        if self.refusal:
            return Finished(1, "", f"sbatch: error: Batch job submission failed: {self.refusal}")
        script = Path(argv[-1])
        number = str(1 + max((int(task.id) for task in self.tasks), default=100))
        task = Task(number, next(w[11:] for w in argv if w.startswith("--job-name=")), script)
        last = 0
        for line in script.read_text().splitlines():
            if line == "#SBATCH hetjob":
                task.hetero = "hetero" in self.settings
                task.held = not task.hetero
                break
            if line.startswith("#SBATCH --"):
                key, _, value = line.removeprefix("#SBATCH --").partition("=")
                last = int(value.partition("-")[2]) if key == "array" else last
                self._option(task, key, value)
        if task.limit > 10 and "limits" in self.settings and "queue limit" not in self.faults:
            return Finished(1, "", "sbatch: error: Requested time limit is invalid")
        for index in range(1, last + 1) or [0]:
            if index == 2 and "arrays" in self.faults:
                continue
            self.tasks.append(Task(**{**vars(task), "index": str(index) if index else ""}))
            self.tasks[-1].held = task.held or (index == 2 and "held task" in self.faults)
            if index == 3 and "again" in self.faults:
                self.tasks.append(Task(**{**vars(task), "index": "3"}))
        return Finished(0, f"{number}\n", "")

    def _option(self, task: Task, key: str, value: str) -> None:
        kind, _, other = value.partition(":")
        options: dict[str, dict[str, object]] = {
            "nodes": {"nodes": value},
            "ntasks-per-node": {"cores": value},
            "exclusive": {"exclusive": True},
            "time": {"limit": value},
            "hold": {"held": "hold" not in self.faults},
            "begin": {"later": True},
            "requeue": {"requeue": "requeue" not in self.faults},
            "dependency": {"after": (kind, other) if "dependency" not in self.faults else None},
            "nodelist": {"on": tuple(value.split(","))},
            "mem": {"memory": "memory" not in self.faults},
            "nice": {"nice": value if "priority" not in self.faults else "0"},
        }
        for name, given in options.get(key, {}).items():
            setattr(task, name, int(given) if isinstance(given, str) else given)

    def _cancel(self, argv: tuple[str, ...]) -> Finished:
        number = argv[-1]
        names = [word[7:] for word in argv if word.startswith("--name=")]
        if names and all(task.name not in names for task in self.machine.find(number)):
            return Finished(0, "", "")
        if "cancel refused" in self.faults:
            return Finished(1, "", "scancel: error: Access denied")
        self.cancelled.append(number)
        for task in self.machine.find(number):
            if "ghosts" in self.faults and task.state == "PENDING":
                continue
            if not task.over:
                self.machine.finish(task, "CANCELLED", clean="survivors" not in self.faults)
        return Finished(0, "", "")
