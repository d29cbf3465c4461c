"""One job of a test for submission: its directory, its steps, their command lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heorot.families import BENCHMARKS
from heorot.launch.command import Program, StepCommand
from heorot.launch.launchers.commands import command_of
from heorot.model.batch.allocation import Allocation
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.need import CheckedFile
from heorot.model.machine.machine import Machine
from heorot.model.point import Options
from heorot.model.recipe import FAMILY
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step
from heorot.session.programs import Programs, make_folder
from heorot.throughput.model.kinds import JobKind, Part

# Time limit of a part whose job class has none: a week [s].
_LONGEST_SECONDS = 7 * 86400.0
COMMAND = "command"
"""Stands for the program in steps that run a plain command."""


@dataclass(frozen=True)
class Work:
    """One job to be submitted.

    Attributes:
        label: such as `adf3`.
        cores_per_node: cores used on each of its nodes.
    """

    place: Path
    label: str
    name: str
    kind: JobKind
    exclusive: bool
    steps: tuple[Step, ...]
    cores_per_node: int


def work_of(
    place: Path,
    label: str,
    name: str,
    kind: JobKind,
    *,
    exclusive: bool,
    cores_per_node: int,
    toolchains: Mapping[str, str],
    inputs: Sequence[tuple[CheckedFile, ...]] = (),
) -> Work:
    """One job to be submitted.

    Args:
        exclusive: default: whether jobs have their nodes to themselves.
        toolchains: names by program; the default under the empty name.
        inputs: input files, part by part; empty if no part has any.
    """
    parts = zip(kind.parts, inputs or ((),) * len(kind.parts), strict=True)
    steps = tuple(
        _step(number, name, kind, part, cores_per_node, toolchains, read)
        for number, (part, read) in enumerate(parts, start=1)
    )
    return Work(
        place=place,
        label=label,
        name=name,
        kind=kind,
        exclusive=exclusive if kind.exclusive is None else kind.exclusive,
        steps=steps,
        cores_per_node=max(step.per_node * step.threads for step in steps),
    )


def foreseen(part: Part, kind: JobKind, machine: Machine) -> Case | None:
    """A part as a case with its needs; None if its family has no estimate."""
    benchmark = next((each for each in BENCHMARKS if each.name == part.program), None)
    if benchmark is None or benchmark.estimate is None:
        return None
    ranks = part.ranks or kind.nodes * (part.per_node or 1)
    # An unlimited `budget` keeps the work equal; it is not the expected amount.
    chosen = {name: value for name, value in part.options.items() if name != "budget"}
    case = Case(name="own", options=chosen, ranks=ranks, threads=part.threads, nodes=kind.nodes)
    return benchmark.estimate(machine, case)


def _step(
    number: int,
    name: str,
    kind: JobKind,
    part: Part,
    cores_per_node: int,
    toolchains: Mapping[str, str],
    inputs: tuple[CheckedFile, ...],
) -> Step:
    alone = part.command is not None and not part.launcher
    nodes, ranks, per_node = (1, 1, 1) if alone else _layout(kind, part, cores_per_node)
    seconds = kind.time_limit_seconds or _LONGEST_SECONDS
    benchmark = part.program or (f"{FAMILY}/{part.recipe}" if part.recipe else COMMAND)
    return Step(
        id=f"P{number}",
        setup=Setup(
            benchmark=benchmark,
            case=name,
            toolchain=toolchains.get(benchmark, toolchains[""]),
            nodes=nodes,
            ranks=ranks,
            threads=part.threads,
            per_node=per_node,
            options=Options(part.options),
        ),
        launch=1,
        seconds=seconds,
        memory_bytes=0,
        inputs=inputs,
        timeout_seconds=seconds,
    )


def _layout(kind: JobKind, part: Part, cores_per_node: int) -> tuple[int, int, int]:
    """Nodes, ranks and ranks per node of a part that fits."""
    if part.ranks is None:
        per_node = part.per_node or max(1, cores_per_node // part.threads)
        return kind.nodes, kind.nodes * per_node, per_node
    per_node = part.per_node or math.ceil(part.ranks / kind.nodes)
    return math.ceil(part.ranks / per_node), part.ranks, per_node


def commands_of(work: Work, programs: Programs, allocation: Allocation) -> list[StepCommand]:
    """The command lines of a job's parts; creates folders for their files.

    Raises:
        SetupError: a folder cannot be made.
    """
    made = []
    for step, part in zip(work.steps, work.kind.parts, strict=True):
        record = work.place / "records" / f"{step.id}.jsonl"
        if part.command is None:
            command = programs.command(step, allocation, record)
        else:
            folder = make_folder(work.place, step)
            chain = programs.chain(step)
            if not part.launcher:
                chain = chain.model_copy(update={"mpi": None})
            own = [Program(words=part.command)]
            command = command_of(step, chain, own, allocation, record, folder=folder)
        made.append(_with(command, part.environment))
    return made


def _with(command: StepCommand, environment: Mapping[str, str]) -> StepCommand:
    if not environment:
        return command
    merged = {**command.environment, **environment}
    return command.model_copy(update={"environment": merged})
