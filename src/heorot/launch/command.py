"""What the job script is told to run: one step as a command line with everything it needs."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from heorot.model.base import Record


class StepCommand(Record):
    """One step as a command line.

    Attributes:
        step: the step's id, such as `S0001`.
        argv: the command and its arguments, the launcher first.
        environment: variables set on top of the job's environment.
        cwd: directory it runs in.
        timeout_seconds: after this its processes are killed [s].
        record: file the program writes its record to.
    """

    step: str
    argv: tuple[str, ...]
    environment: dict[str, str] = Field(default_factory=dict)
    cwd: Path
    timeout_seconds: float
    record: Path
