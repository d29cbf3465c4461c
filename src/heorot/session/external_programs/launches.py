"""Build, start and output of third-party programs."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from heorot.build.processors import processor_key
from heorot.build.programs import build as build_native
from heorot.build.programs import build_directory, cache_directory
from heorot.build.sources import native_directory, source_digest
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.collect.collect import record_of
from heorot.collect.output import last_output
from heorot.errors import BuildError
from heorot.jobs.commands import read_commands, read_placement, work_folder
from heorot.jobs.marked_processes import end_marked
from heorot.launch.command import Program, StepCommand
from heorot.launch.launchers.commands import command_of
from heorot.launch.script import OUTPUT_BYTES
from heorot.model.batch.allocation import Allocation
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Executable, Recipe, Shell
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step
from heorot.model.run.program_record import ProgramRecord
from heorot.recipes.build import build, copy_sources, write_files
from heorot.recipes.expand import entry_of, is_of
from heorot.recipes.output import UnreadableError, layout_of, read_output
from heorot.recipes.transcript import name_failed, transcribe
from heorot.recipes.values import case_values, words_of
from heorot.session.external_programs.chosen import sources_of
from heorot.session.external_programs.inputs import staged_for
from heorot.session.external_programs.toolchains import compiles
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.template import fill
from heorot.units import format_duration

WATCH, WATCHES = "harness/watch", "the watcher of external programs"
"""The program that runs third-party programs, and its description."""

# Only Heorot's own programs are built by a job.
_NOT_HERE = "it is compiled where Heorot runs, and no flags name the nodes' processor there"

# Environment variable that marks all processes of a build.
_BUILD = "HEOROT_BUILD"
_END_SECONDS = 10.0


def build_all(
    directory: RunDirectory,
    recipes: Sequence[Recipe],
    steps: Sequence[Step],
    chains: Sequence[Toolchain],
    site: Site,
    progress: Progress,
    clock: Clock = SYSTEM_CLOCK,
) -> dict[Setup, str]:
    """Build the third-party programs that have sources; reasons of failures by case.

    Args:
        directory: the run; builds stay inside it.

    Raises:
        UsageError: a source is no directory, or a link leads out of it.
    """
    sources = sources_of(directory.facts().request, site)
    failures: dict[Setup, str] = {}
    for recipe in recipes:
        for chain in chains:
            own = {
                step.setup: step
                for step in steps
                if (step.benchmark, step.toolchain) == (recipe.benchmark, chain.name)
            }
            if not own or recipe.name not in sources:
                continue
            if recipe.build and chain.built_on:
                failures |= dict.fromkeys(own, _NOT_HERE)
                continue
            began = clock.monotonic()
            doing = "building" if recipe.build else "copying"
            progress.stage(f"{doing} {recipe.display_name} for {chain.name}")
            folder = directory.builds / recipe.name / chain.name
            copy_sources(sources[recipe.name], folder)
            cases = [Case(name=step.case, options=dict(step.options)) for step in own.values()]
            reason = _build(recipe, cases, chain, folder, clock)
            failures |= dict.fromkeys(own, reason) if reason else {}
            if reason:
                log = folder.with_name(f"{folder.name}.log")
                for line in last_output(log).splitlines():
                    progress.stage(f"  {line}")
            took = format_duration(clock.monotonic() - began)
            progress.stage(f"{doing} it {'failed after' if reason else 'took'} {took}")
    return failures


def _build(
    recipe: Recipe, cases: Sequence[Case], chain: Toolchain, folder: Path, clock: Clock
) -> str:
    """Build a program, and end remaining processes of its steps; why it failed, or empty."""
    mark = secrets.token_hex(8)
    try:
        return build(recipe, cases, chain, folder, clock, {_BUILD: mark})
    finally:
        end_marked(f"{_BUILD}={mark}", seconds=_END_SECONDS, clock=clock)


def find_tool(name: str, what: str, chains: Sequence[Toolchain], machine: Machine) -> Path:
    """A tool of Heorot, built by the first toolchain that succeeds.

    Args:
        name: of the program, such as `harness/watch`.
        what: its description, for error messages.

    Raises:
        BuildError: it does not compile.
    """
    native = native_directory()
    chain = next(each for each in chains if compiles(each))
    processor = processor_key(chain, machine.node.processor)
    where = build_directory(cache_directory(), chain, source_digest(native), processor)
    built = build_native(native, chain, [name], where)
    if name not in built.programs:
        raise BuildError(
            f"{what} does not compile: {built.failures[name]}",
            f"{suggest('doctor')} shows the compilers found",
        )
    return built.programs[name]


def command(
    recipe: Recipe,
    step: Step,
    chain: Toolchain,
    allocation: Allocation,
    record: Path,
    *,
    watch: Path,
    builds: Path,
) -> StepCommand:
    """The command line of a launch of a third-party program; creates its folder with its files.

    Args:
        chain: toolchain of its build, or of its MPI.
        record: file the record is written to, absolute.
    """
    folder = work_folder(record.parent.parent, step)
    build_folder = builds / recipe.name / chain.name
    installed = shutil.which(recipe.installed.command) if recipe.installed else None
    known = {
        **layout_of(step),
        "build": str(build_folder),
        "folder": str(folder),
        "installed": installed or "",
    }
    values = case_values(recipe, step.options, known)
    write_files(recipe, values, folder)
    entry = entry_of(recipe, step)
    programs = [
        Program(words=_words(each, values, build_folder), name=each.name, serial=each.serial)
        for each in recipe.commands
        if is_of(each.cases, entry)
    ]
    limits = ("--memory", str(step.memory_bytes)) if step.memory_bytes else ()
    options = [
        word for name, value in step.options.items() for word in ("--option", f"{name}={value}")
    ]
    under = (
        *(str(watch), "--benchmark", recipe.benchmark),
        *("--ranks", str(step.ranks), "--threads", str(step.threads)),
        *("--record", str(record), *limits, *options, "--"),
    )
    if recipe.mpi == "none":
        chain = chain.model_copy(update={"mpi": None})
    own = {name: fill(text, values) for name, text in recipe.environment.items()}
    return command_of(
        *(step, chain, programs, allocation, record),
        folder=folder,
        staged=staged_for(recipe, step, folder),
        under=under,
        environment=own,
        notes_ranks=True,
    )


def _words(each: Executable, values: Mapping[str, str], build_folder: Path) -> tuple[str, ...]:
    words = words_of(each.command, values)
    if isinstance(each.command, Shell) or words[0].startswith("/"):
        return words
    return (str(build_folder / words[0]), *words[1:])


def reader(recipes: Sequence[Recipe]) -> Callable[[Step, Path], ProgramRecord]:
    """A reader of the records of a run's steps, with the output of third-party programs."""
    return partial(_read, {recipe.benchmark: recipe for recipe in recipes})


def _read(recipes: Mapping[str, Recipe], step: Step, job: Path) -> ProgramRecord:
    record = record_of(step, job)
    recipe = recipes.get(step.benchmark)
    if recipe is None or record.run is None or record.problem:
        return record
    file = job / "records" / f"{step.id}.jsonl"
    placed = read_placement(file, step.ranks)
    record = replace(record, run=record.run.model_copy(update={"placement": placed}))
    commands = read_commands(file)
    if record.end is None:
        return replace(record, at=next((one.name for one in commands if one.code is None), ""))
    if not record.end.passed or len(record.regions) != 1:
        return name_failed(record, commands)
    try:
        output = read_output(recipe, step, job, OUTPUT_BYTES)
    except UnreadableError as error:
        return ProgramRecord(run=record.run, end=record.end, problem=str(error))
    return transcribe(recipe, step, record, output, commands)
