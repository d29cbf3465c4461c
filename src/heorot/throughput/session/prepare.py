"""Prepares a test: describes nodes, reads the jobs, builds programs, writes the directory."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heorot import __version__
from heorot.build.toolchains import choose, load_modules
from heorot.errors import BuildError, UsageError
from heorot.families import BENCHMARKS
from heorot.launch.target import ExecutionTarget
from heorot.model.catalogue.need import CheckedFile
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.plan import Step
from heorot.model.run.request import ProgramsRequest, Request
from heorot.recipes.read import find, read_recipe
from heorot.recipes.values import require_options
from heorot.session.cluster.building import for_nodes
from heorot.session.cluster.describe_nodes import describe_nodes
from heorot.session.cluster.sites import site_of
from heorot.session.external_programs import chosen as others
from heorot.session.external_programs.inputs import require_inputs
from heorot.session.external_programs.toolchains import toolchains_for
from heorot.session.inspection import describe_here, describe_machine, list_toolchains
from heorot.session.programs import build_steps
from heorot.session.progress import Progress
from heorot.suggestion import suggest
from heorot.throughput.model.kinds import Arrival, JobsFile
from heorot.throughput.model.throughput import ThroughputFacts, ThroughputRequest
from heorot.throughput.session.schedulers.node_inventory import NodeInventory, take_inventory
from heorot.throughput.session.source import Source, the_jobs
from heorot.throughput.session.work import COMMAND, Work, foreseen, work_of
from heorot.throughput.store import ThroughputDirectory
from heorot.throughput.workload.arrivals import check_fits, kind_of


@dataclass(frozen=True)
class Prepared:
    """A prepared test.

    Attributes:
        arrivals: its jobs, in the order of their serial numbers.
        works: jobs to submit, by serial number.
        alone: the dedicated jobs before the load, in order.
    """

    arrivals: tuple[Arrival, ...]
    works: dict[int, Work]
    alone: tuple[Work, ...]
    kinds: JobsFile

    @property
    def every(self) -> tuple[Work, ...]:
        """All of its jobs."""
        return *self.alone, *self.works.values()


def as_evaluation(request: ThroughputRequest, kinds: JobsFile | None) -> Request:
    """The request of the run whose directory the test uses."""
    parts = [part for kind in (kinds.jobs.values() if kinds else ()) for part in kind.parts]
    recipes = dict.fromkeys(part.recipe for part in parts if part.recipe)
    shared = {field: getattr(request, field) for field in ProgramsRequest.model_fields}
    return Request(**shared, recipes=tuple(recipes))


def prepare_throughput(
    directory: ThroughputDirectory, source: Source, target: ExecutionTarget, progress: Progress
) -> None:
    """Build the programs of a test and write its directory.

    Raises:
        UsageError: a job does not fit the machine, or names an unknown program.
        WorkloadError: something is wrong with the schedule or the file of jobs.
        BuildError: a program does not compile.
    """
    request, census = directory.request(), take_inventory(target)
    others.keep(directory, others.wanted_files(directory.facts().request))
    for sentence in census.remarks:
        progress.stage(sentence)
    machine = _machine(directory, replace(target, nodes=census.n_described), progress)
    n_cores = min(node.limits.n_usable_cores for node in machine.nodes)
    arrivals, kinds, notes, scaled = the_jobs(source, request, target.nodes, n_cores)
    for sentence in notes:
        progress.stage(sentence)
    kinds = _with_recipe_names(kinds)
    if request.exclusive is not None:
        kinds = kinds.model_copy(update={"exclusive": request.exclusive})
    _require_programs(kinds)
    if target.batch is None and any(one.where == "job" for one in kinds.interactive):
        raise UsageError(
            "interactive work with `where: job` needs a batch system",
            "set `where: here`, or add --batch",
        )
    check_fits(kinds, arrivals, target.nodes, n_cores, jobs_file=source.jobs)
    facts = directory.facts()
    recipes = others.recipes_of(directory)
    chains = _chains(directory, recipes, machine, target.site)
    directory.write_machine(machine)
    chains = tuple(load_modules(chain) for chain in chains)
    if target.elsewhere:
        here = describe_here()
        chains = tuple(for_nodes(chain, machine, here) for chain in chains)
    directory.write_facts(facts.model_copy(update={"toolchains": chains}))
    directory.write_kinds(kinds)
    directory.write_arrivals(arrivals)
    facts_of_test = _facts(directory, source, target.nodes, census, n_cores)
    directory.write_throughput_facts(facts_of_test.model_copy(update={"scaled": scaled}))
    _build(directory, target, progress)


def _machine(
    directory: ThroughputDirectory, target: ExecutionTarget, progress: Progress
) -> Machine:
    if target.elsewhere:
        machine = describe_nodes(directory, target, progress)
    else:
        machine = describe_machine(directory.path, target.site)
    return machine.model_copy(update={"networks": target.site.networks})


def _with_recipe_names(kinds: JobsFile) -> JobsFile:
    """Job classes with third-party programs by the names of their recipes, not by files."""
    jobs = {}
    for name, kind in kinds.jobs.items():
        parts = []
        for part in kind.parts:
            recipe = read_recipe(find(part.recipe)) if part.recipe else None
            if recipe is not None:
                require_options(recipe, part.options, name)
            parts.append(part.model_copy(update={"recipe": recipe.name}) if recipe else part)
        jobs[name] = kind.model_copy(update={"parts": tuple(parts)})
    return kinds.model_copy(update={"jobs": jobs})


def _require_programs(kinds: JobsFile) -> None:
    known = {benchmark.name for benchmark in BENCHMARKS}
    for name, kind in kinds.jobs.items():
        for part in kind.parts:
            if part.program and part.program not in known:
                raise UsageError(
                    f"the job `{name}` has the unknown program `{part.program}`",
                    f"{suggest('list')} shows all programs",
                )


def _chains(
    directory: ThroughputDirectory, recipes: Sequence[Recipe], machine: Machine, site: Site
) -> tuple[Toolchain, ...]:
    """The default toolchain, then those required by third-party programs."""
    request = directory.facts().request
    every = list_toolchains(machine, site)
    chosen = choose(every, request.toolchains)[:1]
    used = {chosen[0].name: chosen[0]}
    for recipe in recipes:
        has_source = recipe.name in others.sources_of(request, site)
        own, reason = toolchains_for(recipe, chosen, every, has_source=has_source)
        if reason:
            raise UsageError(f"{recipe.benchmark} cannot run: {reason}", "see docs/recipes.md")
        used |= {chain.name: chain for chain in own}
    return tuple(used.values())


def _facts(
    directory: ThroughputDirectory,
    source: Source,
    n_nodes: int,
    census: NodeInventory,
    n_cores: int,
) -> ThroughputFacts:
    request = directory.request()
    return ThroughputFacts(
        name=directory.path.name,
        heorot_version=__version__,
        schedule=source.name,
        schedule_digest=source.digest,
        time_scale=request.time_scale,
        seed=request.seed,
        system=census.system,
        n_nodes=n_nodes,
        cores_per_node=n_cores,
        node_names=census.names,
        exclusive=directory.kinds().exclusive,
        policy=census.policy,
        command=request.command,
        hostname=platform.node(),
        jobs_file=source.jobs,
    )


def gather(directory: ThroughputDirectory) -> Prepared:
    """Read the jobs of a test from its complete directory."""
    kinds, arrivals, request = directory.kinds(), directory.arrivals(), directory.request()
    facts = directory.throughput_facts()
    chains = _chain_names(directory)
    inputs = _inputs(kinds, directory.machine())

    def work(place: Path, label: str, arrival: Arrival) -> Work:
        return work_of(
            place,
            label,
            arrival.kind,
            kind_of(arrival, kinds),
            exclusive=facts.exclusive,
            cores_per_node=facts.cores_per_node,
            toolchains=chains,
            inputs=inputs[arrival.kind],
        )

    firsts: dict[str, Arrival] = {}
    for arrival in arrivals:
        firsts.setdefault(arrival.kind, arrival)
    repeats = range(1, request.alone + 1) if request.alone_from is None else ()
    alone = tuple(
        work(directory.alone_job(name, number), f"{name} alone", arrival)
        for number in repeats
        for name, arrival in firsts.items()
    )
    works = {
        arrival.serial: work(directory.job(arrival.serial), arrival.label, arrival)
        for arrival in arrivals
    }
    return Prepared(arrivals, works, alone, kinds)


def _inputs(kinds: JobsFile, machine: Machine) -> dict[str, tuple[tuple[CheckedFile, ...], ...]]:
    """Input files of jobs, by job class and part."""
    return {
        name: tuple(
            case.needs.inputs if (case := foreseen(part, kind, machine)) else ()
            for part in kind.parts
        )
        for name, kind in kinds.jobs.items()
    }


def _chain_names(directory: ThroughputDirectory) -> dict[str, str]:
    """Name of the toolchain by benchmark; the default under the empty name."""
    chains = directory.facts().toolchains
    names = {"": chains[0].name}
    request = directory.facts().request
    recipes = others.recipes_of(directory)
    sources = others.sources_of(request, site_of(directory, request.site)) if recipes else {}
    for recipe in recipes:
        has_source = recipe.name in sources
        own, _ = toolchains_for(recipe, chains[:1], chains, has_source=has_source)
        names[recipe.benchmark] = own[0].name
    return names


def require_inputs_of(directory: ThroughputDirectory, prepared: Prepared) -> None:
    """Refuse a test if an input file of a program is missing or changed.

    Raises:
        RunError: a file is missing, or changed.
    """
    steps = [step for work in prepared.every for step in work.steps]
    require_inputs(others.recipes_of(directory), steps)


def all_steps(prepared: Prepared) -> tuple[Step, ...]:
    """One step for each program, layout and toolchain of a test."""
    steps = {
        (step.toolchain, step.benchmark): step
        for work in prepared.every
        for step in work.steps
        if step.benchmark != COMMAND
    }
    return tuple(steps.values())


def _build(directory: ThroughputDirectory, target: ExecutionTarget, progress: Progress) -> None:
    """Build all programs of a test, so that nothing is compiled while it runs."""
    machine, facts = directory.machine(), directory.facts()
    prepared = gather(directory)
    require_inputs_of(directory, prepared)
    steps = all_steps(prepared)
    unbuilt = build_steps(directory, steps, facts.toolchains, machine, target, progress)
    for setup, why in unbuilt.items():
        name, hint = setup.benchmark, f"{suggest('doctor')} shows the compilers"
        raise BuildError(f"{name} with {setup.toolchain} does not compile: {why}", hint)
