"""The only place where Heorot starts other programs."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from heorot import interruption
from heorot.writing import appending

OUT_OF_TIME = 124
"""Exit code of a command that exceeded its time limit."""
OUTPUT_BYTES = 1 << 20
"""Limit of the kept output of a program that anybody may have written, as of a launch [B]."""

_ANSWER_BYTES = 64 << 20  # 100 x the output of the largest batch systems
_KILL_SECONDS = 5.0
_LOOKS = 2  # consecutive ones without a process
_PAUSE_SECONDS = 0.01
# A process that left the session of an ended command may hold its output open.
_LAST_SECONDS = 1.0
_SHORTEST_TURN_SECONDS, _LONGEST_TURN_SECONDS = 0.0005, 0.05
_PIECE_BYTES = 1 << 16


@dataclass(frozen=True)
class Finished:
    """The end of a short command.

    Attributes:
        code: exit code; 127 if it could not be started, 124 after its time limit.
        out: its standard output; of a long one head and tail, with a line in between that has the
            number of bytes left out.
        err: its standard error, the same.
    """

    code: int
    out: str
    err: str

    @property
    def ok(self) -> bool:
        """Whether the command ended with exit code 0."""
        return self.code == 0


class _Kept:
    """The head and the tail of a stream, in whole lines where possible."""

    def __init__(self, pipe: IO[bytes], most_bytes: int) -> None:
        self._pipe, self._half_bytes = pipe, most_bytes // 2
        self._head, self._tail, self._n_bytes = bytearray(), bytearray(), 0
        os.set_blocking(pipe.fileno(), False)

    def read(self) -> bool:
        """Read available bytes; returns whether more can come."""
        piece = self._pipe.read(_PIECE_BYTES)
        if not piece:
            return piece is None
        self._n_bytes += len(piece)
        room = self._half_bytes - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:]
        if len(self._tail) > 2 * self._half_bytes:
            del self._tail[: -self._half_bytes]
        return True

    def text(self) -> str:
        """The kept text."""
        head, tail = bytes(self._head), bytes(self._tail)
        if self._n_bytes > 2 * self._half_bytes:
            head = head[: head.rfind(b"\n") + 1] or head
            tail = tail[-self._half_bytes :]
            tail = tail[tail.find(b"\n") + 1 :] or tail
        left_out = self._n_bytes - len(head) - len(tail)
        cut = f"\n... {left_out} bytes are left out ...\n".encode() if left_out else b""
        text = (head + cut + tail).decode(errors="replace")  # UTF-8, whatever the locale
        return text.replace("\r\n", "\n").replace("\r", "\n")


def run(
    argv: Sequence[str | os.PathLike[str]],
    *,
    timeout_seconds: float = 20.0,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    most_bytes: int = _ANSWER_BYTES,
) -> Finished:
    """Run a short command to its end and return its output; its failure raises nothing.

    It returns within a few seconds of the time limit, and of the end of the command, whatever
    processes of the command continue or hold its output open.

    Args:
        argv: the command; no shell is involved.
        timeout_seconds: time after which the command's whole session is killed [s].
        environment: complete environment; None inherits ours in the C locale.
        most_bytes: limit of the kept output of each stream, half of it head and half tail [B].

    Raises:
        KeyboardInterrupt: a signal was received, now or before.
    """
    interruption.raise_if_asked()
    env = dict(os.environ, LC_ALL="C") if environment is None else dict(environment)
    try:
        child = subprocess.Popen(
            [os.fspath(word) for word in argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        return Finished(127, "", str(error))
    pipes = [pipe for pipe in (child.stdout, child.stderr) if pipe is not None]
    try:
        kept = [_Kept(pipe, most_bytes) for pipe in pipes]
        code = _follow(child, dict(zip(pipes, kept, strict=True)), timeout_seconds)
    except BaseException:
        end(child)
        raise
    finally:
        for pipe in pipes:
            pipe.close()
    out, err = (each.text() for each in kept)
    return Finished(code, out, err)


def _follow(child: subprocess.Popen[bytes], kept: Mapping[IO[bytes], _Kept], seconds: float) -> int:
    """Read a command's output until it ends, or is killed after a time; its exit code."""
    deadline, code, pause = time.monotonic() + seconds, None, _SHORTEST_TURN_SECONDS
    with selectors.DefaultSelector() as selector:
        for pipe, text in kept.items():
            selector.register(pipe, selectors.EVENT_READ, text)
        while code is None or selector.get_map():
            interruption.raise_if_asked()
            if code is None and child.poll() is not None:
                code, deadline = child.returncode, time.monotonic() + _LAST_SECONDS
            elif time.monotonic() >= deadline:
                if code is not None:
                    break
                end(child)
                code, deadline = OUT_OF_TIME, time.monotonic() + _LAST_SECONDS
            ready = selector.select(pause)
            pause = _SHORTEST_TURN_SECONDS if ready else min(2 * pause, _LONGEST_TURN_SECONDS)
            for key, _ in ready:
                if not key.data.read():
                    selector.unregister(key.fileobj)
    return code


def end(child: subprocess.Popen[bytes]) -> None:
    """Kill a child with its session and reap it; one that cannot be killed remains.

    Args:
        child: the leader of a session of its own, not yet reaped.
    """
    if child.returncode is None:
        kill_session(child.pid)
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=_KILL_SECONDS)


def detach(
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    out: Path,
    err: Path,
) -> subprocess.Popen[bytes]:
    """Start a long command in a session of its own that survives this process.

    Args:
        argv: the command; no shell is involved.
        out: file its standard output is appended to.
        err: file its standard error is appended to.

    Raises:
        OSError: the command cannot be started or the files cannot be opened.
    """
    with appending(out) as out_file, appending(err) as err_file:
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
    """Kill a session with all its processes; one that is gone is accepted.

    Tools such as ninja give every command a process group of its own: killing the group of the
    leader would leave compilers behind.

    Args:
        leader: process id of a child that is not yet reaped, so that its id is not reused.
    """
    groups = {leader}
    deadline = time.monotonic() + _KILL_SECONDS
    # A process that forks and ends may escape one look, but not a signal to its group.
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
    """The process groups of a session with running processes."""
    groups: set[int] = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):
                pid = int(entry.name)
                if os.getsid(pid) == leader and _runs(pid):
                    groups.add(os.getpgid(pid))
    return groups - {0, 1}


def _runs(pid: int) -> bool:
    """Whether a process has not ended; a zombie has."""
    state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:1]
    return state not in ([b"Z"], [b"X"])
