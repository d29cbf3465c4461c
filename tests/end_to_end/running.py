"""Starts the command line the way a user does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heorot.process import Finished, run

# Of all kinds of work together.
N_KILLS_AT_NIGHT = int(os.environ.get("HEOROT_KILLS", "1000"))
COMMAND = (sys.executable, "-m", "heorot.cli.main")


def command_line(*arguments: str | Path) -> list[str]:
    """A command as words; commands that measure ignore jobs of other tests."""
    words = [*COMMAND, *map(str, arguments)]
    measures = arguments[0] in {"evaluate", "run", "throughput"}
    return [*words, "--anyway"] if measures else words


def heorot(
    *arguments: str | Path,
    timeout_seconds: float = 300.0,
    cwd: Path | None = None,
    **variables: str,
) -> Finished:
    """Run a command to its end."""
    return run(
        command_line(*arguments),
        timeout_seconds=timeout_seconds,
        cwd=cwd,
        environment=dict(os.environ, **variables),
    )


def start(*arguments: str | Path, said: Path = Path(os.devnull)) -> subprocess.Popen[bytes]:
    """Start a command in the background, its output added to a file.

    Ctrl-C reaches it even if the tests run as a shell's background job, which ignores it.
    """
    with said.open("ab") as output:
        return subprocess.Popen(
            ["env", "--default-signal=INT", *command_line(*arguments)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


@contextmanager
def started(
    *arguments: str | Path, said: Path = Path(os.devnull)
) -> Iterator[subprocess.Popen[bytes]]:
    """The same during the body; processes that still run then are killed."""
    child = start(*arguments, said=said)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def kill_marked(directory: Path, number: signal.Signals = signal.SIGKILL) -> int:
    """Send a signal to all processes that a run left behind; returns to how many."""
    n_sent = 0
    for pid in marked_processes(directory):
        with suppress(ProcessLookupError):
            os.kill(pid, number)
            n_sent += 1
    return n_sent


def marked_processes(directory: Path) -> list[int]:
    """Processes that a run left behind: they carry the mark of its jobs."""
    markers = [
        line.split("=", 1)[1].encode()
        for script in directory.glob("jobs/*/script.sh")
        for line in script.read_text().splitlines()
        if line.startswith("readonly job=")
    ]
    found = []
    for entry in Path("/proc").iterdir():
        try:
            environment = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if any(b"HEOROT_JOB=" + marker in environment for marker in markers):
            found.append(int(entry.name))
    return found
