"""Starts and restarts Slurm's daemons inside a lab."""

from __future__ import annotations

import os
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heorot.errors import SetupError
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.model import HEAD, LabNode, Laboratory
from heorot.lab.slurm import accounting, programs, users
from heorot.lab.slurm.configuration import FOLDER, real_memory, seen, slurm_conf, write_epilogue
from heorot.writing import write

_AUTHENTICATION = "munged"
_CONTROLLER = "slurmctld"
_DAEMON = "slurmd"
_KEY_BYTES = 1024
_AT_ONCE = 4
# Nodes that can answer have answered this long after the start of the controller.
_SETTLE_SECONDS = 15.0
_POLL_SECONDS = 0.1
# The paths of munge's socket, including its lock's suffix, have a limit of the kernel.
_MOST_SOCKET_BYTES = 100
# States of a node that can take jobs or has some; and of one that is drained by an administrator.
_WELL = ("idle", "alloc", "mix", "comp")
_SET_ASIDE = ("drain", "maint", "reserved")


def start(laboratory: Laboratory, client: LabClient) -> None:
    """Start Slurm and wait until every node can take jobs.

    Raises:
        SetupError: a daemon does not start.
    """
    folder = client.directory / FOLDER
    require_short(folder)
    require_short(seen(client.directory, laboratory))
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "state").mkdir(mode=0o700, exist_ok=True)
    text = slurm_conf(laboratory, client.directory, real_memory())
    configuration = seen(client.directory, laboratory) / "slurm.conf"
    if laboratory.is_open:
        users.show(configuration, text)
    else:
        write(configuration, text)
    write_epilogue(laboratory, client.directory)
    write(folder / "munge.key", os.urandom(_KEY_BYTES), 0o400)
    if laboratory.accounting == "slurmdbd":
        accounting.prepare(laboratory, client)
    _start_services(laboratory, client)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for done in [pool.submit(_start_node, client, node) for node in laboratory.nodes]:
            done.result()
    _await(client, [node.name for node in laboratory.nodes])


def heal(laboratory: Laboratory, client: LabClient, node: LabNode) -> list[str]:
    """Start the daemons of a node that do not run; returns the actions taken.

    It does not wait for daemons of other nodes.

    Raises:
        SetupError: a daemon does not start, or Slurm does not take the node back.
    """
    started = _start_services(laboratory, client)
    if node.name != HEAD and not programs.runs(client, node.name, _DAEMON):
        _start_node(client, node)
        started.append(_DAEMON)
    done = [f"{name} started" for name in started]
    if node.name == HEAD or _CONTROLLER in started:
        _await_nodes(
            client, [other.name for other in laboratory.nodes if _can_answer(client, other)]
        )
    reaches = node.name != HEAD and not laboratory.head.link.is_cut
    if reaches and not is_well(states(client).get(node.name, "")):
        _resume(client, [node.name])
        _await(client, [node.name])
        done.append("back in Slurm")
    return done


def states(client: LabClient) -> dict[str, str]:
    """States of nodes in Slurm, by name; empty if its controller does not answer."""
    answer = programs.command(client, ["sinfo", "--noheader", "--Node", "--format=%N %T"])
    return parse_states(answer.out)


def parse_states(text: str) -> dict[str, str]:
    """Names and states in the output of sinfo.

    Args:
        text: lines such as `n1 idle` or `n2 down*`.
    """
    pairs = (line.split() for line in text.splitlines())
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}  # noqa: PLR2004 (name, state)


def require_short(folder: Path) -> None:
    """Refuse a directory in which paths of sockets would be too long.

    Raises:
        SetupError: it is one.
    """
    if len(os.fsencode(folder / "munge.socket.lock")) > _MOST_SOCKET_BYTES:
        raise SetupError(
            f"the path of {folder} is too long for the sockets of munge",
            "set XDG_RUNTIME_DIR to a directory with a shorter path, or choose a shorter --name",
        )


def is_well(state: str) -> bool:
    """Whether a node can take jobs; a mark at the end means that it does not respond.

    Args:
        state: its state in the output of sinfo.
    """
    return state.startswith(_WELL) and not state.endswith("*")


def _start_services(laboratory: Laboratory, client: LabClient) -> list[str]:
    """Start missing services of all nodes; the names of the programs."""
    started = []
    if not programs.runs(client, SUPERVISOR, _AUTHENTICATION):
        _start_authentication(laboratory, client)
        started.append(_AUTHENTICATION)
    if laboratory.accounting == "slurmdbd":
        started += accounting.start(laboratory, client)
    if programs.has_ended(client, HEAD, _CONTROLLER, lambda: states(client)):
        programs.start(client, HEAD, _CONTROLLER)
        started.append(_CONTROLLER)
    return started


def _start_authentication(laboratory: Laboratory, client: LabClient) -> None:
    folder = client.directory / FOLDER
    socket = seen(client.directory, laboratory) / "munge.socket"
    # One for all nodes: sockets in the file system are the same in every network namespace. munge
    # insists on directories that all users can enter; the lab's are for its owner only.
    words = ["--force", f"--socket={socket}", f"--key-file={folder}/munge.key"]
    words += [f"--{kind}-file={folder}/munge.{kind}" for kind in ("pid", "log", "seed")]
    programs.start(client, SUPERVISOR, _AUTHENTICATION, words)


def _start_node(client: LabClient, node: LabNode) -> None:
    programs.start(client, node.name, _DAEMON, ["-N", node.name])


def _can_answer(client: LabClient, node: LabNode) -> bool:
    """Whether a controller that has just started will get an answer of a node."""
    is_there = client.lives(node.name) and not node.link.is_cut
    return is_there and programs.runs(client, node.name, _DAEMON)


def _await_nodes(client: LabClient, nodes: Collection[str]) -> None:
    """Wait until the controller answers and, within a time limit, until these nodes respond.

    It would repeat its query of lost nodes only minutes later.
    """
    programs.wait_while(client, lambda: "" if states(client) else "its controller")
    seen = states(client)
    if lost := [name for name in nodes if seen.get(name) == "down*"]:
        _resume(client, lost)
    deadline = client.clock.monotonic() + _SETTLE_SECONDS
    while client.clock.monotonic() < deadline:
        seen = states(client)
        known = [seen.get(name, "") for name in nodes]
        if all(is_well(state) or state.startswith(_SET_ASIDE) for state in known):
            return
        client.clock.sleep(_POLL_SECONDS)


def _resume(client: LabClient, nodes: Collection[str]) -> None:
    words = ["scontrol", "update", f"nodename={','.join(nodes)}", "state=resume"]
    programs.command(client, words)


def _await(client: LabClient, nodes: Collection[str]) -> None:
    """Wait until these nodes can take jobs."""

    def lacking() -> str:
        seen = states(client)
        if not seen:
            return "its controller"
        late = [name for name in nodes if not is_well(seen.get(name, ""))]
        return f"node {late[0]}: it is {seen.get(late[0], 'unknown')}" if late else ""

    programs.wait_while(client, lacking)
