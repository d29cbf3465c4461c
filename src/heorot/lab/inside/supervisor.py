"""The supervisor: the first process of a lab, with all nodes in namespaces below its own.

`python -m heorot.lab.inside.supervisor SETTINGS` returns when the supervisor answers at its socket.
The supervisor is the first process of a PID namespace: the kernel ends all processes of the lab
with it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from heorot.lab.inside import kernel
from heorot.lab.inside.agent import SOCKETS
from heorot.lab.inside.inspection import inspect
from heorot.lab.inside.node import (
    LabSettings,
    become_node,
    mount_kernel_views,
    node_of,
    offloads,
    spawn,
)
from heorot.lab.inside.node_server import NodeServer, open_socket
from heorot.writing import open_staying

NAME = "lab"
_KILL_SECONDS, _TURN_SECONDS = 10.0, 0.002


class Supervisor:
    """Starts, kills and lists nodes.

    Attributes:
        place: settings common to all nodes.
    """

    def __init__(self, place: LabSettings) -> None:
        self.place = place
        self._nodes: dict[str, int] = {}

    def start(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Operation: start nodes unless they are alive; their process ids in this namespace."""
        alive = self.nodes({})["nodes"]
        for name, cpus in request["nodes"].items():
            if name not in alive:
                job = partial(become_node, name, frozenset(cpus), self.place)
                self._nodes[name] = spawn(job, kernel.SEPARATE)
        return self.nodes({})

    def kill(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Operation: kill nodes with all their processes."""
        for name in request["nodes"]:
            pid = self._nodes.pop(name, 0)
            if pid:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                deadline = time.monotonic() + _KILL_SECONDS
                # Processes that the kernel does not release are left to the server; other requests
                # are waiting.
                while _lives(pid) and time.monotonic() < deadline:
                    time.sleep(_TURN_SECONDS)
        return self.nodes({})

    def nodes(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Operation: the living nodes, with their process ids in this namespace."""
        del request
        alive = {name: pid for name, pid in self._nodes.items() if _lives(pid)}
        self._nodes = alive
        return {"nodes": alive}


def _lives(pid: int) -> bool:
    """Whether a child has not ended; the server reaps ended ones."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in {"Z", "X"}


def _become_supervisor(place: LabSettings, write_end: int) -> NoReturn:
    try:
        os.setsid()
        os.chdir("/")
        kernel.set_name("lab:supervisor")
        kernel.mount("none", "/", flags=kernel.PRIVATE | kernel.RECURSIVE)
        mount_kernel_views()
        listener = open_socket(place.directory / SOCKETS, NAME)
        supervisor = Supervisor(place)
        operations = {
            "start": supervisor.start,
            "kill": supervisor.kill,
            "nodes": supervisor.nodes,
            "offloads": offloads,
            "look": inspect,
        }
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        log = open_staying(place.directory / "supervisor.log", flags, 0o600)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.write(write_end, b"ready\n")
        os.close(write_end)
        NodeServer(listener, node_of(place, operations)).serve()
    except OSError as error:
        with suppress(OSError):
            os.write(write_end, f"error {error.strerror}\n".encode())
    finally:
        os._exit(1)


def may_administer(status: str) -> bool:
    """Whether a process may create namespaces without becoming root of its own.

    Args:
        status: text of its /proc/PID/status.
    """
    for line in status.splitlines():
        if line.startswith("CapEff:"):
            # CAP_NET_ADMIN and CAP_SYS_ADMIN.
            return int(line.split()[1], 16) & 0x201000 == 0x201000  # noqa: PLR2004
    return False


def main() -> int:
    """Start the supervisor of a settings file; 1 with a line on standard error if it cannot."""
    settings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    place = LabSettings(
        Path(settings["directory"]),
        tuple(settings["shared"]),
        settings["environment"],
        settings["defaults"],
    )
    try:
        if settings["own_user_namespace"]:
            kernel.become_root_of_own()
        spawn(partial(_become_supervisor, place), kernel.SEPARATE)
    except OSError as error:
        sys.stderr.write(f"{error.strerror or error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
