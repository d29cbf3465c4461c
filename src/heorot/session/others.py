"""The programs of others in a run: which there are, how they are built, started and read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from heorot.build.programs import build as build_native
from heorot.build.programs import build_directory, cache_directory
from heorot.build.sources import native_directory, source_digest
from heorot.collect.collect import record_of
from heorot.errors import BuildError, UsageError
from heorot.families import FAMILIES
from heorot.families.others import family_of
from heorot.launch.command import StepCommand
from heorot.launch.mpiexec import command_of
from heorot.launch.script import OUTPUT_BYTES
from heorot.machine.description.yaml import read_site
from heorot.model.catalogue.benchmark import Case
from heorot.model.catalogue.family import Family
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import FAMILY, Recipe
from heorot.model.run.plan import CaseKey, Step
from heorot.model.run.program_record import ProgramRecord
from heorot.model.run.request import Request
from heorot.recipes.build import build, copy_sources, write_files
from heorot.recipes.read import find, read_recipe, shipped
from heorot.recipes.skeleton import skeleton
from heorot.recipes.transcript import (
    UnreadableError,
    layout_of,
    read_output,
    transcribe,
    work_folder,
)
from heorot.recipes.values import case_values, words_of
from heorot.session.progress import Progress
from heorot.store.atomic import write_bytes
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.template import fill
from heorot.units import format_duration

__all__ = ["find", "read_recipe", "skeleton"]

_WATCH = "harness/watch"
_INSTALLED = "installed"
_MPI_PACKAGES = {"openmpi": "openmpi-bin", "mpich": "mpich", "intel": "intel-oneapi-mpi"}
_MPI_NAMES = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel MPI"}


def families_with(recipes: Sequence[Recipe]) -> tuple[Family, ...]:
    """Heorot's own families, then that of the programs of others, if there are any."""
    return (*FAMILIES, family_of(recipes)) if recipes else FAMILIES


def shipped_recipes() -> list[Recipe]:
    """The recipes that come with Heorot."""
    return [read_recipe(file) for file in shipped().values()]


def with_site_sources(request: Request) -> Request:
    """A request that also knows the sources that the site file names; the user's own win.

    Raises:
        SiteError: the site file is wrong.
    """
    if request.site is None:
        return request
    sources = {**read_site(request.site).sources, **request.sources}
    return request.model_copy(update={"sources": sources})


def wanted_files(request: Request) -> dict[str, Path]:
    """The recipes that a request asks for: by name of the program, each with its file.

    Raises:
        UsageError: a recipe does not exist, or two have the same name.
        RecipeError: one is wrong.
    """
    names = [*request.recipes, *request.sources]
    asked = [*request.only, *([request.chosen.benchmark] if request.chosen else [])]
    names += [
        name
        for each in asked
        if (name := each.removeprefix(f"{FAMILY}/")) != each and name in shipped()
    ]
    files: dict[str, Path] = {}
    for name in dict.fromkeys(names):
        if name in files:  # a source of a recipe that was given as a file
            continue
        file = find(name)
        own = read_recipe(file).name
        if own in files and files[own].resolve() != file.resolve():
            raise UsageError(f"two recipes of the name {own}: {files[own]}, {file}", "rename one")
        files[own] = file
    return files


def keep(directory: RunDirectory, files: Mapping[str, Path]) -> None:
    """Put the recipes into the run, so that it can be read without the files they came from."""
    for name, file in files.items():
        directory.recipes.mkdir(exist_ok=True)
        write_bytes(directory.recipes / f"{name}.yaml", file.read_bytes())


def recipes_of(directory: RunDirectory) -> tuple[Recipe, ...]:
    """The recipes of a run.

    Raises:
        RecipeError: one is damaged.
    """
    return tuple(read_recipe(file) for file in sorted(directory.recipes.glob("*.yaml")))


def toolchains_for(
    recipe: Recipe, chosen: Sequence[Toolchain], every: Sequence[Toolchain], request: Request
) -> tuple[tuple[Toolchain, ...], str]:
    """What a program of others is built with or runs under, and why there is none.

    Args:
        recipe: the program's.
        chosen: the toolchains of the run.
        every: all toolchains of the machine.
        request: which sources there are.
    """
    built = recipe.name in request.sources
    if not built and recipe.installed is None:
        option = f"--source {recipe.name}=DIR"
        return (), f"its sources are not given: {option} (they are: {recipe.source})"
    if not built and recipe.installed and not shutil.which(recipe.installed.command):
        package = recipe.installed.package
        how = f": apt-get install {package}" if package else ""
        return (), f"{recipe.installed.command} is not installed{how}"
    if recipe.mpi == "none":
        bases = chosen if built else chosen[:1]
        return tuple(_named(base, built, mpi=False) for base in bases), ""
    if recipe.mpi == "toolchain":
        return tuple(_named(base, built, mpi=True) for base in chosen), ""
    own = [base for base in every if base.mpi and base.mpi.flavour == recipe.mpi]
    own = [base for base in own if base.origin != "embedded"]
    if not own:
        package = _MPI_PACKAGES[recipe.mpi]
        return (), f"there is no installed {_MPI_NAMES[recipe.mpi]}: apt-get install {package}"
    return (_named(own[0], built, mpi=True),), ""


def _named(base: Toolchain, built: bool, *, mpi: bool) -> Toolchain:
    """The toolchain itself, or what stands for it where nothing is compiled."""
    if built:
        return base
    name = _INSTALLED
    if mpi and base.mpi:
        name += f"+{base.mpi.flavour}-{base.mpi.version}"
    update = {"name": name, "compiler": "as installed", "flags": "", "blas": "unknown"}
    return base.model_copy(update=update if mpi else {**update, "mpi": None})


def build_all(
    directory: RunDirectory,
    recipes: Sequence[Recipe],
    steps: Sequence[Step],
    chains: Sequence[Toolchain],
    progress: Progress,
) -> dict[CaseKey, str]:
    """Build the programs of others that have sources; why cases have none.

    Args:
        directory: the run; builds stay inside it.
        recipes: those of the run.
        steps: what is planned.
        chains: all toolchains of the plan.
        progress: who is told.

    Raises:
        UsageError: a source is no directory, or leads out of it.
    """
    sources = directory.facts().request.sources
    failures: dict[CaseKey, str] = {}
    for recipe in recipes:
        for chain in chains:
            own = {
                step.key: step
                for step in steps
                if (step.benchmark, step.toolchain) == (recipe.benchmark, chain.name)
            }
            if not own or recipe.name not in sources:
                continue
            began = time.monotonic()
            progress.stage(f"building {recipe.spoken} with {chain.name}")
            folder = directory.builds / recipe.name / chain.name
            copy_sources(sources[recipe.name], folder)
            cases = [Case(name=step.case, options=step.options) for step in own.values()]
            reason = build(recipe, cases, chain, folder)
            failures |= dict.fromkeys(own, reason) if reason else {}
            took = format_duration(time.monotonic() - began)
            progress.stage(f"building it {'failed' if reason else 'took'} {took}")
    return failures


def find_watch(chains: Sequence[Toolchain], machine: Machine) -> Path:
    """The program that runs programs of others, built by the first toolchain that can.

    Raises:
        BuildError: it does not compile.
    """
    native = native_directory()
    processor = machine.node.processor.microarchitecture or machine.node.processor.isa
    chain = next(each for each in chains if not each.name.startswith(_INSTALLED))
    where = build_directory(cache_directory(), chain, source_digest(native), processor)
    built = build_native(native, chain, [_WATCH], where)
    if _WATCH not in built.programs:
        raise BuildError(
            f"what watches programs of others does not compile: {built.failures[_WATCH]}",
            f"{suggest('doctor')} shows the compilers found",
        )
    return built.programs[_WATCH]


def command(
    recipe: Recipe,
    step: Step,
    chain: Toolchain,
    node: Node,
    record: Path,
    *,
    watch: Path,
    builds: Path,
) -> StepCommand:
    """The command line of a launch of a program of others; its folder is made, with its files.

    Args:
        recipe: the program's.
        step: the launch.
        chain: what it was built with or runs under.
        node: what every host is like.
        record: file the record is written to, absolute.
        watch: the program that runs it.
        builds: the run's folder of builds.
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
    words = words_of(recipe.command, values)
    if words[0] != "bash" and not words[0].startswith("/"):
        words = (str(build_folder / words[0]), *words[1:])
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
    made = command_of(step, chain, words, node, record, folder=folder, under=under)
    own = {name: fill(text, values) for name, text in recipe.environment.items()}
    return made.model_copy(update={"environment": {**made.environment, **own}})


def reader(recipes: Sequence[Recipe]) -> Callable[[Step, Path], ProgramRecord]:
    """What reads the records of a run's steps, those of programs of others with their output.

    Args:
        recipes: those of the run.
    """
    return partial(_read, {recipe.benchmark: recipe for recipe in recipes})


def _read(recipes: Mapping[str, Recipe], step: Step, job: Path) -> ProgramRecord:
    record = record_of(step, job)
    recipe = recipes.get(step.benchmark)
    told = record.end is not None and record.end.passed and not record.problem
    if recipe is None or not told or len(record.regions) != 1:
        return record
    try:
        output = read_output(recipe, step, job, OUTPUT_BYTES)
    except UnreadableError as error:
        return ProgramRecord(run=record.run, end=record.end, problem=str(error))
    return transcribe(recipe, step, record, output)
