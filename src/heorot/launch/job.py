"""A job: a directory with a script that runs steps in order and records how each ended."""

from __future__ import annotations

import errno
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from heorot.errors import RunError, SetupError
from heorot.files import read_regular
from heorot.launch.command import StepCommand
from heorot.launch.job_environment import JobEnvironment
from heorot.launch.script import script_text
from heorot.model.base import Record, Seconds
from heorot.writing import EXECUTABLE, write

# Exit codes of a job script.
UNWRITABLE = 74
RUNS_ALREADY = 75

_MARKER = re.compile(r"^readonly job=([\w.-]+)$", re.MULTILINE)
_LIMIT = re.compile(r"^# Time limit: ([0-9]{1,9}) s$", re.MULTILINE)
_STEP = re.compile(r"^step ([\w.-]+) (?:(\d{1,9}(?:\.\d{1,9})?)|[\d.]+) ", re.MULTILINE)
# A block of the file system is reserved early, so that the script can still report a full disk.
_NEW_RUN = "restore it from a copy, or start a new run"
_STDERR_OPENING = "# Messages of the job script.\n"


class Job(Record):
    """A job on disk.

    Attributes:
        id: its id, such as `J0001`.
        marker: unique mark; every process of the job has `HEOROT_JOB=marker` in its environment.
        directory: absolute path of the directory with script.sh, status.jsonl, records and outputs.
        steps: ids of its steps, in order.
        limit_seconds: time limit in the batch system, None if there is none [s].
        limits: time limits of the steps in the script, by id [s].
    """

    id: str
    marker: str
    directory: Path
    steps: tuple[str, ...]
    limit_seconds: Seconds | None = None
    limits: dict[str, Seconds] = Field(default_factory=dict)

    @property
    def script(self) -> Path:
        """The script of the job; it may be started again at any time."""
        return self.directory / "script.sh"

    @property
    def status(self) -> Path:
        """The events the script wrote, one JSON object per line."""
        return self.directory / "status.jsonl"


def write_job(
    directory: Path, commands: Sequence[StepCommand], job_environment: JobEnvironment | None = None
) -> Job:
    """Write a job's directory; nothing is started.

    Args:
        directory: directory of the job, such as `runs/first/jobs/J0001`; its name is the job's id.
        commands: the steps, in the order in which they run.
        job_environment: hosts and limits of the job; None for the host it is started on.

    Raises:
        SetupError: the disk is full or the directory cannot be written.
    """
    directory = directory.absolute()
    marker = f"{re.sub(r'[^A-Za-z0-9_.-]', '_', directory.name)}-{secrets.token_hex(6)}"
    try:
        for folder in ("records", "outputs", "hosts.d"):
            (directory / folder).mkdir(parents=True, exist_ok=True)
        write(directory / "stderr", _STDERR_OPENING)
        text = script_text(directory, marker, commands, job_environment)
        write(directory / "script.sh", text, EXECUTABLE)  # atomically: half a script must never run
    except OSError as error:
        hint = "free some space, or choose another directory with --out"
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            hint = "choose another directory with --out"
        raise SetupError(f"cannot write {directory}: {error.strerror}", hint) from error
    return _job(directory, marker, text)


def find_job(directory: Path) -> Job | None:
    """The job in a directory; None if none was written there.

    Raises:
        RunError: its script is not complete.
    """
    return read_job(directory) if (directory / "script.sh").exists() else None


def read_job(directory: Path) -> Job:
    """Read a job that an earlier process wrote.

    Raises:
        RunError: there is no complete job script.
    """
    directory = directory.absolute()
    try:
        text = read_regular(directory / "script.sh").decode("utf-8", "surrogateescape")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise RunError(f"{directory}/script.sh cannot be read: {reason}", _NEW_RUN) from error
    marker = _MARKER.search(text)
    if marker is None:
        raise RunError(f"{directory}/script.sh is not a job script", _NEW_RUN)
    return _job(directory, marker[1], text)


def _job(directory: Path, marker: str, script: str) -> Job:
    limit, steps = _LIMIT.search(script), _STEP.findall(script)
    return Job(
        id=directory.name,
        marker=marker,
        directory=directory,
        steps=tuple(step for step, _ in steps),
        limit_seconds=float(limit[1]) if limit else None,
        limits={step: float(seconds) for step, seconds in steps if seconds},
    )
