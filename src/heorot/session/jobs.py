"""Builds the programs of steps and carries the steps out as a job."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from heorot.build.processors import processor_key
from heorot.build.programs import build, build_directory, cache_directory
from heorot.build.sources import native_directory, source_digest
from heorot.build.work import CarryOut, carry_out_here
from heorot.collect.glance import glance
from heorot.collect.status import read_status
from heorot.errors import BuildError, RunError, SetupError
from heorot.families import BENCHMARKS
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.command import StepCommand
from heorot.launch.job import Job, read_job, write_job
from heorot.launch.launchers.commands import command_for
from heorot.launch.networks import environment_of
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Exit
from heorot.model.run.plan import Step
from heorot.session.cluster.building import NodeBuilder
from heorot.session.cluster.ground import Ground
from heorot.session.others.chosen import recipes_of
from heorot.session.others.launches import WATCH, command, find_watch
from heorot.session.others.toolchains import compiles
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest
from heorot.units import format_duration


def build_programs(
    steps: Sequence[Step],
    toolchains: Sequence[Toolchain],
    machine: Machine,
    progress: Progress,
    on_node: CarryOut,
) -> tuple[dict[tuple[str, str], Path], dict[tuple[str, str], str]]:
    """Programs, and reasons where there is none, by toolchain and benchmark.

    Args:
        steps: what is to run.
        toolchains: those of the run.
        machine: what it is to run on.
        progress: who is told.
        on_node: builds what has to be built on a node.
    """
    native = native_directory()
    digest = source_digest(native)
    foreign = {step.benchmark for step in steps} - {benchmark.name for benchmark in BENCHMARKS}
    programs: dict[tuple[str, str], Path] = {}
    failures: dict[tuple[str, str], str] = {}
    for chain in toolchains:
        names = {step.benchmark for step in steps if step.toolchain == chain.name}
        wanted = [benchmark.name for benchmark in BENCHMARKS if benchmark.name in names]
        if chain.built_on and foreign and compiles(chain):
            wanted.append(WATCH)  # what runs programs of others has to run there, too
        processor = processor_key(chain, machine.node.processor)
        where = build_directory(cache_directory(), chain, digest, processor)
        announced: list[float] = []
        built = build(
            native,
            chain,
            wanted,
            where,
            announce=partial(_announce, progress, chain, announced),
            carry_out=on_node if chain.built_on else carry_out_here,
        )
        if announced:
            took = format_duration(time.monotonic() - announced[0])
            progress.stage(f"building took {took}; it is kept")
        programs |= {(chain.name, name): path for name, path in built.programs.items()}
        failures |= {(chain.name, name): reason for name, reason in built.failures.items()}
    return programs, failures


def _announce(progress: Progress, chain: Toolchain, begun: list[float], n_programs: int) -> None:
    begun.append(time.monotonic())
    if chain.built_on:
        progress.stage(
            f"{chain.compiler} has no flags that name {chain.built_on}: "
            f"programs are built on a node, with {chain.name}"
        )
    else:
        progress.stage(f"building {n_programs} programs with {chain.name}")


def begin_job(
    directory: RunDirectory,
    number: int,
    steps: Sequence[Step],
    ground: Ground,
    progress: Progress,
    after: Job | None = None,
) -> Job:
    """Write a job unless it is there, and start it unless it runs or has ended.

    Args:
        directory: the run.
        number: of the job.
        steps: what it runs; of a job that is there already, its own steps.
        ground: where it runs.
        progress: who is told.
        after: the job that must have ended before it starts.

    Raises:
        SetupError: it cannot be written or started.
    """
    job = _find_or_write(directory, number, steps, ground, progress)
    if not has_ended(job):
        ground.adapter.start(job, after)
    return job


def follow_job(
    directory: RunDirectory, job: Job, steps: Sequence[Step], ground: Ground, progress: Progress
) -> None:
    """Follow a job to its end and tell of every step, also of those that ended earlier.

    Args:
        directory: the run.
        job: which one.
        steps: its steps.
        ground: where it runs.
        progress: who is told.

    Raises:
        SetupError: the job's script could not go on, as on a full disk; or nobody knows how the
            job is.
    """
    by_id = {step.id: step for step in steps}
    begun: dict[str, float] = {}

    def tell(event: StepEvent) -> None:
        step = by_id.get(event.step)
        if step is None:
            return
        if event.event == "start":
            begun[step.id] = event.time
            progress.started(step)
        else:
            ended = _exit(event, begun.get(step.id, event.time))
            progress.finished(step, ended, glance(ended, job.directory))

    ground.adapter.follow(job, tell)
    complaint = ground.adapter.complaint(job)
    if complaint and not has_ended(job):
        if ground.gave_up(job):  # what became of its steps is in the report
            progress.stage(f"{job.id}: {complaint}")
            return
        go_on = suggest("evaluate", "--resume", directory.path)
        raise SetupError(complaint, f"mend it, then go on with: {go_on}")


def has_ended(job: Job) -> bool:
    """Whether every step has; what the script complained about on the way is then no matter."""
    return set(job.steps) <= read_status(job.directory).exits.keys()


def _find_or_write(
    directory: RunDirectory,
    number: int,
    steps: Sequence[Step],
    ground: Ground,
    progress: Progress,
) -> Job:
    place = directory.job(number)
    if (place / "script.sh").exists():
        return read_job(place)
    commands = _commands(directory, place / "records", steps, ground, progress)
    directory.write_steps(number, tuple(steps))
    surroundings = ground.surroundings(ground.nodes_of(steps), ground.limit_of(steps))
    return write_job(place, commands, surroundings)


def _exit(event: StepEvent, started: float) -> Exit:
    return Exit(
        step=event.step,
        started=started,
        ended=event.time,
        code=event.code if event.code is not None else -1,
        timed_out=event.timed_out,
    )


def _commands(
    directory: RunDirectory,
    records: Path,
    steps: Sequence[Step],
    ground: Ground,
    progress: Progress,
) -> list[StepCommand]:
    facts, machine = directory.facts(), directory.machine()
    if source_digest(native_directory()) != facts.source_digest:
        raise RunError(
            f"the programs have changed since {directory.path} was planned",
            "start a new run, or return to the version that planned it",
        )
    on_node = NodeBuilder(directory, machine, ground, progress)
    programs, failures = build_programs(steps, facts.toolchains, machine, progress, on_node)
    if failures:
        (name, benchmark), reason = next(iter(failures.items()))
        raise BuildError(
            f"{benchmark} no longer compiles with {name}: {reason}",
            f"what was measured is kept; {suggest('doctor')} shows the compilers found",
        )
    chains = {chain.name: chain for chain in facts.toolchains}
    allocation = ground.allocation(ground.nodes_of(steps), machine)
    recipes = {recipe.benchmark: recipe for recipe in recipes_of(directory)}
    foreign = any(step.benchmark in recipes for step in steps)
    watch = find_watch(facts.toolchains, machine) if foreign else None
    commands = []
    for step in steps:
        record = records / f"{step.id}.jsonl"
        chain = _over_network(chains[step.toolchain], step, ground)
        if step.benchmark in recipes and watch:
            recipe, builds = recipes[step.benchmark], directory.builds
            made = command(recipe, step, chain, allocation, record, watch=watch, builds=builds)
        else:
            program = programs[step.toolchain, step.benchmark]
            made = command_for(step, chain, program, allocation, record)
        commands.append(made)
    return commands


def _over_network(chain: Toolchain, step: Step, ground: Ground) -> Toolchain:
    """The toolchain told which network to use between nodes; what it sets itself wins."""
    networks = {network.name: network for network in ground.site.networks}
    if step.nodes == 1 or not networks:
        return chain
    network = networks.get(step.network, ground.site.networks[0])
    told = environment_of(network, chain.mpi) | chain.environment
    return chain.model_copy(update={"environment": told})
