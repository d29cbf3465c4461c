"""Commands of a job script: a step as a command line with its environment and files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from heorot.model.base import Record


class Program(Record):
    """One of the commands of a step.

    Attributes:
        name: its name, unique within the step.
        serial: whether it runs once, on the first host of the step, instead of on all ranks.
    """

    words: tuple[str, ...]
    name: str = ""
    serial: bool = False


class Staged(Record):
    """An input file that is staged before each run of its step.

    Attributes:
        source: absolute path of the file.
        to: absolute path at which the step finds it.
        how: as a copy, or as a link to the file.
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
        timeout_seconds: time after which its processes are killed [s].
        record: the file of the program's record.
        place: numbers of its hosts in the allocation, from 0.
        wave: consecutive steps with the same number other than 0 run at the same time.
        host_line: format of a line in the launcher's host file, such as `{host} slots={n}`; empty
            if it needs no such file. The file is `hosts.d/STEP` in the job's directory.
        per_node: ranks per host in that file.
        taken: whether the script itself runs the command on another host, without a launcher.
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
