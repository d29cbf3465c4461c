"""The monitored hosts, and parallel commands on them."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from heorot import process
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.monitoring.collect.node_loads import CLOCKS, ClockAnswer
from heorot.monitoring.session.switch_counters import Counters
from heorot.writing import append

_Answer = TypeVar("_Answer")
_ASK_SECONDS = 20.0
_AT_ONCE = 32
_UNREACHED = 255


@dataclass
class Watch:
    """Running samplers.

    Attributes:
        nodes: the monitored nodes, in the order of the machine.
        agent: the words before a host and a command; none for this machine only.
        interval_seconds: between two samples [s].
        unwatched: nodes that are not monitored, and why.
        counters: queries switches meanwhile; None without any.
        clock: clock of waits for the end of samplers.
    """

    directory: Path
    nodes: tuple[str, ...]
    agent: tuple[str, ...]
    interval_seconds: float
    unwatched: dict[str, str] = field(default_factory=dict)
    counters: Counters | None = None
    clock: Clock = SYSTEM_CLOCK


def on_each(hosts: Sequence[str], ask: Callable[[str], _Answer]) -> list[_Answer]:
    """Query many hosts at once; answers in their order."""
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return list(pool.map(ask, hosts))


def run_there(watch: Watch, host: str, command: Sequence[str]) -> process.Finished:
    """Run a short command on a host."""
    argv = [*watch.agent, host, shlex.join(command)] if watch.agent else list(command)
    return process.run(argv, timeout_seconds=_ASK_SECONDS)


def answer(watch: Watch, host: str, command: Sequence[str]) -> ClockAnswer | str:
    """A host's clock, from the last word of a command's output there; or an error."""
    asked = time.time()  # compared with the time there
    ended = run_there(watch, host, command)
    answers = time.time()
    if not ended.ok:
        lines = ended.err.strip().splitlines()
        what = "it cannot be reached" if ended.code == _UNREACHED else "no sampler starts there"
        return f"{what}: {lines[0] if lines else f'exit code {ended.code}'}"
    try:
        return ClockAnswer(node=host, asked=asked, time=float(ended.out.split()[-1]), told=answers)
    except (ValueError, IndexError):  # its answer is no time
        return f"it does not report its time: {ended.out.strip()[:40]!r}"


def note_time(directory: Path, answer: ClockAnswer) -> None:
    """Keep the answer of a clock; a full disk is ignored."""
    with suppress(OSError):
        append(directory / CLOCKS, answer.model_dump_json() + "\n")
