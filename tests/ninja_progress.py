"""Runs CMake and ninja, and prints the progress every few seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.process import Finished, kill_session

_DONE = re.compile(r"^\[(\d+)/(\d+)\] ")
_TELL_SECONDS = 4.0
_KILLED = 124


def write_line(line: str) -> None:
    """Print a line at once, also into a file."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class ProgressRun:
    """Runs commands to their ends as `heorot.process.run` does, and prints progress.

    A thread reads the output; the main thread wakes up every few seconds, so that a slow compiler
    does not look like a hang.
    """

    def __init__(
        self,
        label: str,
        tell: Callable[[str], None] = write_line,
        clock: Clock = SYSTEM_CLOCK,
        every_seconds: float = _TELL_SECONDS,
    ) -> None:
        self._label, self._tell, self._clock = label, tell, clock
        self._every_seconds = every_seconds
        self._counted = (0, 0)

    def __call__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        timeout_seconds: float,
        environment: Mapping[str, str],
    ) -> Finished:
        """Run a command; both streams come as its output."""
        self._counted = (0, 0)
        begin = self._clock.monotonic()
        child = subprocess.Popen(
            [os.fspath(word) for word in argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**environment, "NINJA_STATUS": "[%f/%t] "},
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        lines: list[str] = []
        reader = threading.Thread(target=self._read, args=(child, lines), daemon=True)
        reader.start()
        try:
            while True:
                reader.join(self._every_seconds)
                if not reader.is_alive():
                    break
                seconds = self._clock.monotonic() - begin
                self._tell(progress_line(self._label, *self._counted, seconds))
                if seconds > timeout_seconds:
                    kill_session(child.pid)
                    reader.join()
                    return Finished(_KILLED, "".join(lines), "")
            return Finished(child.wait(), "".join(lines), "")
        except BaseException:
            kill_session(child.pid)
            raise
        finally:
            child.wait()

    def _read(self, child: subprocess.Popen[str], lines: list[str]) -> None:
        assert child.stdout is not None
        with child.stdout:
            for line in child.stdout:
                lines.append(line)
                if counted := _DONE.match(line):
                    self._counted = int(counted[1]), int(counted[2])


def progress_line(label: str, n_done: int, n_steps: int, seconds: float) -> str:
    """The progress of a build as text.

    Args:
        label: name of the build.
        n_done: finished steps.
        n_steps: all steps; 0 if unknown.
        seconds: since its start [s].
    """
    if not n_done:
        return f"{label}: {seconds:.0f} s"
    left = seconds * (n_steps - n_done) / n_done
    return f"{label}: [{n_done}/{n_steps}] {seconds:.0f} s, about {left:.0f} s left"


def must(done: Finished, log: Path | None = None) -> str:
    """The output of a command; its last lines are the error if it failed.

    Args:
        done: the command.
        log: file of the whole output, if there is one.

    Raises:
        AssertionError: it failed.
    """
    said = done.out + done.err
    where = f"all of it is in {log}\n" if log else ""
    assert done.ok, f"{where}{said[-8000:]}"
    return said
