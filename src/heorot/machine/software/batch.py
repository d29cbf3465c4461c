"""The batch systems whose commands are installed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Literal

from heorot.model.machine.machine import BatchSystem
from heorot.process import run

Name = Literal["slurm", "pbs", "lsf", "flux", "sge"]
# Commands that only this batch system has, and their options for the version. The qstat of PBS and
# of Grid Engine share a name, so Grid Engine is known by qconf and PBS by pbsnodes.
_QUESTIONS: dict[Name, tuple[str, tuple[str, ...]]] = {
    "slurm": ("sinfo", ("--version",)),
    "pbs": ("pbsnodes", ("--version",)),
    "lsf": ("lsid", ()),
    "flux": ("flux", ("version",)),
    "sge": ("qconf", ("-help",)),
}
_ANSWERS: dict[Name, str] = {
    "slurm": r"^slurm\S*\s+(\d[\w.-]*)",
    "pbs": r"^(?:pbs_version = (?:PBSPro_)?|Version: )(\d[\w.]*)",
    "lsf": r"LSF\D*(\d[\d.]*\d)",
    "flux": r"^libflux-core:\s*(\S+)",
    "sge": r"^(?:\S*GE\S*)\s+(\d[\w.]*)",
}
_PATIENCE_SECONDS = 3.0


def find_batch_systems(search: str | None = None) -> tuple[BatchSystem, ...]:
    """The batch systems installed.

    Args:
        search: directories separated as in PATH; None takes PATH itself.
    """
    found = []
    for name, (command, arguments) in _QUESTIONS.items():
        place = shutil.which(command, path=search)
        if place is not None:
            answer = run([place, *arguments], timeout_seconds=_PATIENCE_SECONDS)
            version = parse_batch_version(name, answer.out + answer.err)
            found.append(BatchSystem(name=name, command=Path(place), version=version))
    return tuple(found)


def parse_batch_version(name: Name, text: str) -> str | None:
    """The version in the output of a batch system's command, None if there is none."""
    match = re.search(_ANSWERS[name], text, re.MULTILINE)
    return match[1] if match else None
