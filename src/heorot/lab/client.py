"""Sends requests to the nodes of a lab and to its supervisor."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from heorot import interruption
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import HeorotError, SetupError, UsageError
from heorot.lab.inside import agent
from heorot.process import Finished
from heorot.suggestion import suggest
from heorot.units import format_duration
from heorot.writing import open_staying

SUPERVISOR = "lab"
_PATIENCE_SECONDS = 60.0


class LabClient:
    """Client of a lab's nodes and supervisor.

    Args:
        patience_seconds: time limit of an answer [s].
    """

    def __init__(
        self,
        directory: Path,
        clock: Clock = SYSTEM_CLOCK,
        *,
        patience_seconds: float = _PATIENCE_SECONDS,
    ) -> None:
        self.directory, self.clock = directory, clock
        self._patience = patience_seconds

    def operate(self, node: str, operation: str, **request: Any) -> dict[str, Any]:  # noqa: ANN401
        """Request an operation of a node's first process.

        Raises:
            UsageError: the node is dead.
            SetupError: it failed, or the node does not answer.
        """
        interruption.raise_if_asked()
        try:
            with closing(agent.connect(self.directory, node)) as connection:
                connection.settimeout(self._patience)
                agent.ask(connection, {"operation": operation, **request}, (0, 1, 2))
                reply = agent.answer(connection)
        except (agent.DeadNodeError, OSError) as error:
            raise self._no_answer(node, error) from None
        if "error" in reply:
            raise SetupError(
                f"the lab cannot {operation}: {reply['error']}",
                f"see {self.directory}/supervisor.log; end the lab: {self._down()}",
            )
        return reply

    def lives(self, node: str) -> bool:
        """Whether a node answers."""
        try:
            agent.connect(self.directory, node).close()
        except (agent.DeadNodeError, OSError):
            return False
        return True

    def require(self, node: str) -> None:
        """Refuse to continue with a dead node.

        Raises:
            UsageError: it is dead.
        """
        if not self.lives(node):
            raise self._dead(node)

    def programs(self, node: str) -> dict[str, list[int]]:
        """Process ids in the node's namespace of its programs, by name."""
        programs: dict[str, list[int]] = self.operate(node, "look")["programs"]
        return programs

    def has(self, node: str, pid: int) -> bool:
        """Whether a node has a process of that id, in its namespace."""
        return any(pid in pids for pids in self.programs(node).values())

    def command(
        self, node: str, argv: Sequence[str], text: str = "", *, directory: str = "/"
    ) -> Finished:
        """Run a short command on a node to its end.

        Raises:
            UsageError: the node is dead.
            SetupError: it does not answer in time; the command is ended.
        """
        interruption.raise_if_asked()
        # Files in memory: a pipe without a reader would fill up.
        streams = [os.memfd_create(name) for name in ("in", "out", "err")]
        try:
            os.write(streams[0], text.encode())
            os.lseek(streams[0], 0, os.SEEK_SET)
            with closing(agent.connect(self.directory, node)) as connection:
                connection.settimeout(self._patience)
                agent.ask(
                    connection, agent.request_to_run(argv) | {"directory": directory}, streams
                )
                code = int(agent.answer(connection).get("exit", agent.UNREACHABLE))
            out, err = (_whole(descriptor) for descriptor in streams[1:])
            return Finished(code, out, err)
        except (agent.DeadNodeError, OSError) as error:
            raise self._no_answer(node, error) from None
        finally:
            for descriptor in streams:
                os.close(descriptor)

    def detach(self, node: str, argv: Sequence[str], log: Path) -> int:
        """Start a long command on a node; returns its process id there.

        Raises:
            UsageError: the node is dead.
            SetupError: it does not answer in time.
        """
        nothing = os.open(os.devnull, os.O_RDONLY)
        output = open_staying(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            with closing(agent.connect(self.directory, node)) as connection:
                connection.settimeout(self._patience)
                agent.ask(
                    connection, agent.request_to_run(argv, detached=True), (nothing, output, output)
                )
                return int(agent.answer(connection)["pid"])
        except (agent.DeadNodeError, OSError) as error:
            raise self._no_answer(node, error) from None
        finally:
            os.close(nothing)
            os.close(output)

    def _down(self) -> str:
        return suggest("lab", "down", "--name", self.directory.name)

    def _no_answer(self, node: str, error: Exception) -> HeorotError:
        """The reason for a missing answer: the node is dead, or slow."""
        if not isinstance(error, TimeoutError):
            return self._dead(node)
        return SetupError(
            f"node {node} of the lab {self.directory.name} is alive, but has not answered for"
            f" {format_duration(self._patience)}",
            f"see {self.directory}/supervisor.log; end the lab: {self._down()}",
        )

    def _dead(self, node: str) -> UsageError:
        name = self.directory.name
        if node == SUPERVISOR or not self.lives(SUPERVISOR):
            return UsageError(
                f"the lab {name} is dead: its supervisor ended", f"end it: {self._down()}"
            )
        return UsageError(
            f"node {node} of the lab {name} is dead",
            f"bring it back: {suggest('lab', 'heal', node, '--name', name)}",
        )


def _whole(descriptor: int) -> str:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0).decode(errors="replace")
