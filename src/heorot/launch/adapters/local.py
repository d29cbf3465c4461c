"""Runs jobs on this machine, detached: they survive the end of this process."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from subprocess import Popen, TimeoutExpired

from heorot import interruption, process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent, complain, last_complaint
from heorot.jobs.marked_processes import end_descendants, end_marked, signal_marked
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.overdue import Here, Watchdog, is_marked, mark_of, pid_of, progress_of
from heorot.launch.job import RUNS_ALREADY, Job

_POLL_SECONDS = 0.02
# Seldom: each poll takes a core from the measurement.
_FOLLOW_SECONDS = 0.1
_TURN_SECONDS = 0.002
_LONGEST_TURN_SECONDS = 1.0
# A script waits up to 10 s for its directory, which may appear late on a shared file system.
_START_SECONDS = 30.0
# A script that cleans up makes progress continuously, except while it waits for a host: 11 s.
_SILENT_SECONDS = 15.0
_TIDY_SECONDS = 100.0
_KILL_SECONDS = 5.0


class LocalAdapter:
    """Runs jobs on this machine."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock = clock
        self._children: dict[str, list[Popen[bytes]]] = {}

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script in a session of its own, unless it runs already.

        Raises:
            SetupError: bash cannot be started or does not begin; nothing runs then.
        """
        del after
        deadline = self._clock.monotonic() + _START_SECONDS
        pause, why = _TURN_SECONDS, f"bash has not begun {job.script}"
        while not self.alive(job):
            child = self._spawn(job)
            while child.poll() is None and self._clock.monotonic() < deadline:
                if pid_of(job) == child.pid:
                    return
                self._clock.sleep(_TURN_SECONDS)
            # The lock of a copy that was just killed is released shortly after the copy is gone.
            if child.returncode is not None and child.returncode != RUNS_ALREADY:
                return
            if child.returncode is not None:
                why = f"something holds {job.directory}/lock"
                self._clock.sleep(pause)
                pause = min(2.0 * pause, _LONGEST_TURN_SECONDS)
            if self._clock.monotonic() >= deadline:
                raise self._given_up(job, child, why)

    def _given_up(self, job: Job, child: Popen[bytes], why: str) -> SetupError:
        """End a script that has not begun, so that it does not overlap the next measurement."""
        gone = True
        if child.poll() is None:
            process.kill_session(child.pid)  # its id is not reused before wait()
            gone = end_marked(mark_of(job), seconds=_KILL_SECONDS)
        self.leave(job)
        left = "" if gone and child.poll() is not None else ", and does not end"
        return SetupError(
            f"{job.id} cannot be started: within {_START_SECONDS:g} s, {why}{left}",
            "check the load and the file system of this machine; nothing is lost: try again",
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
        pid = pid_of(job)
        if pid is not None and is_marked(pid, job):
            return True
        # A script that this process started runs until it exits, whatever its files contain.
        return any(child.poll() is None for child in self._children.get(job.marker, []))

    def cancel(self, job: Job) -> None:
        """End the job with all its processes: SIGTERM first."""
        pid = pid_of(job)
        if pid is not None and is_marked(pid, job):
            # A stopped process does not receive SIGTERM.
            signal_marked(pid, mark_of(job).encode(), signal.SIGTERM, signal.SIGCONT)
            self._let_tidy(job, pid)
            if is_marked(pid, job):
                # Processes without the mark are found only through the script; it starts no more.
                signal_marked(pid, mark_of(job).encode(), signal.SIGSTOP)
                end_descendants(pid, seconds=_KILL_SECONDS, clock=self._clock)
        gone = end_marked(mark_of(job), seconds=_KILL_SECONDS, clock=self._clock)
        for child in self._children.get(job.marker, []):
            if child.poll() is None:
                process.kill_session(child.pid)
        if not gone:
            complain(job.directory, "some of its processes cannot be killed")
        self.leave(job)

    def _let_tidy(self, job: Job, pid: int) -> None:
        """Wait for a script that was asked to end while its clean-up makes progress."""
        began = heard = self._clock.monotonic()
        before: object = None
        while is_marked(pid, job):
            now, sign = self._clock.monotonic(), progress_of(job, pid)
            if sign != before:
                before, heard = sign, now
            if now - heard > _SILENT_SECONDS or now - began > _TIDY_SECONDS:
                return
            self._clock.sleep(_POLL_SECONDS)

    def leave(self, job: Job) -> None:
        """Reap the scripts of a job that this process started and that have ended."""
        for child in self._children.pop(job.marker, []):
            with contextlib.suppress(TimeoutExpired):
                child.wait(timeout=_KILL_SECONDS)

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Processes left by a killed script are ended.
        """
        tail = StatusTail(job.directory, job.steps)
        watchdog = self.watchdog(job)
        while True:
            interruption.raise_if_asked()
            running = self.alive(job)  # before reading, to get its last events
            for event in tail.read(0)[0]:
                on_event(event)
            if not running:
                if tail.began is not None and tail.ended is None:  # killed without clean-up
                    end_marked(mark_of(job), seconds=_KILL_SECONDS, clock=self._clock)
                self.leave(job)
                return
            if watchdog.look(tail) and not watchdog.restart(
                self, tail, lambda: not self.alive(job)
            ):
                return
            self._clock.sleep(_FOLLOW_SECONDS)

    def watchdog(self, job: Job) -> Watchdog:
        """The enforcement of step time limits from outside of the job's script."""
        return Watchdog(job, Here(), self._clock, _SILENT_SECONDS)

    def complaint(self, job: Job) -> str:
        return last_complaint(job.directory)
