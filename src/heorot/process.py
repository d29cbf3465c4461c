"""The only place where Heorot starts other programs."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from heorot import interruption

_KILL_SECONDS = 5.0
_LOOKS = 2  # in a row that find nothing
_PAUSE_SECONDS = 0.01
# What has left the session of a command that was killed may hold its output open.
_LAST_SECONDS = 2.0


@dataclass(frozen=True)
class Finished:
    """How a short command ended.

    Attributes:
        code: exit code; 127 if it could not be started, 124 if it ran out of time.
        out: its standard output.
        err: its standard error.
    """

    code: int
    out: str
    err: str

    @property
    def ok(self) -> bool:
        """Whether the command ended with exit code 0."""
        return self.code == 0


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    timeout_seconds: float = 20.0,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a short command to its end and return what it said; never raise for its failure.

    Args:
        argv: the command; no shell is involved.
        timeout_seconds: after this the command's whole session is killed [s].
        cwd: working directory.
        environment: complete environment; None inherits ours in the C locale.

    Raises:
        KeyboardInterrupt: the user asked for the end, now or before.
    """
    interruption.raise_if_asked()
    env = dict(os.environ, LC_ALL="C") if environment is None else dict(environment)
    try:
        child = subprocess.Popen(
            [os.fspath(word) for word in argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            encoding="utf-8",  # whatever the locale
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return Finished(127, "", str(error))
    try:
        out, err = child.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        kill_session(child.pid)
        return Finished(124, *_last_words(child))
    except BaseException:
        kill_session(child.pid)
        child.wait()
        raise
    return Finished(child.returncode, out, err)


def _last_words(child: subprocess.Popen[str]) -> tuple[str, str]:
    """What a command has said that was killed."""
    try:
        return child.communicate(timeout=_LAST_SECONDS)
    except subprocess.TimeoutExpired as late:
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
        child.wait()
        said = (late.output or b"", late.stderr or b"")
        out, err = (
            text if isinstance(text, str) else text.decode(errors="replace") for text in said
        )
        return out, err


def detach(
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    out: Path,
    err: Path,
) -> subprocess.Popen[bytes]:
    """Start a long command in a session of its own that outlives us.

    Args:
        argv: the command; no shell is involved.
        cwd: working directory.
        environment: complete environment.
        out: file its standard output is appended to.
        err: file its standard error is appended to.

    Raises:
        OSError: the command cannot be started or the files cannot be opened.
    """
    with out.open("ab") as out_file, err.open("ab") as err_file:
        return subprocess.Popen(
            [os.fspath(word) for word in argv],
            stdin=subprocess.DEVNULL,
            stdout=out_file,
            stderr=err_file,
            cwd=cwd,
            env=dict(environment),
            start_new_session=True,
        )


def kill_session(leader: int) -> None:
    """Kill a session of its own with all that runs in it; one that is gone is fine.

    Tools such as ninja give every command a process group of its own: to kill the group of the
    leader would leave compilers behind.

    Args:
        leader: process id of the one that was started, and that nobody has waited for: until then
            its number is nobody else's.
    """
    groups = {leader}
    deadline = time.monotonic() + _KILL_SECONDS
    # A process that forks and ends may escape one look, but no signal to its group.
    quiet = 0
    while quiet < _LOOKS and time.monotonic() < deadline:
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        if quiet or groups:
            time.sleep(_PAUSE_SECONDS)
        groups = _groups_of(leader)
        quiet = 0 if groups else quiet + 1


def _groups_of(leader: int) -> set[int]:
    """The process groups of a session in which anything runs."""
    groups: set[int] = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):
                pid = int(entry.name)
                if os.getsid(pid) == leader and _runs(pid):
                    groups.add(os.getpgid(pid))
    return groups - {0, 1}


def _runs(pid: int) -> bool:
    """Whether a process has not ended; one that nobody has waited for has."""
    state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:1]
    return state not in ([b"Z"], [b"X"])
