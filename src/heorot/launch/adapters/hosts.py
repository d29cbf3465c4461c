"""Runs jobs on hosts that an agent such as ssh reaches: the script runs on the job's first host.

There it has a session of its own and outlives the agent, the log-out, and whoever started it. The
launchers it calls reach the other hosts, which this machine need not.
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
# Each question costs a log-in there, and takes a core from what measures.
_SELDOM_SECONDS = 2.0
_ASK_AGAIN_SECONDS = 0.5
_LOOKS = 2  # a file that cannot be read for a moment is no end of a script
# An agent that does not answer may be a network that has a hiccup.
_PATIENCE_SECONDS = 60.0
# As long as a script may take that finds hosts which do not answer any more.
_GRACE_SECONDS = 60.0
# What ssh and its like say if it is not the command that failed.
_UNREACHED = 255
_NO_ANSWER = frozenset({_UNREACHED, 124, 127})

# What has ended is no child any more; `pid` is the job's script, which has its mark.
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
    """What the scripts of a job have written so far: what comes later is of a later one.

    Attributes:
        status: length of its status file [B].
        stderr: of its complaints [B].
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
            SetupError: the host cannot be reached, does not see the job's directory, or its bash
                does not begin; what was started is ended then.
        """
        del after
        if self._life(job) == "runs":
            return
        before = _Written(job)
        there = shlex.quote(str(job.directory))
        # The script bears its mark only when it has begun; until then it is known by this.
        start = f"HEOROT_START={job.marker}.{secrets.token_hex(6)}"
        begun = self._ask(
            f"cd -- {there} && {{ env {shlex.quote(start)} setsid bash script.sh "
            "</dev/null >>stdout 2>>stderr & }"
        )
        if not begun.ok:
            if begun.code in _NO_ANSWER:
                self._end(start)  # it may run all the same
            said = (begun.err.strip().splitlines() or [f"exit code {begun.code}"])[-1]
            raise SetupError(
                f"{job.id} cannot be started on {self._host}: {said}",
                f"this must work without a question: {shlex.join(self._agent)} {self._host} "
                f"ls {there}",
            )
        if not self._begins(job, before):
            left = "" if self._end(start) else ", and it may not have ended"
            raise SetupError(
                f"bash has not begun {job.id} on {self._host} within {_START_SECONDS:g} s{left}",
                f"look at the load of {self._host} and at its file system; nothing is lost: "
                "try again",
            )

    def _begins(self, job: Job, before: _Written) -> bool:
        """Whether the script begins, or has come to its end already, within some time."""
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
        """Kill all on the host that has a mark in its environment; whether that is done."""
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
                # Not without its mark: the number of one that has ended may be a stranger's by now.
                polite = f'{self._marked(job)} && kill -TERM "$pid" && kill -CONT "$pid"'
                heard = heard or self._ask(polite).code not in _NO_ANSWER
                if heard and self._life(job) == "gone":
                    break
                self._clock.sleep(_POLL_SECONDS)
            if not self._end(f"HEOROT_JOB={job.marker}"):
                complain(job.directory, f"some of its processes may still run on {self._host}")

    def leave(self, job: Job) -> None:
        """Take leave of a job that has ended: it is no child of ours."""

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
            if fresh:  # a script that writes, lives
                heard, ask_at = now, now + _SELDOM_SECONDS
            ended = tail.ended is not None
            if not ended and now < ask_at:
                self._clock.sleep(_POLL_SECONDS)
                continue
            life = self._life(job)
            n_gone = n_gone + 1 if life == "gone" else 0
            # It may tidy up after its last word, or this is the last word of an earlier copy.
            over = n_gone >= _LOOKS or (ended and life != "runs")
            if now - heard > _PATIENCE_SECONDS:
                over = over or ended or life == "unknown"
            # Once more: what it wrote last is not missed.
            again = n_gone or ended
            ask_at = self._clock.monotonic() + (_ASK_AGAIN_SECONDS if again else _SELDOM_SECONDS)
            if life == "runs" and watchdog.look(tail):
                over = not watchdog.restart(self, tail, lambda: self._life(job) == "gone")
            if not over:
                self._clock.sleep(_ASK_AGAIN_SECONDS if ended else _POLL_SECONDS)

    def watchdog(self, job: Job) -> Watchdog:
        """What keeps the time limits of a job's steps where its script cannot."""
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
        """Let bash do something there with all that the job's script has started, its `family`."""
        text = f"{self._marked(job)} || exit 4; {_FAMILY}; {command}"
        return self._ask(f"exec bash -c {shlex.quote(text)}")

    def complaint(self, job: Job) -> str:
        return last_complaint(job.directory)

    def _life(self, job: Job) -> Life:
        """Whether the script runs, as its host says."""
        answer = self._ask(self._marked(job))
        if answer.code in _NO_ANSWER:
            return "unknown"
        return "runs" if answer.ok else "gone"

    def _marked(self, job: Job) -> str:
        """What succeeds, in the shell there, if the job's script runs; `pid` is its number."""
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
