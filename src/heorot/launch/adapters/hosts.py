"""Runs jobs on hosts that an agent such as ssh reaches: the script runs on the job's first host.

There it has a session of its own and outlives the agent, the log-out, and whoever started it. The
launchers it calls reach the other hosts, which this machine need not.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from typing import Literal

from heorot import interruption, process
from heorot.errors import SetupError
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.adapters.status import StatusTail, script_complaint
from heorot.launch.job import Job

Life = Literal["runs", "gone", "unknown"]

_ASK_SECONDS = 15.0
_START_SECONDS = 20.0
_POLL_SECONDS = 0.1
# Each question costs a log-in there, and takes a core from what measures.
_SELDOM_SECONDS = 2.0
# An agent that does not answer may be a network that has a hiccup.
_PATIENCE_SECONDS = 60.0
_GRACE_SECONDS = 20.0
# What ssh and its like say if it is not the command that failed.
_UNREACHED = 255


class HostsAdapter:
    """Runs jobs on the first of their hosts.

    Args:
        agent: the words in front of the name of a host and a command.
        host: where the scripts run.
    """

    def __init__(self, agent: Sequence[str], host: str) -> None:
        self._agent = tuple(agent)
        self._host = host

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script in a session of its own, unless it runs already.

        Args:
            job: what to run.
            after: what has ended.

        Raises:
            SetupError: the host cannot be reached, or does not see the job's directory.
        """
        del after
        if self._life(job) == "runs":
            return
        there = shlex.quote(str(job.directory))
        begun = self._ask(
            f"cd -- {there} && {{ setsid bash script.sh </dev/null >>stdout 2>>stderr & }}"
        )
        if begun.code == _UNREACHED or not begun.ok:
            said = (begun.err.strip().splitlines() or [f"exit code {begun.code}"])[-1]
            raise SetupError(
                f"{job.id} cannot be started on {self._host}: {said}",
                f"this must work without a question: {shlex.join(self._agent)} {self._host} "
                f"ls {there}",
            )
        deadline = time.monotonic() + _START_SECONDS
        tail = StatusTail(job)
        while time.monotonic() < deadline:
            tail.read(0)
            if tail.began is not None and self._life(job) != "gone":
                return
            if tail.complete or script_complaint(job):
                return
            time.sleep(_POLL_SECONDS)

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs; not if its host cannot be asked.

        Args:
            job: which one.
        """
        return self._life(job) == "runs"

    def cancel(self, job: Job) -> None:
        """End the job with all its processes; its script does it on all hosts.

        Args:
            job: which one.
        """
        with interruption.finishing():
            # Not without its mark: the number of one that has ended may be a stranger's by now.
            self._ask(f'{self._marked(job)} && kill -TERM "$pid"')
            deadline = time.monotonic() + _GRACE_SECONDS
            while self._life(job) == "runs" and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)

    def leave(self, job: Job) -> None:
        """Take leave of a job that has ended: it is no child of ours."""

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Args:
            job: which one.
            on_event: called in the order of the status file.
        """
        tail = StatusTail(job)
        asked = heard = time.monotonic()
        over = False
        while True:
            interruption.raise_if_asked()
            events, fresh = tail.read(0)
            for event in events:
                on_event(event)
            now = time.monotonic()
            if fresh:
                heard = now
            if over or tail.ended is not None:
                return
            # A script that writes, lives.
            if now - max(asked, heard) > _SELDOM_SECONDS:
                life = self._life(job)
                asked = time.monotonic()
                # Once more: what it wrote last is not missed.
                over = life == "gone" or (life == "unknown" and now - heard > _PATIENCE_SECONDS)
            else:
                time.sleep(_POLL_SECONDS)

    def complaint(self, job: Job) -> str:
        """The last thing the job's script itself complained about, one line or empty.

        Args:
            job: which one.
        """
        return script_complaint(job)

    def _life(self, job: Job) -> Life:
        """Whether the script runs, as its host says."""
        answer = self._ask(self._marked(job))
        if answer.code in {_UNREACHED, 124, 127}:
            return "unknown"
        return "runs" if answer.ok else "gone"

    def _marked(self, job: Job) -> str:
        """What succeeds, in the shell there, if the job's script runs; `pid` is its number."""
        file = shlex.quote(str(job.directory / "pid"))
        mark = shlex.quote(f"HEOROT_JOB={job.marker}")
        return f'pid=$(cat {file} 2>/dev/null); grep -qzsxF -- {mark} "/proc/$pid/environ"'

    def _ask(self, command: str) -> process.Finished:
        return process.run([*self._agent, self._host, command], timeout_seconds=_ASK_SECONDS)
