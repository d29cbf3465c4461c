"""Starts and restarts Slurm's daemons inside a lab."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heorot.errors import SetupError
from heorot.lab.doors import KEEPER, Doors
from heorot.lab.model import HEAD, LabNode, Laboratory
from heorot.lab.parts import tool
from heorot.lab.slurm.configuration import FOLDER, real_memory, slurm_conf
from heorot.suggestion import suggest

_KEY_BYTES = 1024
_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.1
_AT_ONCE = 4
# The paths of munge's socket: no longer than the kernel allows, with its lock's suffix.
_MOST_SOCKET_BYTES = 100
# States of a node that can take jobs, or has them.
_WELL = ("idle", "alloc", "mix", "comp")


def start(laboratory: Laboratory, doors: Doors) -> None:
    """Start Slurm and wait until every node can take jobs.

    Raises:
        SetupError: a daemon does not start.
    """
    folder = doors.directory / FOLDER
    require_short(folder)
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "state").mkdir(mode=0o700, exist_ok=True)
    text = slurm_conf(laboratory, doors.directory, real_memory())
    (folder / "slurm.conf").write_text(text, encoding="utf-8")
    key = folder / "munge.key"
    key.write_bytes(os.urandom(_KEY_BYTES))
    key.chmod(0o400)
    _start_authentication(doors)
    _daemon(doors, HEAD, "slurmctld", [])
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for done in [pool.submit(_start_node, doors, node) for node in laboratory.nodes]:
            done.result()
    _await(doors, [node.name for node in laboratory.nodes])


def heal(laboratory: Laboratory, doors: Doors, node: LabNode) -> list[str]:
    """Start what should run on a node and does not; says what was done.

    Args:
        laboratory: the lab.
        doors: of the lab.
        node: which lives.

    Raises:
        SetupError: a daemon does not start, or Slurm does not take the node back.
    """
    done = []
    if "munged" not in _programs(doors, KEEPER):
        _start_authentication(doors)
        done.append("munged started")
    if "slurmctld" not in _programs(doors, HEAD):
        _daemon(doors, HEAD, "slurmctld", [])
        done.append("slurmctld started")
    if node.name == HEAD:
        alive = [other.name for other in laboratory.nodes if doors.lives(other.name)]
        _await(doors, [name for name in alive if "slurmd" in _programs(doors, name)])
        return done
    if "slurmd" not in _programs(doors, node.name):
        _start_node(doors, node)
        done.append("slurmd started")
    if not _is_well(states(doors).get(node.name, "")):
        _slurm(doors, ["scontrol", "update", f"nodename={node.name}", "state=resume"])
        _await(doors, [node.name])
        done.append("back in Slurm")
    return done


def states(doors: Doors) -> dict[str, str]:
    """What Slurm says of its nodes, by their names; nothing if its controller does not answer."""
    said = _slurm(doors, ["sinfo", "--noheader", "--Node", "--format=%N %T"])
    return parse_states(said)


def parse_states(said: str) -> dict[str, str]:
    """Names and states that sinfo printed.

    Args:
        said: lines such as `n1 idle` or `n2 down*`.
    """
    pairs = (line.split() for line in said.splitlines())
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}  # noqa: PLR2004 (name, state)


def require_short(folder: Path) -> None:
    """Refuse a directory in which sockets would have names that are too long.

    Raises:
        SetupError: it is one.
    """
    if len(os.fsencode(folder / "munge.socket.lock")) > _MOST_SOCKET_BYTES:
        raise SetupError(
            f"the path of {folder} is too long for the sockets of munge",
            "set XDG_RUNTIME_DIR to a directory with a shorter path, or choose a shorter --name",
        )


def _is_well(state: str) -> bool:
    """Whether a node can take jobs; a mark at the end says that it does not answer."""
    return state.startswith(_WELL) and not state.endswith("*")


def _start_authentication(doors: Doors) -> None:
    folder = doors.directory / FOLDER
    # One for all nodes: sockets in the file system are the same in every network namespace. It
    # insists on directories that everybody can enter; the lab's are for its owner alone.
    words = ["--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/munge.key"]
    words += [f"--{kind}-file={folder}/munge.{kind}" for kind in ("pid", "log", "seed")]
    _daemon(doors, KEEPER, "munged", words)


def _start_node(doors: Doors, node: LabNode) -> None:
    _daemon(doors, node.name, "slurmd", ["-N", node.name])


def _daemon(doors: Doors, node: str, name: str, options: Sequence[str]) -> None:
    done = doors.command(node, [tool(name), *options])
    if not done.ok:
        lines = (done.err or done.out).strip().splitlines() or [f"exit code {done.code}"]
        raise SetupError(
            f"{name} does not start on {node}: {lines[-1]}",
            f"look into the logs in {doors.directory / FOLDER}",
        )


def _programs(doors: Doors, node: str) -> Collection[str]:
    programs: dict[str, list[int]] = doors.operate(node, "look")["programs"]
    return programs


def _slurm(doors: Doors, argv: Sequence[str]) -> str:
    return doors.command(HEAD, [tool(argv[0]), *argv[1:]]).out


def _await(doors: Doors, nodes: Collection[str]) -> None:
    """Wait until the controller answers and these nodes are well."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        seen = states(doors)
        late = [name for name in nodes if not _is_well(seen.get(name, ""))]
        if seen and not late:
            return
        if time.monotonic() > deadline:
            who = (
                f"node {late[0]}: it is {seen.get(late[0], 'unknown')}"
                if seen
                else "its controller"
            )
            raise SetupError(
                f"Slurm waits for {who}",
                f"look into the logs in {doors.directory / FOLDER}; "
                f"end the lab: {suggest('lab', 'down', '--name', doors.directory.name)}",
            )
        time.sleep(_POLL_SECONDS)
