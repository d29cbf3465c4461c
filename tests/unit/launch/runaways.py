"""Processes that escape by forking."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, Popen

from heorot.jobs.marked_processes import environment_of, pids

# Each forks and ends, so that none exists for long; in sessions of their own on request.
_CHAIN = """
import os, sys, time
end = time.monotonic() + 30
while time.monotonic() < end:
    if os.fork():
        os._exit(0)
    if "apart" in sys.argv:
        os.setsid()
    time.sleep(float(sys.argv[1]))
"""


def chain_command(*, seconds: float, apart: bool) -> list[str]:
    """A command that ends at once and leaves a chain of forks, for half a minute at most.

    Args:
        seconds: how long each link lives [s].
        apart: whether each link begins a session.
    """
    return [sys.executable, "-S", "-E", "-c", _CHAIN, str(seconds), *["apart"] * apart]


def start_chain(mark: str, *, seconds: float, apart: bool) -> None:
    """Start such a chain whose links carry a mark; returns when its first has ended."""
    name, _, value = mark.partition("=")
    with Popen(
        chain_command(seconds=seconds, apart=apart),
        stdin=DEVNULL,
        stdout=DEVNULL,
        start_new_session=True,
        env=os.environ | {name: value},
    ):
        pass


def survives(mark: str) -> bool:
    """Whether any process with a mark is seen by repeated looks."""
    for _ in range(20):
        if any(mark.encode() in environment_of(pid) for pid in pids()):
            return True
        time.sleep(0.005)
    return False


def is_there(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
