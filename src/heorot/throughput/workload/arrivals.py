"""Makes the jobs of a test from its schedule, and checks that they fit the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from heorot.errors import WorkloadError
from heorot.suggestion import nearest
from heorot.template import fill, placeholders
from heorot.throughput.model.kinds import Arrival, JobKind, JobsFile, Part
from heorot.throughput.workload.jobs_file import line_of_kind
from heorot.throughput.workload.schedule import Schedule, base_name

_SECONDS = "seconds"
_RANKS = "ranks"


def arrivals_of(
    schedule: Schedule, jobs: JobsFile, *, time_scale: float = 1.0
) -> tuple[Arrival, ...]:
    """The jobs of a schedule.

    Raises:
        WorkloadError: a name is not in the file of jobs.
    """
    moments, kinds, lines = [], [], []
    for entry in schedule.entries:
        if entry.name not in jobs.jobs:
            raise WorkloadError(
                f"the job `{entry.name}` is not in the file of jobs",
                file=schedule.file,
                line=entry.line,
                hint=_near(entry.name, jobs.jobs),
            )
        moments += [entry.seconds * time_scale] * entry.copies
        kinds += [entry.name] * entry.copies
        lines += [entry.line] * entry.copies
    return tuple(
        arrival.model_copy(update={"line": line})
        for arrival, line in zip(arrivals_at(moments, kinds, jobs), lines, strict=True)
    )


def arrivals_at(
    moments: Sequence[float], kinds: Sequence[str], jobs: JobsFile
) -> tuple[Arrival, ...]:
    """Jobs of given classes at given times.

    Each waits for the latest earlier job of every class in `after` of its own class.

    Args:
        moments: after the start of the test, ascending, shape (n,) [s].
        kinds: names in the file of jobs, shape (n,).
    """
    latest: dict[str, int] = {}
    times: Counter[str] = Counter()
    arrivals = []
    for serial, (moment, kind) in enumerate(zip(moments, kinds, strict=True), start=1):
        times[kind] += 1
        before = {latest[name] for name in jobs.jobs[kind].after if name in latest}
        arrivals.append(
            Arrival(
                serial=serial,
                label=label_of(kind, times[kind]),
                kind=kind,
                at_seconds=moment,
                after=tuple(sorted(before)),
            )
        )
        latest[kind] = serial
    return tuple(arrivals)


def label_of(kind: str, number: int) -> str:
    """The label of a job: `adf7`, as published, but `maya5-7`.

    Args:
        number: from 1, in the order of submission.
    """
    return f"{kind}{'-' * kind[-1:].isdigit()}{number}"


def kind_of(arrival: Arrival, jobs: JobsFile) -> JobKind:
    """The class of one job, with the job's own values in place of its defaults.

    Words `{seconds}` and `{ranks}` of its commands are replaced by its own run time and ranks; of
    jobs without these they stay.
    """
    kind = jobs.jobs[arrival.kind]
    own: dict[str, object] = {}
    if arrival.nodes is not None:
        own["nodes"] = arrival.nodes
    if arrival.limit_seconds is not None:
        own["time_limit_seconds"] = arrival.limit_seconds
    if arrival.think_seconds is not None:
        own["think_seconds"] = arrival.think_seconds
    own["parts"] = tuple(_part_of(arrival, part) for part in kind.parts)
    return kind.model_copy(update=own)


def _part_of(arrival: Arrival, part: Part) -> Part:
    """One program with the job's own ranks and run time."""
    own: dict[str, object] = {}
    values: dict[str, str] = {}
    if arrival.ranks is not None:
        values[_RANKS] = str(arrival.ranks)
        if part.ranks is None and (part.command is None or part.launcher):
            own["ranks"] = arrival.ranks
    if arrival.run_seconds is not None:
        values[_SECONDS] = f"{arrival.run_seconds:.3f}"
    if part.command is not None and values:
        own["command"] = tuple(_filled(word, values) for word in part.command)
    return part.model_copy(update=own)


def _filled(word: str, values: dict[str, str]) -> str:
    """A word with its placeholders replaced; one with other braces is not a template."""
    try:
        names = placeholders(word)
    except ValueError:
        return word
    return fill(word, values) if names and set(names) <= values.keys() else word


def check_fits(
    jobs: JobsFile,
    arrivals: Iterable[Arrival],
    n_nodes: int,
    cores_per_node: int,
    *,
    jobs_file: Path | None = None,
) -> None:
    """Refuse a test with a job larger than the machine: it would wait for ever.

    Args:
        jobs_file: file of the job classes, for messages.

    Raises:
        WorkloadError: a job requests too many nodes, or more ranks and threads on a node than the
            node has cores.
    """
    seen: set[tuple[str, int | None, int | None]] = set()
    for arrival in arrivals:
        key = (arrival.kind, arrival.nodes, arrival.ranks)
        if key in seen:
            continue
        seen.add(key)
        problem = _too_large(kind_of(arrival, jobs), n_nodes, cores_per_node)
        if problem:
            file = jobs_file or Path("the file of jobs")
            line = line_of_kind(file, arrival.kind) if jobs_file else None
            asked = f", asked for in line {arrival.line} of the schedule" if arrival.line else ""
            hint = "give it fewer ranks or nodes there, or the test more nodes"
            message = f"`{arrival.label}` {problem}{asked}"
            raise WorkloadError(message, file=file, line=line, hint=hint)


def _too_large(kind: JobKind, n_nodes: int, cores_per_node: int) -> str:
    if kind.nodes > n_nodes:
        return f"takes {kind.nodes} nodes, but the machine has {n_nodes}"
    for part in kind.parts:
        ranks = part.ranks or 1
        on_one = part.per_node or -(-ranks // kind.nodes)
        if on_one * part.threads > cores_per_node:
            each = (
                f"{on_one} rank"
                + "s" * (on_one > 1)
                + (f" x {part.threads} threads" if part.threads > 1 else "")
            )
            return f"has {each} on a node, but nodes have {cores_per_node} cores"
        if ranks > on_one * kind.nodes:
            return f"has {ranks} ranks, but {kind.nodes} nodes x {on_one} are {on_one * kind.nodes}"
    return ""


def _near(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = nearest(base_name(name), names)
    listed = ", ".join(names[:12]) + (" ..." if len(names) > 12 else "")  # noqa: PLR2004 (a line)
    return (f"did you mean {near}? " if near else "") + f"it has {listed}"
