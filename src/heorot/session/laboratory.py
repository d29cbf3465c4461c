"""Implements `heorot lab`: manages a cluster in a box, and runs commands on it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from heorot.build.packages import compiler_command
from heorot.build.programs import cache_directory
from heorot.build.sources import native_directory
from heorot.errors import UsageError
from heorot.files import real
from heorot.lab import changes, lifecycle, status, storage
from heorot.lab.client import LabClient
from heorot.lab.inside import agent
from heorot.lab.inside.node import OWN
from heorot.lab.model import HEAD
from heorot.lab.quantities import is_name
from heorot.lab.site import SITE
from heorot.lab.slurm import users
from heorot.lab.switch import Switch
from heorot.suggestion import suggest

LabRequest = lifecycle.LabRequest
LabStatus = status.LabStatus
NodeStatus = status.NodeStatus
up = lifecycle.up
down = lifecycle.down
look = status.status
kill = changes.kill
cut = changes.cut
unwell = changes.unwell
names = storage.names


def switch() -> Switch:
    """The switch of a lab."""
    return Switch(native_directory(), cache_directory, compiler_command)


def site_file(name: str) -> Path:
    """The site file of a lab."""
    return storage.directory_of(name) / SITE


def users_site_file(name: str) -> Path:
    """The site file of an open lab for other users."""
    return users.folder_of(storage.directory_of(name)) / SITE


def find_site_file(name: str) -> Path | None:
    """The site file of an existing lab.

    Raises:
        SetupError: the lab may belong to another user.
    """
    if not is_name(name):
        return None
    storage.require_own(storage.directory_of(name))
    file = site_file(name)
    return file if file.exists() else None


def lab_of(site: Path | None) -> str:
    """The name of the lab of a site file; empty for none."""
    if site is None:
        return ""
    there = real(site)
    return next((name for name in names() if real(site_file(name)) == there), "")


def require_seen(site: Path | None, run: Path) -> None:
    """Refuse a run directory that nodes of a lab cannot see: each has a /tmp of its own.

    Args:
        run: the run directory, or its parent.

    Raises:
        UsageError: it is such a directory.
    """
    name, known = _sharing(site)
    if not name:
        return
    path = real(run)
    own = next((each for each in map(Path, OWN) if each in (path, *path.parents)), None)
    shared = {Path(each) for each in known}
    if own is not None and not shared & {path, *path.parents}:
        raise UsageError(
            f"the nodes of the lab {name} cannot see {path}: each has its own {own}",
            f"choose a directory outside of {own} with --out, or make the lab anew with "
            f"--shared {path if path.is_dir() else path.parent}",
        )


def _sharing(site: Path | None) -> tuple[str, list[str]]:
    """The lab of a site file, empty for none, and the directories in /tmp that its nodes share."""
    if name := lab_of(site):
        return name, lifecycle.shared_of(storage.directory_of(name))
    return (site and users.sharing(site)) or ("", [])


def heal(name: str, node: str) -> list[str]:
    """Bring a node back; returns the actions in words.

    Raises:
        UsageError: there is no such lab or node.
        SetupError: the kernel refuses, or a daemon does not start.
    """
    return changes.heal(name, node, switch())


def shape(name: str, nodes: Sequence[str], **fields: float | None) -> None:
    """Change the links of nodes.

    Raises:
        UsageError: there is no such lab or node, or a node is dead.
        SetupError: the kernel refuses, or the switch cannot be made.
    """
    changes.shape(name, nodes, switch(), fields)


def run(name: str, nodes: Sequence[str], command: Sequence[str], user: str | None = None) -> int:
    """Run a command on the head or on nodes; returns the worst exit code.

    On several nodes its output has the node's name in front, and it has no input.

    Args:
        nodes: to run on; empty for the head.
        user: another user to run as, on the head of an open lab; None for this one.

    Raises:
        UsageError: there is no such lab or node, or a node is dead.
    """
    laboratory = storage.load(name)
    directory = storage.directory_of(name)
    everyone = [node.name for node in laboratory.nodes]
    chosen = everyone if list(nodes) == ["all"] else nodes or [HEAD]
    wanted = [node.name for node in changes.known(laboratory, chosen)]
    client = LabClient(directory)
    if user is not None and wanted != [HEAD]:
        message = "other users log in on the head of a lab; their jobs bring them to its nodes"
        raise UsageError(message, "leave out --nodes, and submit a job: sbatch, srun")
    more = {} if user is None else users.request_as(user, laboratory, directory)
    for node in wanted:
        client.require(node)
    if len(wanted) == 1:
        try:
            return agent.run(str(directory), wanted[0], command, more)
        except agent.DeadNodeError:
            raise UsageError(
                f"node {wanted[0]} died meanwhile",
                f"bring it back: {suggest('lab', 'heal', wanted[0], '--name', name)}",
            ) from None
    runs = [_Prefixed(str(directory), node, command) for node in wanted]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    return max(each.code for each in runs)


class _Prefixed(threading.Thread):
    """Runs a command on a node and prints its lines with the node's name."""

    def __init__(self, directory: str, node: str, command: Sequence[str]) -> None:
        super().__init__(daemon=True)  # ends with the command
        self._directory, self._node, self._command = directory, node, command
        self.code = agent.UNREACHABLE

    def run(self) -> None:
        read, write = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        try:
            with closing(agent.connect(self._directory, self._node)) as connection:
                agent.ask(connection, agent.request_to_run(self._command), (nothing, write, write))
                os.close(write)
                with open(read, encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
                    for line in lines:
                        sys.stdout.write(f"{self._node}: {line.rstrip()}\n")
                self.code = int(agent.answer(connection).get("exit", agent.UNREACHABLE))
        except (agent.DeadNodeError, OSError):
            sys.stderr.write(f"heorot: node {self._node} died meanwhile\n")
        finally:
            os.close(nothing)
