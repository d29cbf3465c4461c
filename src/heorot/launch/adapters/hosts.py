"""Runs jobs on hosts that an agent such as ssh reaches: the script runs on the job's first host.

The script has a session of its own there and survives the end of the agent, of the log-in and of
this process. The launchers it calls reach the other hosts; this machine need not.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from heorot import interruption, process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.events import StepEvent, complain, last_complaint
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.overdue import Watchdog
from heorot.launch.job import Job
from heorot.launch.script import ending_text

Life = Literal["runs", "gone", "unknown"]

_ASK_SECONDS = 15.0
_START_SECONDS = 30.0
_POLL_SECONDS = 0.1
# Each query costs a log-in there, and takes a core from the measurement.
_SELDOM_SECONDS = 2.0
_ASK_AGAIN_SECONDS = 0.5
_LOOKS = 2  # one failed read of a file does not mean that the script has ended
# An agent that does not answer may be a short network failure.
_PATIENCE_SECONDS = 60.0
# The time a script may need to detect hosts that no longer answer.
_GRACE_SECONDS = 60.0
# Errors of ssh and similar agents, in contrast to those of the command.
_UNREACHED = 255
_NO_ANSWER = frozenset({_UNREACHED, 124, 127})

# Processes that have ended are no children any more; `pid` is the job's script, with its mark.
_FAMILY = (
    'family=; new=$pid; while [ "$new" ]; do all=; for one in $new; do '
    'all="$all $(cat /proc/$one/task/$one/children 2>/dev/null)"; done; '
    'new=${all# }; new=${new% }; family="$family $new"; done'
)
_WAKE = (
    "woken=1; for one in $pid $family; do if grep -qs '^State:.T' /proc/$one/status; then "
    "woken=0; kill -CONT $one; fi; done; exit $woken"
)
_KILL = "for one in $family; do kill -KILL $one; done 2>/dev/null"


class _Written:
    """Sizes of a job's files before a start: later text is of the new script.

    Attributes:
        status: length of the status file [B].
        stderr: length of the script's stderr [B].
    """

    def __init__(self, job: Job) -> None:
        self.status = _size(job.status)
        self.stderr = _size(job.directory / "stderr")


class HostsAdapter:
    """Runs jobs on the first of their hosts.

    Args:
        agent: the words in front of the name of a host and a command.
    """

    def __init__(self, agent: Sequence[str], host: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self._agent = tuple(agent)
        self._host = host
        self._clock = clock

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script in a session of its own, unless it runs already.

        Raises:
            SetupError: the host cannot be reached or does not see the job's directory, or bash
                does not begin there; the started process is killed then.
        """
        del after
        if self._life(job) == "runs":
            return
        before = _Written(job)
        there = shlex.quote(str(job.directory))
        # The script has its mark only after it has begun; until then this variable identifies it.
        start = f"HEOROT_START={job.marker}.{secrets.token_hex(6)}"
        begun = self._ask(
            f"cd -- {there} && {{ env {shlex.quote(start)} setsid bash script.sh "
            "</dev/null >>stdout 2>>stderr & }"
        )
        if not begun.ok:
            if begun.code in _NO_ANSWER:
                self._end(start)  # it may run although the command failed
            message = (begun.err.strip().splitlines() or [f"exit code {begun.code}"])[-1]
            raise SetupError(
                f"{job.id} cannot be started on {self._host}: {message}",
                f"this must work without a password: {shlex.join(self._agent)} {self._host} "
                f"ls {there}",
            )
        if not self._begins(job, before):
            left = "" if self._end(start) else ", and it may not have ended"
            raise SetupError(
                f"bash has not begun {job.id} on {self._host} within {_START_SECONDS:g} s{left}",
                f"check the load and the file system of {self._host}; nothing is lost: try again",
            )

    def _begins(self, job: Job, before: _Written) -> bool:
        """Whether the script begins or has ended within a time limit."""
        deadline = self._clock.monotonic() + _START_SECONDS
        ask_at = self._clock.monotonic()
        tail = StatusTail(job.directory, job.steps)
        while True:
            tail.read(before.status)
            if tail.began is not None or last_complaint(job.directory, before.stderr):
                return True
            now = self._clock.monotonic()
            if now >= ask_at:
                if self._life(job) == "runs":
                    return True
                ask_at = self._clock.monotonic() + _ASK_AGAIN_SECONDS
            if now > deadline:
                return False
            self._clock.sleep(_POLL_SECONDS)

    def _end(self, mark: str) -> bool:
        """Kill all processes on the host with a mark in their environment; whether that worked."""
        done = self._ask(f"exec bash -c {shlex.quote(ending_text(mark))}")
        return done.ok

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs; not if its host cannot be asked."""
        return self._life(job) == "runs"

    def cancel(self, job: Job) -> None:
        """End the job with all its processes; its script does it on all hosts."""
        with interruption.finishing():
            deadline = self._clock.monotonic() + _GRACE_SECONDS
            heard = False
            while self._clock.monotonic() < deadline:
                # Check the mark: another process may have the id of a script that has ended.
                polite = f'{self._marked(job)} && kill -TERM "$pid" && kill -CONT "$pid"'
                heard = heard or self._ask(polite).code not in _NO_ANSWER
                if heard and self._life(job) == "gone":
                    break
                self._clock.sleep(_POLL_SECONDS)
            if not self._end(f"HEOROT_JOB={job.marker}"):
                complain(job.directory, f"some of its processes may still run on {self._host}")

    def leave(self, job: Job) -> None:
        """Nothing to release: the job's script is not a child of this process."""

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        tail = StatusTail(job.directory, job.steps)
        watchdog = self.watchdog(job)
        heard = self._clock.monotonic()
        ask_at, n_gone, over = heard + _SELDOM_SECONDS, 0, False
        while True:
            interruption.raise_if_asked()
            events, fresh = tail.read(0)
            for event in events:
                on_event(event)
            if over:
                if n_gone and tail.began is not None and tail.ended is None:  # it was killed
                    self._end(f"HEOROT_JOB={job.marker}")
                return
            now = self._clock.monotonic()
            if fresh:  # new events prove that the script runs
                heard, ask_at = now, now + _SELDOM_SECONDS
            ended = tail.ended is not None
            if not ended and now < ask_at:
                self._clock.sleep(_POLL_SECONDS)
                continue
            life = self._life(job)
            n_gone = n_gone + 1 if life == "gone" else 0
            # It may still clean up after its last event, or the event is of an earlier copy.
            over = n_gone >= _LOOKS or (ended and life != "runs")
            if now - heard > _PATIENCE_SECONDS:
                over = over or ended or life == "unknown"
            # Read again, to get the last events.
            again = n_gone or ended
            ask_at = self._clock.monotonic() + (_ASK_AGAIN_SECONDS if again else _SELDOM_SECONDS)
            if life == "runs" and watchdog.look(tail):
                over = not watchdog.restart(self, tail, lambda: self._life(job) == "gone")
            if not over:
                self._clock.sleep(_ASK_AGAIN_SECONDS if ended else _POLL_SECONDS)

    def watchdog(self, job: Job) -> Watchdog:
        """The enforcement of step time limits from outside of the job's script."""
        return Watchdog(job, self, self._clock, _PATIENCE_SECONDS)

    def progress(self, job: Job) -> object:
        return _size(job.status)

    def wake(self, job: Job) -> bool:
        return self._with_family(job, _WAKE).ok

    def end_step(self, job: Job, step: str) -> None:
        self._end(f"HEOROT_STEP={job.marker}/{step}")

    def end_steps(self, job: Job) -> None:
        self._with_family(job, _KILL)

    def _with_family(self, job: Job, command: str) -> process.Finished:
        """Run a bash command there with `family`: all processes that the job's script started."""
        text = f"{self._marked(job)} || exit 4; {_FAMILY}; {command}"
        return self._ask(f"exec bash -c {shlex.quote(text)}")

    def complaint(self, job: Job) -> str:
        return last_complaint(job.directory)

    def _life(self, job: Job) -> Life:
        """Whether the script runs, as reported by its host."""
        answer = self._ask(self._marked(job))
        if answer.code in _NO_ANSWER:
            return "unknown"
        return "runs" if answer.ok else "gone"

    def _marked(self, job: Job) -> str:
        """A shell condition: the job's script runs there; sets `pid` to its process id."""
        file = shlex.quote(str(job.directory / "pid"))
        mark = shlex.quote(f"HEOROT_JOB={job.marker}")
        return f'pid=$(cat {file} 2>/dev/null); grep -qzsxF -- {mark} "/proc/$pid/environ"'

    def _ask(self, command: str) -> process.Finished:
        return process.run([*self._agent, self._host, command], timeout_seconds=_ASK_SECONDS)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
