"""What the job script is told to run: one step as a command line with everything it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from heorot.model.base import Record


class Program(Record):
    """One of the commands of a step.

    Attributes:
        name: by which it is told from the others of its step.
        serial: whether it runs once, on the first host of the step, and not as all its ranks.
    """

    words: tuple[str, ...]
    name: str = ""
    serial: bool = False


class Staged(Record):
    """An input file that is put into place each time before its step runs.

    Attributes:
        source: the file, absolute.
        to: where the step finds it, absolute.
        how: as a copy of its own, or as a link to the file.
    """

    source: Path
    to: Path
    how: Literal["copy", "link"] = "copy"


class StepCommand(Record):
    """One step as a command line.

    Attributes:
        step: the step's id, such as `S0001`.
        argv: the command and its arguments, the launcher first.
        environment: variables set on top of the job's environment.
        cwd: directory it runs in.
        timeout_seconds: after this its processes are killed [s].
        record: file the program writes its record to.
        place: numbers of the hosts of the allocation it runs on, from 0.
        wave: steps with the same number other than 0 follow each other and run at the same time.
        host_line: how its launcher wants a line of a file of hosts, such as `{host} slots={n}`;
            empty if it needs no such file. The file is `hosts.d/STEP` in the job's directory.
        per_node: ranks on one host, for that file.
        taken: whether the script takes the command to its host, if that is another one, as no
            launcher does.
    """

    step: str
    argv: tuple[str, ...]
    environment: dict[str, str] = Field(default_factory=dict)
    cwd: Path
    timeout_seconds: float
    record: Path
    place: tuple[int, ...] = (0,)
    wave: int = 0
    host_line: str = ""
    per_node: int = 1
    taken: bool = False
