"""Reads the notes of a step's commands: their ends, the placement of ranks; names its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from heorot.files import read_regular
from heorot.model.base import Count, Record, UnixTime
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.run.plan import Step
from heorot.model.run.records import Placement

_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MOST_BYTES = 1 << 26
_Noted = TypeVar("_Noted", bound=BaseModel)


class _Start(Record):
    event: Literal["start"]
    command: str
    time: UnixTime


class _Exit(Record):
    event: Literal["exit"]
    command: str
    time: UnixTime
    code: Count


class _Rank(Record):
    command: str
    rank: Count
    pid: Count
    cpus: Annotated[str, Field(pattern=r"^[0-9,-]*$")]


_EVENT: TypeAdapter[_Start | _Exit] = TypeAdapter(
    Annotated[_Start | _Exit, Field(discriminator="event")]
)
_RANK = TypeAdapter(_Rank)


@dataclass(frozen=True)
class CommandEnd:
    """The end of one command of a step.

    Attributes:
        seconds: from its start to its end [s]; None if it did not end.
        code: its exit code; None likewise.
    """

    name: str
    seconds: float | None = None
    code: int | None = None


def work_folder(job: Path, step: Step) -> Path:
    """Working directory of a launch, with its files."""
    return job / "work" / step.id


def commands_file(record: Path) -> Path:
    """The notes on the commands of a step, in the directory of its record."""
    return record.with_suffix(".commands")


def ranks_file(record: Path) -> Path:
    """The notes on its ranks: common beginning of the files' names, one file for each host."""
    return record.with_suffix(".ranks")


def read_commands(record: Path) -> tuple[CommandEnd, ...]:
    """The started commands of a step, in order; empty for a step with a single command."""
    found: dict[str, CommandEnd] = {}
    began: dict[str, float] = {}
    for event in _lines(commands_file(record), _EVENT):
        name = event.command
        if isinstance(event, _Start):
            began[name], found[name] = event.time, CommandEnd(name)
        elif name in began:
            found[name] = CommandEnd(name, event.time - began[name], event.code)
    return tuple(found.values())


def read_placement(record: Path, ranks: int) -> tuple[Placement, ...]:
    """The placement of each rank of a step; empty if any rank of a command is unknown.

    Of several commands, the one on the fewest hosts counts.
    """
    prefix = f"{ranks_file(record).name}."
    placed: dict[str, list[tuple[str, _Rank]]] = {}
    for file in sorted(record.parent.glob(f"{prefix}*")):
        host = file.name.removeprefix(prefix)
        for one in _lines(file, _RANK) if _HOST.fullmatch(host) else ():
            placed.setdefault(one.command, []).append((host, one))
    if not placed or any(len(several) != ranks for several in placed.values()):
        return ()
    fewest = min(placed.values(), key=lambda several: len({host for host, _ in several}))
    return tuple(_numbered(fewest))


def _numbered(several: Sequence[tuple[str, _Rank]]) -> Iterator[Placement]:
    """Placements by rank; an unknown launcher may not number ranks: then by the order of files."""
    for rank, (host, one) in enumerate(sorted(several, key=lambda each: each[1].rank)):
        cpus = tuple(sorted(parse_cpulist(one.cpus)))
        yield Placement(rank=rank, host=host, pid=one.pid, cpus=cpus)


def _lines(path: Path, kind: TypeAdapter[_Noted]) -> Iterator[_Noted]:
    """The complete lines of a file; a line torn by a kill is dropped."""
    try:
        lines = read_regular(path, _MOST_BYTES).split(b"\n")[:-1]
    except OSError:
        return
    for line in lines:
        try:
            yield kind.validate_json(line)
        except ValidationError:
            continue
