"""Starts a sampler on every node, ends them all, and collects what they wrote.

A sampler is a process of its own that outlives us. It ends when the directory of its samples has a
file `stop`, and in any case when its time is up: nothing of it stays behind for longer.
"""

from __future__ import annotations

import platform
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from heorot import interruption, process
from heorot.collect.monitoring.clocks import CLOCKS, ClockAnswer
from heorot.collect.monitoring.read import SUFFIX, read_monitoring
from heorot.model.batch.monitoring import Monitoring
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import SiteCounters
from heorot.model.machine.toolchain import Toolchain
from heorot.session.monitoring.counters import Counters
from heorot.session.others.launches import find_tool

MONITOR = "harness/monitor"
"""The program that samples a node."""

_Answer = TypeVar("_Answer")
_STOP = "stop"
_ASK_SECONDS = 20.0
_AT_ONCE = 32
_POLL_SECONDS = 0.05
# How long samplers may take to see that they are to end, beyond two intervals: other nodes see a
# new file on a shared file system only after a while [s].
_PATIENCE_SECONDS = 5.0
# Those that sleep for longer are woken by a signal [s].
_LONGEST_SLEEP_SECONDS = 30.0
_UNREACHED = 255
_LATEST = 4
_END = b"end "
_TAIL_BYTES = 4096
# Ends the sampler that wrote a file, and only a process that is one.
_KILL = (
    'read -r name </proc/"$1"/comm && case $name in monitor*) kill -TERM "$1" ;; *) false ;; esac',
    "monitor",
)


@dataclass
class Watch:
    """Samplers that run.

    Attributes:
        directory: of the samples.
        nodes: those that are watched, in the order of the machine.
        agent: the words in front of a host and a command; none if there is only this machine.
        interval_seconds: between two samples [s].
        unwatched: nodes that are not watched, and why.
        cpus: of nodes, where that is known better than by looking.
        counters: asks switches meanwhile; None if there are none to ask.
    """

    directory: Path
    nodes: tuple[str, ...]
    agent: tuple[str, ...]
    interval_seconds: float
    unwatched: dict[str, str] = field(default_factory=dict)
    cpus: dict[str, int] = field(default_factory=dict)
    counters: Counters | None = None


def find_monitor(chains: Sequence[Toolchain], machine: Machine) -> Path:
    """The program that samples a node, built by the first toolchain that can.

    Args:
        chains: toolchains.
        machine: for whose nodes it is built.

    Raises:
        BuildError: it does not compile.
    """
    return find_tool(MONITOR, "what watches the nodes", chains, machine)


def start(
    hosts: Sequence[str],
    agent: Sequence[str],
    program: Path,
    directory: Path,
    interval_seconds: float = 1.0,
    *,
    longest_seconds: float,
    counters: SiteCounters | None = None,
    cpus: Mapping[str, int] | None = None,
) -> Watch:
    """Start a sampler on every host; what samples there goes on behind what the directory has.

    A host that cannot be reached is not watched; that stops nothing.

    Args:
        hosts: of the machine; none means this one.
        agent: the words in front of a host and a command; none starts it here.
        program: the sampler.
        directory: for the samples, which all hosts see.
        interval_seconds: between two samples [s].
        longest_seconds: after which samplers end, whatever becomes of us [s].
        counters: how switches are asked; None asks none.
        cpus: of hosts, where that is known better than by looking.
    """
    directory.mkdir(parents=True, exist_ok=True)
    nodes = tuple(hosts) or (platform.node(),)
    watch = Watch(directory, nodes, tuple(agent), interval_seconds, cpus=dict(cpus or {}))
    _end_samplers(watch, nodes)  # those of an earlier heorot
    (directory / _STOP).unlink(missing_ok=True)
    answers = on_each(nodes, lambda host: _start_one(watch, program, host, longest_seconds))
    for host, answer in zip(nodes, answers, strict=True):
        if isinstance(answer, str):
            watch.unwatched[host] = answer
        else:
            _note(directory, answer)
    if counters is not None:
        watch.counters = Counters(counters, directory)
        watch.counters.start()
    return watch


def stop(watch: Watch) -> Monitoring:
    """End all samplers, and read what they and the switches told.

    Args:
        watch: what was started.
    """
    with interruption.finishing():
        if watch.counters is not None:
            watch.counters.stop()
        there = [host for host in watch.nodes if host not in watch.unwatched]
        answers = on_each(there, lambda host: _ask_time(watch, host))
        alive = [answer for answer in answers if isinstance(answer, ClockAnswer)]
        for answer in alive:
            _note(watch.directory, answer)
        # Dead nodes write no end, however long one waits.
        _end_samplers(watch, [answer.node for answer in alive])
    return read_monitoring(watch.directory, watch.nodes, cpus=watch.cpus, unwatched=watch.unwatched)


def look(watch: Watch) -> Monitoring:
    """What the nodes did in the last moments, while samplers run.

    Args:
        watch: what was started.
    """
    return read_monitoring(
        watch.directory,
        watch.nodes,
        cpus=watch.cpus,
        unwatched=watch.unwatched,
        latest=_LATEST,
    )


def on_each(hosts: Sequence[str], ask: Callable[[str], _Answer]) -> list[_Answer]:
    """Ask many hosts at once; answers in their order."""
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        return list(pool.map(ask, hosts))


def run_there(watch: Watch, host: str, command: Sequence[str]) -> process.Finished:
    """Run a short command on a host."""
    argv = [*watch.agent, host, shlex.join(command)] if watch.agent else list(command)
    return process.run(argv, timeout_seconds=_ASK_SECONDS)


def _start_one(watch: Watch, program: Path, host: str, longest_seconds: float) -> ClockAnswer | str:
    """Start a sampler; what its clock said, or why there is none."""
    command = [
        str(program),
        f"--out={watch.directory / (host + SUFFIX)}",
        f"--host={host}",
        f"--interval={watch.interval_seconds:g}",
        f"--seconds={longest_seconds:.0f}",
        "--detach",
    ]
    return _answer(watch, host, command)


def _ask_time(watch: Watch, host: str) -> ClockAnswer | str:
    return _answer(watch, host, ["date", "+%s.%N"])


def _answer(watch: Watch, host: str, command: Sequence[str]) -> ClockAnswer | str:
    """What the clock of a host says, by the last word of a command there; or why it does not."""
    asked = time.time()
    said = run_there(watch, host, command)
    told = time.time()
    if not said.ok:
        lines = said.err.strip().splitlines()
        what = "it cannot be reached" if said.code == _UNREACHED else "no sampler starts there"
        return f"{what}: {lines[0] if lines else f'exit code {said.code}'}"
    try:
        return ClockAnswer(node=host, asked=asked, time=float(said.out.split()[-1]), told=told)
    except (ValueError, IndexError):  # its answer is no time
        return f"it does not say its time: {said.out.strip()[:40]!r}"


def _note(directory: Path, answer: ClockAnswer) -> None:
    """Keep what a clock said; whether there is room for that is not what matters most."""
    with suppress(OSError), (directory / CLOCKS).open("a", encoding="utf-8") as file:
        file.write(answer.model_dump_json() + "\n")


def _end_samplers(watch: Watch, hosts: Sequence[str]) -> None:
    """Ask samplers that have not ended to do so, by a file, then by a signal."""
    # Also for those that cannot be reached now, and see the file later.
    if _running(watch, watch.nodes):
        with suppress(OSError):  # no room: the signal remains
            (watch.directory / _STOP).touch()
    sleep = min(2 * watch.interval_seconds, _LONGEST_SLEEP_SECONDS)
    left = _left_after(watch, hosts, sleep + _PATIENCE_SECONDS)
    killed = on_each(left, lambda host: _kill(watch, host))
    # They say that they end: whoever reads before that takes them for dead.
    told = [host for host, is_killed in zip(left, killed, strict=True) if is_killed]
    _left_after(watch, told, _PATIENCE_SECONDS)


def _left_after(watch: Watch, hosts: Sequence[str], seconds: float) -> list[str]:
    """Hosts whose samplers have written no end after so long [s]; sooner if all have."""
    deadline = time.monotonic() + seconds
    left = _running(watch, hosts)
    while left and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        left = _running(watch, hosts)
    return left


def _kill(watch: Watch, host: str) -> bool:
    """Whether there was a sampler to end."""
    script, name = _KILL
    try:
        pid = _pid(watch.directory / f"{host}{SUFFIX}")
    except OSError:
        return False
    return run_there(watch, host, ["sh", "-c", script, name, pid]).ok


def _running(watch: Watch, hosts: Sequence[str]) -> list[str]:
    """Hosts whose samplers have written no end; many of them may be gone."""
    left = []
    for host in hosts:
        path = watch.directory / f"{host}{SUFFIX}"
        with suppress(OSError), path.open("rb") as file:
            # No more than the end of it: we ask often, and a day is many megabytes.
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
            if last and not last.startswith(_END):
                left.append(host)
    return left


def _pid(path: Path) -> str:
    """The process id of the sampler that began last; 0 if none says its own."""
    found = "0"
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b"monitor "):
                words = dict(word.split(b"=", 1) for word in line.split() if b"=" in word)
                pid = words.get(b"pid", b"0").decode(errors="replace")
                found = pid if pid.isdecimal() else "0"
    return found
