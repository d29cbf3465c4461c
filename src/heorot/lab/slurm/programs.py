"""Starts programs of the batch system inside a lab, finds running ones, and waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.errors import SetupError
from heorot.lab.client import LabClient
from heorot.lab.model import HEAD
from heorot.lab.requirements import tool
from heorot.lab.slurm.configuration import FOLDER
from heorot.process import Finished
from heorot.suggestion import suggest

_PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.1
_LOOKS = 5


def start(
    client: LabClient, node: str, name: str, options: Sequence[str] = (), **more: str
) -> None:
    """Start a program that becomes a daemon by itself, or ends.

    Args:
        more: variables in addition to those of all programs of the lab.

    Raises:
        SetupError: it does not start; with its last message.
    """
    variables = [f"{variable}={value}" for variable, value in more.items()]
    done = client.command(node, [tool("env"), *variables, tool(name), *options])
    if not done.ok:
        raise not_started(client, node, name, done.err or done.out or f"exit code {done.code}")


def not_started(client: LabClient, node: str, name: str, output: str) -> SetupError:
    """The error of a program that does not start.

    Args:
        output: its output; the last line counts.
    """
    lines = output.strip().splitlines() or ["no output"]
    return SetupError(
        f"{name} does not start on {node}: {lines[-1]}",
        f"see the logs in {client.directory / FOLDER}",
    )


def runs(client: LabClient, node: str, name: str) -> bool:
    """Whether a program runs on a node.

    While a program becomes a daemon, one process ends and another may not be listed yet: only
    several looks without a process prove that it does not run.
    """
    return any(name in client.programs(node) for _ in range(_LOOKS))


def has_ended(client: LabClient, node: str, name: str, answers: Callable[[], object]) -> bool:
    """Whether a program does not run, or has not been started yet.

    A running program that does not answer may be shutting down, which takes seconds: it is
    awaited until it ends or answers.

    Raises:
        SetupError: it took too long.
    """
    wait_while(client, lambda: name if runs(client, node, name) and not answers() else "")
    return not runs(client, node, name)


def command(client: LabClient, argv: Sequence[str]) -> Finished:
    """Run a command of Slurm on the head to its end."""
    return client.command(HEAD, [tool(argv[0]), *argv[1:]])


def wait_while(client: LabClient, lacking: Callable[[], str]) -> None:
    """Wait until Slurm is complete.

    Args:
        lacking: the part that Slurm still waits for, as words; empty if there is none.

    Raises:
        SetupError: it took too long.
    """
    deadline = client.clock.monotonic() + _PATIENCE_SECONDS
    while what := lacking():
        if client.clock.monotonic() > deadline:
            raise SetupError(
                f"Slurm waits for {what}",
                f"see the logs in {client.directory / FOLDER}; "
                f"end the lab: {suggest('lab', 'down', '--name', client.directory.name)}",
            )
        client.clock.sleep(_POLL_SECONDS)
