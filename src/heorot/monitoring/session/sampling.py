"""Starts a sampler on every node, ends them all, and collects what they wrote.

A sampler is a process of its own that outlives us. It ends when the directory of its samples has a
file `stop`, and in any case when its time is up: nothing of it stays behind for longer.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from heorot import interruption
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import SiteCounters
from heorot.model.machine.toolchain import Toolchain
from heorot.monitoring.collect.node_loads import SUFFIX, ClockAnswer, read_monitoring
from heorot.monitoring.model import Monitoring
from heorot.monitoring.session.sampled_hosts import Watch, answer, note_time, on_each
from heorot.monitoring.session.sampler_end import STOP, alive, end_samplers
from heorot.monitoring.session.switch_counters import Counters
from heorot.session.external_programs.launches import find_tool

MONITOR = "harness/monitor"
"""The program that samples a node."""

_LATEST = 4
_OCCUPIED = "a sampler of an earlier heorot has not ended there"


def find_monitor(chains: Sequence[Toolchain], machine: Machine) -> Path:
    """The program that samples a node, built by the first toolchain that can.

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
    clock: Clock = SYSTEM_CLOCK,
) -> Watch:
    """Start a sampler on every host; what samples there goes on behind what the directory has.

    A host that cannot be reached is not watched; that stops nothing.

    Args:
        hosts: of the machine; none means this one.
        directory: for the samples, which all hosts see.
        longest_seconds: after which samplers end, whatever becomes of us [s].
        counters: how switches are asked; None asks none.
    """
    directory.mkdir(parents=True, exist_ok=True)
    nodes = tuple(hosts) or (platform.node(),)
    watch = Watch(directory, nodes, tuple(agent), interval_seconds, clock=clock)
    late = end_samplers(watch, nodes)  # those of an earlier heorot
    watch.unwatched |= dict.fromkeys(late, _OCCUPIED)
    (directory / STOP).unlink(missing_ok=True)
    wanted = [host for host in nodes if host not in late]
    answers = on_each(wanted, lambda host: _start_one(watch, program, host, longest_seconds))
    for host, said in zip(wanted, answers, strict=True):
        if isinstance(said, str):
            watch.unwatched[host] = said
        else:
            note_time(directory, said)
    if counters is not None:
        watch.counters = Counters(counters, directory, clock)
        watch.counters.start()
    return watch


def stop(watch: Watch) -> Monitoring:
    """End all samplers, and read what they and the switches told."""
    with interruption.finishing():
        if watch.counters is not None:
            watch.counters.stop()
        late = end_samplers(watch, alive(watch))
    found = read_monitoring(watch.directory, watch.nodes, unwatched=watch.unwatched)
    # One that lived when it was signalled has not fallen silent, however late it says so.
    nodes = (
        replace(node, ending="signal") if node.name in late and node.ending == "silent" else node
        for node in found.nodes
    )
    return replace(found, nodes=tuple(nodes))


def look(watch: Watch) -> Monitoring:
    """What the nodes did in the last moments, while samplers run."""
    return read_monitoring(watch.directory, watch.nodes, unwatched=watch.unwatched, latest=_LATEST)


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
    return answer(watch, host, command)
