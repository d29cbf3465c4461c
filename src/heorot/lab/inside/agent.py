"""Runs a command on a node of a lab as rsh does: `agent.py [-x] LAB NODE COMMAND...`.

It is run by path, by a Python without packages, wherever it is needed: outside, and on nodes that
start something on other nodes. Input, output and errors are the caller's own, handed over.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LENGTH = struct.Struct("!I")
SOCKETS = "doors"
# As ssh, for what is its own trouble and not the command's.
UNREACHABLE = 255
_CANNOT_CONNECT = (ConnectionRefusedError, FileNotFoundError)
# What rsh-like programs are given in front of the host: with a word of its own, or without.
_WITH_VALUE = ("-l", "-p", "-o", "-i", "-F")
# What a launcher of MPI has for its own children, and would mislead a daemon of it elsewhere.
_OF_LAUNCHERS = ("PMI_", "PMIX_", "PRTE_LAUNCHED", "HYDI_", "OMPI_COMM_WORLD_")
_FORWARDED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1)


class DeadNodeError(Exception):
    """Nobody answers the door of a node."""


def connect(laboratory: str | os.PathLike[str], node: str) -> socket.socket:
    """A connection to a node's door.

    Args:
        node: its name; `lab` is the supervisor.

    Raises:
        DeadNodeError: the node is dead or there is none of that name.
    """
    connection = socket.socket(socket.AF_UNIX)
    # The address of a socket has 108 bytes, a path may have more.
    folder = -1
    try:
        folder = os.open(Path(laboratory) / SOCKETS, os.O_PATH)
        connection.connect(f"/proc/self/fd/{folder}/{node}")
    except _CANNOT_CONNECT:
        connection.close()
        raise DeadNodeError(node) from None
    finally:
        if folder >= 0:
            os.close(folder)
    return connection


def ask(connection: socket.socket, request: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Send a request, and the descriptors that become a command's input, output and errors."""
    body = json.dumps(request).encode()
    socket.send_fds(connection, [LENGTH.pack(len(body))], list(streams))
    connection.sendall(body)


def answer(connection: socket.socket) -> dict[str, Any]:
    """What the node says, at the end of a command.

    Raises:
        DeadNodeError: the node died meanwhile.
    """
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while not said.endswith(b"\n"):
            part = connection.recv(1 << 16)
            if not part:
                break
            said += part
    if not said.endswith(b"\n"):
        raise DeadNodeError
    reply = json.loads(said)
    return reply if isinstance(reply, dict) else {}


def request_to_run(argv: Sequence[str], *, detached: bool = False) -> dict[str, Any]:
    """A request to run a command with our environment in our working directory.

    Args:
        detached: it goes on when nobody waits for it.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(_OF_LAUNCHERS)
    }
    return {
        "operation": "run",
        "argv": list(argv),
        "environment": environment,
        "directory": working_directory(),
        "detached": detached,
    }


def working_directory() -> str:
    """The working directory, or the root if it was removed."""
    try:
        return str(Path.cwd())
    except OSError:
        return "/"


def run(
    laboratory: str, node: str, argv: Sequence[str], more: Mapping[str, Any] | None = None
) -> int:
    """Run a command on a node with our own input, output and errors; signals are passed on.

    Args:
        more: what the request has besides, or instead.

    Returns:
        its exit code, 128 + n if signal n ended it.

    Raises:
        DeadNodeError: the node is dead, or died meanwhile.
    """
    with connect(laboratory, node) as connection:
        # The command may run before the handlers are there: a signal that comes meanwhile waits.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _FORWARDED)
        ask(connection, request_to_run(argv) | dict(more or {}), (0, 1, 2))
        for number in _FORWARDED:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda got, _frame: _pass_on(connection, got))
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return int(answer(connection).get("exit", UNREACHABLE))


def _pass_on(connection: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # the command has just ended
        connection.send(bytes([number]))


def resolve(laboratory: str, host: str) -> str:
    """The node of a name or an address."""
    table = Path(laboratory, "hosts").read_text(encoding="ascii").splitlines()
    for line in table:
        address, *names = line.split()
        if host == address or host.partition(".")[0] in names:
            return names[-1]
    return host


def main() -> int:
    """Run what the command line says; 255 if the node does not answer."""
    laboratory, *words = sys.argv[1:]
    exactly = words[:1] == ["--exactly"]  # the words as they are, without a shell
    words = words[exactly:]
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in _WITH_VALUE else 1 :]
    if not words:
        sys.stderr.write("usage: agent NODE COMMAND...\n")
        return UNREACHABLE
    host, *command = words
    try:
        node = resolve(laboratory, host)
        return run(laboratory, node, command if exactly else ["/bin/sh", "-c", " ".join(command)])
    except (DeadNodeError, OSError):
        sys.stderr.write(f"heorot lab: node {host} does not answer\n")
        return UNREACHABLE


if __name__ == "__main__":
    sys.exit(main())
