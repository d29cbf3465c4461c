"""The text of a job script: plain bash that any compute node runs, without Python.

The script records events such as `start` and `exit` in status.jsonl; that file takes precedence
over all other information. The script may be killed at any moment and run again; it then skips the
steps that have ended. It needs bash 4.2; later features (EPOCHREALTIME, the process id of a process
substitution) have fallbacks. Its parts are in `shell/`, in order.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from heorot.launch.command import StepCommand
from heorot.launch.job_environment import JobEnvironment

KILL_AFTER_SECONDS = 5
OUTPUT_BYTES = 1 << 20

_SHELL = Path(__file__).parent / "shell"
_OPENING = (
    "1-writing.sh",
    "2-hosts.sh",
    "3-cleaning.sh",
    "4-leftovers.sh",
    "5-steps.sh",
    "6-begin.sh",
)
_CLOSING = "7-end.sh"


def step_line(command: StepCommand) -> str:
    """The line of the script that runs one step."""
    assignments = [f"{name}={value}" for name, value in command.environment.items()]
    # env would take a program below `a=b/` for an assignment.
    program = ("nice", "-n", "0", *command.argv) if "=" in command.argv[0] else command.argv
    limit = f"{command.timeout_seconds:.3f}"
    place = ",".join(str(number) for number in command.place)
    way = "taken" if command.taken else command.host_line.replace("{n}", str(command.per_node))
    words = ["step", command.step, limit, place, way, str(command.cwd), *assignments, *program]
    return shlex.join(words) + "\n"


def script_text(
    directory: Path,
    marker: str,
    commands: Sequence[StepCommand],
    job_environment: JobEnvironment | None = None,
) -> str:
    """The text of a job script.

    Args:
        marker: unique id of the job; every process of the job carries it in its environment.
    """
    around = job_environment or JobEnvironment()
    opening = _filled(
        "".join((_SHELL / name).read_text(encoding="utf-8") for name in _OPENING),
        {
            "ID": shlex.quote(directory.name),
            "MARKER": shlex.quote(marker),
            "HERE": shlex.quote(str(directory)),
            "LIST_HOSTS": shlex.quote(around.list_hosts),
            "ON_HOST": around.on_host,
            "PREPARE": shlex.quote(around.prepare),
            "DESCRIBE": shlex.quote(around.describe),
            "OUTPUT_KIB": str(OUTPUT_BYTES >> 10),
            "KILL_AFTER": str(KILL_AFTER_SECONDS),
        },
    )
    limit: list[str] = []
    if around.header and around.limit_seconds is not None:
        limit.append(f"# Time limit: {around.limit_seconds:.0f} s")
    header = "".join(f"{line}\n" for line in ("#!/bin/bash", *around.header, *limit))
    closing = (_SHELL / _CLOSING).read_text(encoding="utf-8")
    return header + opening + _lines(commands) + closing


def ending_text(mark: str) -> str:
    """A bash script that kills all processes of its host with a mark in their environment.

    Args:
        mark: an environment variable, `NAME=VALUE`.
    """
    functions = (_SHELL / "3-cleaning.sh").read_text(encoding="utf-8")
    title = shlex.quote(mark)
    return f"{functions}\ntitle={title} writer=\nlist_family\nkill_marked {title}\n"


def _filled(text: str, values: dict[str, str]) -> str:
    """The text with values in place of `@NAME@`; placeholders inside values are kept."""
    return re.sub("@([A-Z_]+)@", lambda found: values[found[1]], text)


def _lines(commands: Sequence[StepCommand]) -> str:
    """The lines that run the steps; a wave is enclosed by two further lines."""
    lines: list[str] = []
    for wave, group in groupby(commands, key=lambda command: command.wave):
        members = [step_line(command) for command in group]
        beside = wave != 0 and len(members) > 1
        lines += ["together=1\n", *members, "apart\n"] if beside else members
    return "".join(lines)
