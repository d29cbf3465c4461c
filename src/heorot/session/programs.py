"""Builds the programs of steps, and makes their command lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from heorot.build.processors import processor_key
from heorot.build.programs import Built, build, build_directory, cache_directory, is_built
from heorot.build.sources import native_directory, source_digest
from heorot.build.work import CarryOut, carry_out_here
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import BuildError, HeorotError, RunError
from heorot.families import BENCHMARKS
from heorot.jobs.commands import work_folder
from heorot.launch.command import StepCommand
from heorot.launch.launchers.commands import command_for
from heorot.launch.networks import environment_of
from heorot.launch.target import ExecutionTarget
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import SiteNetwork
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Recipe
from heorot.model.resource import filesystem
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step
from heorot.session.cluster.building import NodeBuilder
from heorot.session.external_programs.chosen import recipes_of
from heorot.session.external_programs.launches import WATCH, WATCHES, build_all, command, find_tool
from heorot.session.external_programs.toolchains import compiles
from heorot.session.progress import Progress
from heorot.store.atomic import cannot_write
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.units import format_duration, plural


def build_programs(
    steps: Sequence[Step],
    toolchains: Sequence[Toolchain],
    machine: Machine,
    progress: Progress,
    on_node: CarryOut,
    clock: Clock = SYSTEM_CLOCK,
) -> tuple[dict[tuple[str, str], Path], dict[tuple[str, str], str]]:
    """Programs, and reasons for missing ones, by toolchain and benchmark.

    Of several toolchains, an unusable one fails by itself.

    Args:
        on_node: runs builds on a node.

    Raises:
        HeorotError: the only toolchain cannot be used.
    """
    programs: dict[tuple[str, str], Path] = {}
    failures: dict[tuple[str, str], str] = {}
    for place in places_of(steps, toolchains, machine):
        try:
            built = _build(place, progress, on_node, clock)
        except HeorotError as error:
            if not toolchains[1:]:
                raise
            progress.stage(f"nothing is built with {place.chain.name}: {error}")
            built = Built(failures=dict.fromkeys(place.names, str(error)))
        name = place.chain.name
        programs |= {(name, each): path for each, path in built.programs.items()}
        failures |= {(name, each): reason for each, reason in built.failures.items()}
    return programs, failures


@dataclass(frozen=True)
class BuildPlace:
    """Build directory of the programs of a toolchain."""

    chain: Toolchain
    names: tuple[str, ...]
    directory: Path


def places_of(
    steps: Sequence[Step], toolchains: Sequence[Toolchain], machine: Machine
) -> Iterator[BuildPlace]:
    """Build directories of the programs of steps, by toolchain; builds nothing."""
    digest = source_digest(native_directory())
    foreign = {step.benchmark for step in steps} - {benchmark.name for benchmark in BENCHMARKS}
    watching = next(filter(compiles, toolchains), None) if foreign else None
    for chain in toolchains:
        wanted = {step.benchmark for step in steps if step.toolchain == chain.name}
        names = [benchmark.name for benchmark in BENCHMARKS if benchmark.name in wanted]
        if chain.built_on and chain is watching:
            names.append(WATCH)  # it runs third-party programs on the same nodes
        processor = processor_key(chain, machine.node.processor)
        where = build_directory(cache_directory(), chain, digest, processor)
        yield BuildPlace(chain, tuple(names), where)


def missing_programs(
    steps: Sequence[Step], toolchains: Sequence[Toolchain], machine: Machine
) -> tuple[int, ...]:
    """Numbers of missing programs of steps by build directory, which toolchains may share."""
    missing: dict[Path, set[str]] = {}
    for place in places_of(steps, toolchains, machine):
        lacking = {name for name in place.names if not is_built(place.directory, name)}
        missing.setdefault(place.directory, set()).update(lacking)
    return tuple(len(names) for names in missing.values() if names)


def _build(place: BuildPlace, progress: Progress, on_node: CarryOut, clock: Clock) -> Built:
    began = clock.monotonic()
    announced: list[int] = []
    built = build(
        native_directory(),
        place.chain,
        place.names,
        place.directory,
        announce=partial(_announce, progress, place.chain, announced),
        carry_out=on_node if place.chain.built_on else carry_out_here,
    )
    if announced:
        took = format_duration(clock.monotonic() - began)
        progress.stage(f"building took {took}; it is kept")
    return built


def _announce(progress: Progress, chain: Toolchain, announced: list[int], n_programs: int) -> None:
    announced.append(n_programs)
    if chain.built_on:
        progress.stage(
            f"{chain.cxx.display_name} has no flags that name {chain.built_on}: "
            f"programs are built on a node, with {chain.name}"
        )
    else:
        progress.stage(f"building {plural(n_programs, 'program')} with {chain.name}")


@dataclass(frozen=True)
class Programs:
    """The built programs of a run, and the facts for their command lines.

    Attributes:
        paths: of Heorot's own programs, by toolchain and benchmark.
        networks: of the site; steps over several nodes use theirs or the first.
        recipes: of third-party programs, by benchmark.
        watch: program that runs these; None if there are none.
        builds: the folder of their builds.
        directories: of file systems, by their roles.
    """

    paths: Mapping[tuple[str, str], Path]
    chains: Mapping[str, Toolchain]
    networks: tuple[SiteNetwork, ...]
    recipes: Mapping[str, Recipe]
    watch: Path | None
    builds: Path
    directories: Mapping[str, Path] = field(default_factory=dict)

    def command(self, step: Step, allocation: Allocation, record: Path) -> StepCommand:
        """The command line of a step.

        Args:
            record: file its record is written to, absolute.

        Raises:
            SetupError: the folder of its files cannot be made.
        """
        chain, step = self.chain(step), self._placed(step)
        if step.benchmark in self.recipes and self.watch:
            given = (self.recipes[step.benchmark], step, chain, allocation, record)
            return command(*given, watch=self.watch, builds=self.builds)
        if step.inputs:
            make_folder(record.parent.parent, step)
        program = self.paths[step.toolchain, step.benchmark]
        return command_for(step, chain, program, allocation, record)

    def _placed(self, step: Step) -> Step:
        """The step with the path of the file system that its option `directory` names."""
        role = str(step.options.get("directory", ""))
        if role not in self.directories or filesystem(role) not in step.resources:
            return step
        options = step.options | {"directory": str(self.directories[role])}
        return step.model_copy(update={"setup": replace(step.setup, options=options)})

    def chain(self, step: Step) -> Toolchain:
        """The toolchain with network variables; its own settings take precedence."""
        chain = self.chains[step.toolchain]
        networks = {network.name: network for network in self.networks}
        if step.nodes == 1 or not networks:
            return chain
        network = networks.get(step.network, self.networks[0])
        given = environment_of(network, chain.mpi) | chain.environment
        return chain.model_copy(update={"environment": given})


def make_folder(job: Path, step: Step) -> Path:
    """Make the folder of a step's files.

    Raises:
        SetupError: it cannot be made.
    """
    folder = work_folder(job, step)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    return folder


def build_steps(
    directory: RunDirectory,
    steps: Sequence[Step],
    toolchains: Sequence[Toolchain],
    machine: Machine,
    target: ExecutionTarget,
    progress: Progress,
) -> dict[Setup, str]:
    """Build the programs of steps, third-party ones included; reasons of failures."""
    on_node = NodeBuilder(directory, machine, target, progress)
    _, failures = build_programs(steps, toolchains, machine, progress, on_node)
    pairs = ((step, (step.toolchain, step.benchmark)) for step in steps)
    unbuilt = {step.setup: failures[pair] for step, pair in pairs if pair in failures}
    foreign = build_all(directory, recipes_of(directory), steps, toolchains, target.site, progress)
    return unbuilt | foreign


def find_programs(
    directory: RunDirectory, steps: Sequence[Step], target: ExecutionTarget, progress: Progress
) -> Programs:
    """The programs of steps, as built when the run was planned.

    Raises:
        RunError: the sources have changed since.
        BuildError: one does not compile any more.
    """
    facts, machine = directory.facts(), directory.machine()
    if source_digest(native_directory()) != facts.source_digest:
        raise RunError(
            f"the programs have changed since {directory.path} was planned",
            "start a new run, or return to the version that planned it",
        )
    on_node = NodeBuilder(directory, machine, target, progress)
    paths, failures = build_programs(steps, facts.toolchains, machine, progress, on_node)
    if failures:
        (name, benchmark), reason = next(iter(failures.items()))
        raise BuildError(
            f"{benchmark} no longer compiles with {name}: {reason}",
            f"what was measured is kept; {suggest('doctor')} shows the compilers found",
        )
    recipes = {recipe.benchmark: recipe for recipe in recipes_of(directory)}
    foreign = any(step.benchmark in recipes for step in steps)
    return Programs(
        paths=paths,
        chains={chain.name: chain for chain in facts.toolchains},
        networks=target.site.networks,
        recipes=recipes,
        watch=find_tool(WATCH, WATCHES, facts.toolchains, machine) if foreign else None,
        builds=directory.builds,
        directories={place.role: Path(place.path) for place in machine.filesystems},
    )
