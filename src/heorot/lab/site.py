"""The files by which a lab is used: an agent, commands of the batch system, a site file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from heorot.lab import requirements
from heorot.lab.client import SUPERVISOR
from heorot.lab.inside import agent
from heorot.lab.model import HEAD, Laboratory
from heorot.lab.network import INTERFACE, SECOND_INTERFACE
from heorot.lab.quantities import Accounting
from heorot.lab.storage import MARK, mark_of
from heorot.writing import write as write_file

AGENT = "agent"
COMMANDS = "bin"
SITE = "site.yaml"
# Makes waiting ranks of Open MPI and of MPICH yield.
_YIELDING = {
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "64",
}


def write(directory: Path, laboratory: Laboratory) -> None:
    """Write the files by which a lab is used like any other site."""
    _script(directory / AGENT, directory, "runs a command on a node, as rsh does: NODE COMMAND...")
    if laboratory.slurm:
        (directory / COMMANDS).mkdir(exist_ok=True)
        for name in requirements.slurm_commands(laboratory.accounting):
            what = f"runs {name} on the head node"
            there = slurm_command(name, laboratory.accounting)
            # Jobs inherit the submitter's PATH, and call it for every step.
            mark = shlex.quote(mark_of(directory))
            inside = f'[ "${{{MARK}:-}}" = {mark} ] && exec {shlex.join(there)} "$@"\n'
            words = ("--exactly", HEAD, *there)
            _script(directory / COMMANDS / name, directory, what, *words, before=inside)
    write_file(directory / SITE, site_file(directory, laboratory))


def slurm_command(name: str, accounting: Accounting) -> tuple[str, ...]:
    """The words of a command of Slurm inside of a lab."""
    # Without a database, accounts are in a file.
    more = ("--completion",) if name == "sacct" and accounting == "file" else ()
    # By its path: the caller's PATH may begin with the wrappers.
    return (requirements.tool(name), *more)


def site_file(directory: Path, laboratory: Laboratory, commands: Path | None = None) -> str:
    """The text of the site file.

    Args:
        commands: directory of the Slurm commands of other users, whose file it then is: without the
            agent and the counters, which are root's. None for the file of the lab's owner.
    """
    agent = _quoted(directory / AGENT)
    lines = [
        f"# The lab {laboratory.name}, a cluster in a box; written by heorot lab.",
        f"system: {laboratory.name}",
        "hosts:",
    ]
    for node in laboratory.nodes:
        lines += [f"  - name: {node.name}", f"    cores: {laboratory.cpus_per_node}"]
    lines += [
        f"at_once: {laboratory.n_at_once}",
        *([] if commands else [f"agent: {agent}"]),
        "networks:",
        "  - name: lab",
        f"    interface: {INTERFACE}",
        *_link_lines(laboratory),
        "    topology: one switch",
        "    shared: false",
        *([] if commands else _counter_lines(agent)),
        *_yielding_lines(laboratory),
        *_second_lines(laboratory),
    ]
    if laboratory.slurm:
        place = _quoted(commands or directory / COMMANDS)
        lines += ["batch:", "  system: slurm", f"  commands: {place}"]
    return "\n".join(lines) + "\n"


def _link_lines(laboratory: Laboratory) -> list[str]:
    """Rate and latency of the network: those of the slowest link."""
    rates = [node.link.rate_bits for node in laboratory.nodes if node.link.rate_bits is not None]
    latency = max(node.link.latency_seconds for node in laboratory.nodes)
    lines = [f"    rate_bits: {_scaled(min(rates), 6)}"] if rates else []
    return lines + ([f"    latency_seconds: {_scaled(latency, -6)}"] if latency else [])


def _second_lines(laboratory: Laboratory) -> list[str]:
    """The second network: it shares the links and their delays."""
    if laboratory.second_rate_bits is None:
        return []
    return [
        "  - name: second",
        f"    interface: {SECOND_INTERFACE}",
        f"    rate_bits: {_scaled(laboratory.second_rate_bits, 6)}",
        *[line for line in _link_lines(laboratory) if "latency" in line],
        "    topology: one switch, the cables of the first",
        "    shared: false",
        *_yielding_lines(laboratory),
    ]


def _counter_lines(agent: str) -> list[str]:
    """How to read port counters: the supervisor has the bridge, with a port for each node."""
    asked = f"[{agent}, {SUPERVISOR}, 'ip -s -j link']"
    return ["    counters:", f"      command: {asked}", "      kind: ip-json"]


def _yielding_lines(laboratory: Laboratory) -> list[str]:
    """Variables by which waiting ranks yield, where nodes share processors.

    An MPI library only sees the node's own processors.
    """
    if laboratory.n_at_once == len(laboratory.nodes):
        return []
    return ["    environment:", *(f'      {name}: "{value}"' for name, value in _YIELDING.items())]


def _scaled(value: float, exponent: int) -> str:
    """A number that every YAML reader takes as one, such as `100.0e6`."""
    return f"{round(value / 10.0**exponent, 6)}e{exponent:+d}"


def _quoted(path: Path) -> str:
    """A path as YAML, with any characters."""
    text = str(path).replace("'", "''")
    return f"'{text}'"


def _script(path: Path, directory: Path, what: str, *words: str, before: str = "") -> None:
    command = [sys.executable, "-I", "-S", str(agent.__file__), *map(str, (directory, *words))]
    write_file(
        path,
        f"#!/bin/sh\n# Of the lab {directory.name}: {what}.\n"
        f'{before}exec {shlex.join(command)} "$@"\n',
        0o700,
    )
