"""Ends samplers: by a file that they poll, then by a signal; dead nodes are not awaited."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from heorot.files import open_regular
from heorot.monitoring.collect.node_loads import SUFFIX, ClockAnswer
from heorot.monitoring.session.sampled_hosts import Watch, answer, note_time, on_each, run_there
from heorot.writing import append

STOP = "stop"
"""The file that samplers poll, next to their samples."""

_POLL_SECONDS = 0.05
# Time for samplers to see that file, in addition to two intervals: new files on a shared file
# system appear late on other nodes [s].
_PATIENCE_SECONDS = 5.0
# Samplers with longer intervals are woken by a signal [s].
_LONGEST_SLEEP_SECONDS = 30.0
_TIME = ("date", "+%s.%N")
_END = b"end "
_TAIL_BYTES = 4096
# Ends the sampler of a file: its process id may be reused, also by another sampler.
_KILL = (
    'out=$(tr "\\0" "\\n" <"/proc/$1/cmdline" | sed -n "s/^--out=//p")'
    ' && [ "$out" -ef "$2" ] && kill -TERM "$1"'
)


def alive(watch: Watch) -> list[str]:
    """Hosts that answer, or whose samplers write: dead ones never write an end.

    The clocks of those that answer are kept.
    """
    there = [host for host in watch.nodes if host not in watch.unwatched]
    before = {host: _size(watch, host) for host in there}
    answers = on_each(there, lambda host: answer(watch, host, _TIME))
    answering = []
    for host, reply in zip(there, answers, strict=True):
        if isinstance(reply, ClockAnswer):
            note_time(watch.directory, reply)
            answering.append(host)
    if len(answering) < len(there):
        watch.clock.sleep(_two_intervals(watch))
    return [host for host in there if host in answering or _size(watch, host) > before[host]]


def end_samplers(watch: Watch, hosts: Sequence[str]) -> list[str]:
    """Ask samplers that have not ended to do so, by a file, then by a signal.

    Returns:
        hosts of those that were signalled and have not written an end yet.
    """
    # Also for those that are unreachable now, and see the file later.
    if _running(watch, watch.nodes):
        with suppress(OSError):  # disk full: the signal remains
            append(watch.directory / STOP, "")
    left = _left_after(watch, hosts, _two_intervals(watch) + _PATIENCE_SECONDS)
    killed = on_each(left, lambda host: _kill(watch, host))
    # Wait for their end lines: without them they would count as dead.
    stuck = [host for host, is_killed in zip(left, killed, strict=True) if is_killed]
    return _left_after(watch, stuck, _PATIENCE_SECONDS)


def _two_intervals(watch: Watch) -> float:
    """The time in which every sampler writes, limited for very long intervals [s]."""
    return min(2 * watch.interval_seconds, _LONGEST_SLEEP_SECONDS)


def _size(watch: Watch, host: str) -> int:
    """Size of the samples of a host; opening the file refreshes a shared file system [B]."""
    with suppress(OSError), open_regular(watch.directory / f"{host}{SUFFIX}") as file:
        return os.fstat(file.fileno()).st_size
    return 0


def _left_after(watch: Watch, hosts: Sequence[str], seconds: float) -> list[str]:
    """Hosts whose samplers have written no end after a time [s]; sooner if all have."""
    deadline = watch.clock.monotonic() + seconds
    left = _running(watch, hosts)
    while left and watch.clock.monotonic() < deadline:
        watch.clock.sleep(_POLL_SECONDS)
        left = _running(watch, hosts)
    return left


def _kill(watch: Watch, host: str) -> bool:
    """Whether there was a sampler to end."""
    file = watch.directory / f"{host}{SUFFIX}"
    try:
        pid = _pid(file)
    except OSError:
        return False
    return run_there(watch, host, ["sh", "-c", _KILL, "monitor", pid, str(file)]).ok


def _running(watch: Watch, hosts: Sequence[str]) -> list[str]:
    """Hosts whose samplers have written no end; many of them may be dead."""
    left = []
    for host in hosts:
        path = watch.directory / f"{host}{SUFFIX}"
        with suppress(OSError), open_regular(path) as file:
            # Only the end is read: this is called often, and the samples of a test are many
            # megabytes.
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
            if last and not last.startswith(_END):
                left.append(host)
    return left


def _pid(path: Path) -> str:
    """The process id of the sampler that began last; 0 if there is none."""
    found = "0"
    with open_regular(path) as file:
        for line in file:
            if line.startswith(b"monitor "):
                words = dict(word.split(b"=", 1) for word in line.split() if b"=" in word)
                pid = words.get(b"pid", b"0").decode(errors="replace")
                found = pid if pid.isdecimal() else "0"
    return found
