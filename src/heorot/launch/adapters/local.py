"""Runs jobs on this machine: detached, so that they outlive the one who started them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from heorot import interruption, process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.adapters.status import complain, parse_event, read_from, script_complaint
from heorot.launch.job import RUNS_ALREADY, Job
from heorot.launch.processes import end_marked, environment_of, pids

_POLL_SECONDS = 0.02
# Seldom: whoever follows takes a core from what measures on all of them.
_FOLLOW_SECONDS = 0.1
_TURN_SECONDS = 0.002
_LONGEST_TURN_SECONDS = 1.0
# A script looks for its directory for 10 s: another host may see it only after a while.
_START_SECONDS = 30.0
# A script that tidies up gets on all the time, but for when it waits for another host: 11 s.
_SILENT_SECONDS = 15.0
_TIDY_SECONDS = 100.0
_KILL_SECONDS = 5.0
# The largest number of a process is 4194304.
_PID_DIGITS = 7


class LocalAdapter:
    """Runs jobs on this machine.

    Args:
        clock: by which it is patient.
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._children: dict[str, list[Popen[bytes]]] = {}

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script in a session of its own, unless it runs already.

        Args:
            job: what to run.
            after: what has ended.

        Raises:
            SetupError: bash cannot be started or does not begin; nothing runs then.
        """
        del after
        deadline = self._clock.monotonic() + _START_SECONDS
        pause, why = _TURN_SECONDS, f"bash has not begun {job.script}"
        while not self.alive(job):
            child = self._spawn(job)
            while child.poll() is None and self._clock.monotonic() < deadline:
                if _pid(job) == child.pid:
                    return
                self._clock.sleep(_TURN_SECONDS)
            # The lock of a copy that was killed just now is free a moment after the copy is gone.
            if child.returncode is not None and child.returncode != RUNS_ALREADY:
                return
            if child.returncode is not None:
                why = f"something holds {job.directory}/lock"
                self._clock.sleep(pause)
                pause = min(2.0 * pause, _LONGEST_TURN_SECONDS)
            if self._clock.monotonic() >= deadline:
                raise self._given_up(job, child, why)

    def _given_up(self, job: Job, child: Popen[bytes], why: str) -> SetupError:
        """End a script that has not begun: it would run beside what is measured next."""
        gone = True
        if child.poll() is None:
            process.kill_session(child.pid)  # until it is waited for, the number is no other's
            gone = end_marked(_mark(job), seconds=_KILL_SECONDS)
        self.leave(job)
        left = "" if gone and child.poll() is not None else ", and does not end"
        return SetupError(
            f"{job.id} cannot be started: within {_START_SECONDS:g} s, {why}{left}",
            "look at the load of this machine and at its file system; nothing is lost: try again",
        )

    def _spawn(self, job: Job) -> Popen[bytes]:
        try:
            child = process.detach(
                ["bash", job.script],
                cwd=job.directory,
                environment=os.environ,
                out=job.directory / "stdout",
                err=job.directory / "stderr",
            )
        except OSError as error:
            raise SetupError(
                f"cannot start {job.script}: {error}", "bash must be in PATH and the disk writable"
            ) from error
        self._children.setdefault(job.marker, []).append(child)
        return child

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs.

        Args:
            job: which one.
        """
        pid = _pid(job)
        if pid is not None and _is_marked(pid, job):
            return True
        # One that we have started ourselves runs until it has ended, whatever its files tell.
        return any(child.poll() is None for child in self._children.get(job.marker, []))

    def cancel(self, job: Job) -> None:
        """End the job with all its processes, politely first.

        Args:
            job: which one.
        """
        pid = _pid(job)
        if pid is not None and _is_marked(pid, job):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM)
                os.kill(pid, signal.SIGCONT)  # one that was stopped does not hear anything
            self._let_tidy(job, pid)
        gone = end_marked(_mark(job), seconds=_KILL_SECONDS, clock=self._clock)
        for child in self._children.get(job.marker, []):
            if child.poll() is None:
                process.kill_session(child.pid)
        if not gone:
            complain(job, "some of its processes cannot be killed")
        self.leave(job)

    def _let_tidy(self, job: Job, pid: int) -> None:
        """Wait for a script that was asked to end for as long as it gets on with tidying up."""
        began = heard = self._clock.monotonic()
        before: object = None
        while _is_marked(pid, job):
            now, sign = self._clock.monotonic(), _progress(job, pid)
            if sign != before:
                before, heard = sign, now
            if now - heard > _SILENT_SECONDS or now - began > _TIDY_SECONDS:
                return
            self._clock.sleep(_POLL_SECONDS)

    def leave(self, job: Job) -> None:
        """Take leave of the scripts of a job that we started ourselves and that have ended.

        Args:
            job: which one.
        """
        for child in self._children.pop(job.marker, []):
            with contextlib.suppress(TimeoutExpired):
                child.wait(timeout=_KILL_SECONDS)

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Args:
            job: which one.
            on_event: called in the order of the status file.
        """
        offset, torn = 0, b""
        while True:
            interruption.raise_if_asked()
            running = self.alive(job)  # asked before reading: what it wrote last is not missed
            fresh = read_from(job.status, offset)
            offset += len(fresh)
            *lines, torn = (torn + fresh).split(b"\n")
            for line in lines:
                event = parse_event(line)
                if event is not None:
                    on_event(event)
            if not running:
                self.leave(job)
                return
            self._clock.sleep(_FOLLOW_SECONDS)

    def complaint(self, job: Job) -> str:
        """The last thing the job's script itself complained about, one line or empty.

        Args:
            job: which one.
        """
        return script_complaint(job)


def processes_of(job: Job) -> Iterator[int]:
    """Process ids on this machine that carry the job's mark, our own excluded.

    Args:
        job: which one.
    """
    return (pid for pid in pids() if _is_marked(pid, job))


@dataclass(frozen=True)
class Running:
    """A job with processes on this machine, whoever started it.

    Attributes:
        pid: of its script, or of a process that has outlived it.
        directory: the job's directory; it need not be there any more.
    """

    pid: int
    directory: Path


def running_jobs() -> tuple[Running, ...]:
    """All jobs of this user with processes on this machine, but for one that we are part of."""
    own = os.environ.get("HEOROT_JOB", "").encode()
    jobs: dict[bytes, Running] = {}
    for pid in pids():
        variables = dict(entry.partition(b"=")[::2] for entry in environment_of(pid))
        marker = variables.get(b"HEOROT_JOB", b"")
        if not marker or marker == own:
            continue
        with contextlib.suppress(OSError):  # it has ended meanwhile
            # The script leads its session and stays in the job's directory.
            leads = os.getsid(pid) == pid and b"HEOROT_STEP" not in variables
            if leads or marker not in jobs:
                jobs[marker] = Running(pid, Path(f"/proc/{pid}/cwd").readlink())
    return tuple(jobs.values())


def _mark(job: Job) -> str:
    return f"HEOROT_JOB={job.marker}"


def _is_marked(pid: int, job: Job) -> bool:
    """Whether a process carries the job's mark; one that has ended carries nothing."""
    return _mark(job).encode() in environment_of(pid)


def _progress(job: Job, pid: int) -> object:
    """What changes while a script gets on: its file, and what it and its children have used."""
    used = read_from(Path(f"/proc/{pid}/stat"), 0).rpartition(b")")[2].split()[7:15]
    return len(read_from(job.status, 0)), used


def _pid(job: Job) -> int | None:
    text = read_from(job.directory / "pid", 0).strip()
    return int(text) if text.isdigit() and len(text) <= _PID_DIGITS else None
