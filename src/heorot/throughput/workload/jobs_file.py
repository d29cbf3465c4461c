"""Reads files of jobs, JOBS.yaml: definitions of the names of a schedule.

A job of one program has that program's keys with its own; several are listed under `parts:`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from heorot.document.records import Sort, read_file
from heorot.document.tree import find_line
from heorot.errors import WorkloadError
from heorot.model.base import FileName, PositiveInt, Record, Seconds
from heorot.model.machine.site import OneLine
from heorot.throughput.model.kinds import Interactive, JobKind, JobsFile, Part
from heorot.throughput.workload.schedule import base_name
from heorot.units import parse_duration

HINT = "docs/workloads.md explains every key"
_PART_KEYS = frozenset(Part.model_fields)
_MOST_BYTES = 1 << 20

_Location = tuple[str | int, ...]


def _seconds(value: object) -> object:
    """A length of time as users write it, `10min`, in seconds; numbers stay."""
    return parse_duration(value) if isinstance(value, str) else value


_Duration = Annotated[Seconds, BeforeValidator(_seconds, json_schema_input_type=Seconds | str)]


class WrittenKind(Part):
    """A job class as written: the keys of `JobKind`, or these and the keys of its only part.

    Attributes:
        parts: its programs, in the order they run.
        nodes: None for as many as its largest part needs.
        time_limit: of the job, such as `10min` or seconds.
        think_time: the same, between the end of its predecessors and its submission.
        exclusive, queue, account, after: as in `JobKind`.
    """

    parts: tuple[Part, ...] | None = Field(default=None, min_length=1)
    nodes: PositiveInt | None = None
    time_limit: _Duration | None = None
    think_time: _Duration = 0.0
    exclusive: bool | None = None
    queue: OneLine | None = None
    account: OneLine | None = None
    after: tuple[str, ...] = ()


class WrittenInteractive(Record):
    """Short commands during the load as written; see `Interactive`."""

    name: FileName
    command: tuple[OneLine, ...] = Field(min_length=1)
    think_time: _Duration = 5.0
    where: Literal["here", "job"] = "here"
    nodes: PositiveInt = 1


class JobFile(Record):
    """A file of jobs as written; see `JobsFile`."""

    jobs: dict[FileName, WrittenKind] = Field(min_length=1)
    interactive: tuple[WrittenInteractive, ...] = ()
    exclusive: bool = False


_SORT = Sort(JobFile, WorkloadError, "jobs", _MOST_BYTES, HINT)


def read_jobs(path: Path, cores_per_node: int | None = None) -> JobsFile:
    """Read a file of jobs.

    Args:
        cores_per_node: of this machine: jobs that give ranks, but neither nodes nor ranks per node,
            take as many nodes as have that many cores; one if it is None.

    Raises:
        WorkloadError: it cannot be read, has an unknown key, an invalid value or a repeated name,
            or refers to an unknown predecessor.
    """
    written, tree = read_file(path, _SORT)
    for location, message in _complaints(written):
        line = find_line(tree, location)
        raise WorkloadError(message, file=path, line=line, hint=HINT)
    kinds = {base_name(name): _kind(kind, cores_per_node) for name, kind in written.jobs.items()}
    interactive = tuple(
        Interactive(think_seconds=each.think_time, **each.model_dump(exclude={"think_time"}))
        for each in written.interactive
    )
    return JobsFile(jobs=kinds, interactive=interactive, exclusive=written.exclusive)


def line_of_kind(path: Path, kind: str) -> int | None:
    """The line of a job class, None if the file has changed."""
    try:
        written, tree = read_file(path, _SORT)
    except WorkloadError:
        return None
    name = next((name for name in written.jobs if base_name(name) == kind), None)
    return None if name is None else find_line(tree, ("jobs", name))


def _kind(written: WrittenKind, cores_per_node: int | None) -> JobKind:
    only = {key: getattr(written, key) for key in _PART_KEYS}
    parts = written.parts or (Part(**only),)
    named = tuple(
        part.model_copy(update={"name": name})
        for part, name in zip(parts, _part_names(parts), strict=True)
    )
    nodes = written.nodes or max(_nodes_of(part, cores_per_node) for part in named)
    return JobKind(
        parts=named,
        nodes=nodes,
        time_limit_seconds=written.time_limit,
        exclusive=written.exclusive,
        queue=written.queue,
        account=written.account,
        after=tuple(base_name(each) for each in written.after),
        think_seconds=written.think_time,
    )


def _nodes_of(part: Part, cores_per_node: int | None) -> int:
    """Number of nodes for the ranks of a part."""
    per_node = part.per_node
    if per_node is None and cores_per_node:
        per_node = max(1, cores_per_node // part.threads)
    if part.ranks is None or per_node is None:
        return 1
    return -(-part.ranks // per_node)


def _part_names(parts: tuple[Part, ...]) -> list[str]:
    """A name for each: its own, or the last of its program, with a number if there are several."""
    plain = [part.name or _last_name(part) for part in parts]
    times = Counter(plain)
    seen: Counter[str] = Counter()
    names = []
    for part, name in zip(parts, plain, strict=True):
        seen[name] += 1
        numbered = times[name] > 1 and part.name is None
        names.append(f"{name}-{seen[name]}" if numbered else name)
    return names


def _last_name(part: Part) -> str:
    command = part.command or ("",)
    source = part.program or part.recipe or command[0]
    last = source.rstrip("/").rsplit("/", 1)[-1].removesuffix(".yaml").removesuffix(".yml")
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in last)
    return plain[:90] or "part"


def _complaints(written: JobFile) -> Iterator[tuple[_Location, str]]:
    """Errors across values that are valid one by one."""
    bases = {base_name(name) for name in written.jobs}
    seen: dict[str, str] = {}
    for name, kind in written.jobs.items():
        if base_name(name) in seen:
            yield ("jobs", name), f"`{name}` is the same job as `{seen[base_name(name)]}`"
        seen[base_name(name)] = name
        for at, message in _wrong_kind(kind):
            yield ("jobs", name, *at), message
        for number, other in enumerate(kind.after):
            if base_name(other) not in bases:
                yield ("jobs", name, "after", number), f"there is no job `{other}` to wait for"
    names = Counter(each.name for each in written.interactive)
    for number, each in enumerate(written.interactive):
        if names[each.name] > 1:
            yield ("interactive", number, "name"), f"a second one of the name `{each.name}`"


def _wrong_kind(kind: WrittenKind) -> Iterator[tuple[_Location, str]]:
    doubled = sorted(_PART_KEYS & kind.model_fields_set)
    if kind.parts is None:
        yield from _wrong_part(kind, kind.nodes)
        return
    if doubled:
        yield (doubled[0],), f"`{doubled[0]}` belongs to one of its `parts:`"
    for number, part in enumerate(kind.parts):
        for at, message in _wrong_part(part, kind.nodes):
            yield ("parts", number, *at), message
    names = Counter(_part_names(kind.parts))
    for number, name in enumerate(_part_names(kind.parts)):
        if names[name] > 1:
            yield ("parts", number), f"a second part of the name `{name}`"


def _wrong_part(part: Part, nodes: int | None) -> Iterator[tuple[_Location, str]]:
    given = [key for key in ("program", "recipe", "command") if getattr(part, key) is not None]
    if not given:
        yield (), "has neither `program:` nor `recipe:` nor `command:`"
    if len(given) > 1:
        yield (given[1],), f"`{given[0]}` and `{given[1]}`: a part is one of them"
    if part.command is not None and (not part.command or not part.command[0].strip()):
        yield ("command",), "a command has at least one word"
    if part.command is not None and part.options:
        yield ("options",), "a command has its options among its words"
    if part.ranks and part.per_node and nodes and part.ranks > part.per_node * nodes:
        room = part.per_node * nodes
        yield ("ranks",), f"{part.ranks} ranks, but {nodes} x {part.per_node} are {room}"
    for name, value in part.options.items():
        if isinstance(value, float) and not math.isfinite(value):
            yield ("options", name), f"`{name}` is not finite"
    for number, each in enumerate(part.output):
        if each.startswith("/") or ".." in Path(each).parts:
            yield ("output", number), f"`{each}` is no path inside the job's own folder"
