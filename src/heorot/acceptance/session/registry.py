"""Records the traces of checks, so that a later check cleans up after one that was killed.

Each check has a folder: `lock`, held while it lives; `check.json`; and `traces`, with a line for
each action, written before it: `name N`, `job N ID`, `drained HOST`, `killed HOST`.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.files import read_regular
from heorot.writing import appending, open_staying, write

_MOST_BYTES = 1 << 22
_UNDONE_BY = {"resumed": "drained", "healed": "killed"}


class Registry:
    """The folder of a living check.

    Args:
        base: folder of all checks of this user.
        facts: for a later check: the batch system, its commands.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, base: Path, facts: dict[str, str]) -> None:
        self.token = secrets.token_hex(4)
        # It must not look like that of a dead check before it has its lock.
        hidden, self.folder = base / f".{self.token}", base / self.token
        hidden.mkdir(parents=True)
        self._lock = _take(hidden)
        write(hidden / "check.json", json.dumps(facts))
        hidden.rename(self.folder)
        self._writing = threading.Lock()
        self._undone: set[tuple[str, str]] = set()

    def note(self, *words: str) -> None:
        """Append a line durably, before the action.

        Raises:
            OSError: the disk is full.
        """
        with self._writing, appending(self.folder / "traces") as file:
            file.write((" ".join(words) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        if words[0] in _UNDONE_BY.values():
            self._undone.add((words[0], words[1]))
        elif words[0] in _UNDONE_BY:
            self._undone.discard((_UNDONE_BY[words[0]], words[1]))

    @property
    def undone(self) -> tuple[tuple[str, str], ...]:
        """Changes to nodes that were not undone: the word and the node."""
        return tuple(sorted(self._undone))

    def close(self) -> None:
        """Remove the traces of a cleaned-up check, unless a node is not restored."""
        if not self._undone:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.leave()

    def leave(self) -> None:
        """End the check without clean-up; a later one will do it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@dataclass(frozen=True)
class Left:
    """Leftovers of a dead check.

    Attributes:
        names: of jobs without a recorded id.
        jobs: names of jobs by their ids.
        drained: drained nodes.
        age: since its last line [s].
    """

    folder: Path
    facts: dict[str, str]
    names: tuple[str, ...]
    jobs: dict[str, str]
    drained: tuple[str, ...]
    killed: tuple[str, ...]
    age: float


def left(base: Path, clock: Clock = SYSTEM_CLOCK) -> Iterator[Left]:
    """Leftovers of earlier checks; each is locked meanwhile, so that one check cleans it up."""
    for folder in sorted(base.glob("[!.]*")) if base.is_dir() else []:
        if (lock := _take(folder)) is None:
            continue
        try:
            if (found := _read(folder, clock)) is not None:
                yield found
        finally:
            os.close(lock)


def _take(folder: Path) -> int | None:
    """Take the lock of a check; None if another process has it, or this is unclear."""
    try:
        handle = open_staying(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _read(folder: Path, clock: Clock) -> Left | None:
    try:
        facts = json.loads(read_regular(folder / "check.json", _MOST_BYTES))
    except (OSError, ValueError, RecursionError):  # killed before its first action
        shutil.rmtree(folder, ignore_errors=True)
        return None
    lines: list[list[str]] = []
    age = 0.0
    with suppress(OSError):
        traces = folder / "traces"
        text = read_regular(traces, _MOST_BYTES).decode(errors="replace")
        # A line may be truncated by a full disk or a power failure.
        lines = [words for line in text.splitlines() if len(words := line.split()) > 1]
        age = max(0.0, clock.time() - traces.stat().st_mtime)
    jobs = {line[2]: line[1] for line in lines if line[0] == "job" and len(line) > 2}  # noqa: PLR2004
    named = {line[1] for line in lines if line[0] == "name"}
    refused = {line[1] for line in lines if line[0] == "refused"}

    def standing(verb: str, undone: str) -> tuple[str, ...]:
        open_: dict[str, None] = {}
        for line in lines:
            if line[0] == verb:
                open_[line[1]] = None
            elif line[0] == undone:
                open_.pop(line[1], None)
        return tuple(open_)

    return Left(
        folder=folder,
        facts={str(key): str(value) for key, value in facts.items()},
        names=tuple(sorted(named - refused - set(jobs.values()))),
        jobs=jobs,
        drained=standing("drained", "resumed"),
        killed=standing("killed", "healed"),
        age=age,
    )
