"""Starts a sampler on every node, ends them all, and collects their samples.

A sampler is a process of its own that survives this one. It ends when the directory of its samples
has a file `stop`, and in any case after a time limit.
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
    """The sampler, built by the first toolchain that can.

    Raises:
        BuildError: it does not compile.
    """
    return find_tool(MONITOR, "the node monitor", chains, machine)


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
    """Start a sampler on every host; new samples are appended to those in the directory.

    A host that cannot be reached is not monitored; that is no error.

    Args:
        hosts: of the machine; none means this one.
        directory: for the samples, visible on all hosts.
        longest_seconds: time limit of samplers [s].
        counters: how switches are queried; None queries none.
    """
    directory.mkdir(parents=True, exist_ok=True)
    nodes = tuple(hosts) or (platform.node(),)
    watch = Watch(directory, nodes, tuple(agent), interval_seconds, clock=clock)
    late = end_samplers(watch, nodes)  # of an earlier heorot process
    watch.unwatched |= dict.fromkeys(late, _OCCUPIED)
    (directory / STOP).unlink(missing_ok=True)
    wanted = [host for host in nodes if host not in late]
    answers = on_each(wanted, lambda host: _start_one(watch, program, host, longest_seconds))
    for host, reply in zip(wanted, answers, strict=True):
        if isinstance(reply, str):
            watch.unwatched[host] = reply
        else:
            note_time(directory, reply)
    if counters is not None:
        watch.counters = Counters(counters, directory, clock)
        watch.counters.start()
    return watch


def stop(watch: Watch) -> Monitoring:
    """End all samplers, and read their samples and the counters of switches."""
    with interruption.finishing():
        if watch.counters is not None:
            watch.counters.stop()
        late = end_samplers(watch, alive(watch))
    found = read_monitoring(watch.directory, watch.nodes, unwatched=watch.unwatched)
    # A sampler that was alive when signalled is not silent, however late its end line comes.
    nodes = (
        replace(node, ending="signal") if node.name in late and node.ending == "silent" else node
        for node in found.nodes
    )
    return replace(found, nodes=tuple(nodes))


def look(watch: Watch) -> Monitoring:
    """The most recent activity of the nodes, while samplers run."""
    return read_monitoring(watch.directory, watch.nodes, unwatched=watch.unwatched, latest=_LATEST)


def _start_one(watch: Watch, program: Path, host: str, longest_seconds: float) -> ClockAnswer | str:
    """Start a sampler; the answer of its clock, or an error."""
    command = [
        str(program),
        f"--out={watch.directory / (host + SUFFIX)}",
        f"--host={host}",
        f"--interval={watch.interval_seconds:g}",
        f"--seconds={longest_seconds:.0f}",
        "--detach",
    ]
    return answer(watch, host, command)
