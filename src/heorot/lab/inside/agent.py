"""Runs a command on a node of a lab as rsh does: `agent.py [-x] LAB NODE COMMAND...`.

It is run by path, by a Python without packages, outside of the lab and on its nodes. The command
inherits the caller's standard streams.
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
# Exit code of ssh for errors of its own, in contrast to those of the command.
UNREACHABLE = 255
_CANNOT_CONNECT = (ConnectionRefusedError, FileNotFoundError)
# Options of rsh-like programs before the host: with a value, or without.
_WITH_VALUE = ("-l", "-p", "-o", "-i", "-F")
# Variables of an MPI launcher for its own children, which would mislead its daemons elsewhere.
_OF_LAUNCHERS = ("PMI_", "PMIX_", "PRTE_LAUNCHED", "HYDI_", "OMPI_COMM_WORLD_")
_FORWARDED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1)


class DeadNodeError(Exception):
    """A node does not answer."""


def connect(laboratory: str | os.PathLike[str], node: str) -> socket.socket:
    """A connection to a node's socket.

    Args:
        node: its name; `lab` is the supervisor.

    Raises:
        DeadNodeError: the node is dead or does not exist.
    """
    connection = socket.socket(socket.AF_UNIX)
    # The address of a socket has 108 bytes; a path may be longer.
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
    """Send a request, and the descriptors for a command's standard streams."""
    body = json.dumps(request).encode()
    socket.send_fds(connection, [LENGTH.pack(len(body))], list(streams))
    connection.sendall(body)


def answer(connection: socket.socket) -> dict[str, Any]:
    """The answer of the node, at the end of a command.

    Raises:
        DeadNodeError: the node died meanwhile.
    """
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while not received.endswith(b"\n"):
            part = connection.recv(1 << 16)
            if not part:
                break
            received += part
    if not received.endswith(b"\n"):
        raise DeadNodeError
    reply = json.loads(received)
    return reply if isinstance(reply, dict) else {}


def request_to_run(argv: Sequence[str], *, detached: bool = False) -> dict[str, Any]:
    """A request to run a command with our environment and working directory.

    Args:
        detached: the command continues without a waiting agent.
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
    """Run a command on a node with our standard streams; signals are passed on.

    Args:
        more: fields that are added to the request or replace its own.

    Returns:
        its exit code, or 128 + n after signal n.

    Raises:
        DeadNodeError: the node is dead, or died meanwhile.
    """
    with connect(laboratory, node) as connection:
        # Signals are blocked until their handlers are installed.
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
    """Run the command given as arguments; 255 if the node does not answer."""
    laboratory, *words = sys.argv[1:]
    exactly = words[:1] == ["--exactly"]  # without a shell
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
