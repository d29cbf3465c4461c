"""The conductor: the only file that knows the order of the stages.

describe machine -> plan -> build -> launch -> collect -> store -> analyse -> report
"""

from __future__ import annotations

import platform
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from heorot import __version__
from heorot.build.sources import native_directory, source_digest
from heorot.build.toolchains import choose, load_modules
from heorot.catalogue.sizes import all_cores, memory_bytes
from heorot.errors import BuildError, HeorotError, Interrupted, UsageError
from heorot.launch.local import LocalAdapter
from heorot.launch.temporary import require_temporary_directory
from heorot.machine.pace import probe
from heorot.model.catalogue.benchmark import Benchmark, Case
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.allocation import Allocation
from heorot.model.run.plan import CaseKey, Plan, SkippedCase
from heorot.model.run.request import Request
from heorot.plan.candidate import Candidate, Capacity, Wish
from heorot.plan.planner import make_plan
from heorot.plan.selection import select
from heorot.recipes.read import read_recipe
from heorot.session.blocks import measure
from heorot.session.inspection import describe_machine, list_toolchains
from heorot.session.jobs import build_programs
from heorot.session.others import chosen as others
from heorot.session.others.launches import build_all
from heorot.session.others.toolchains import toolchains_for
from heorot.session.progress import Progress
from heorot.session.runs import Ended, conclude
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest


@dataclass(frozen=True)
class Prepared:
    """A plan with all it rests on."""

    machine: Machine
    toolchains: tuple[Toolchain, ...]
    plan: Plan


def prepare(request: Request, recipes: Sequence[Recipe] = ()) -> Prepared:
    """Describe the machine, choose toolchains, make the plan; nothing is built or written.

    Args:
        request: what the user asks for.
        recipes: programs of others that may run.

    Raises:
        UsageError: a name in the request matches nothing, or nothing can run.
    """
    machine = describe_machine(request.out or Path.cwd(), request.site)
    pace = probe(all_cores(machine), memory_bytes(machine))
    machine = machine.model_copy(update={"pace": pace})
    every = list_toolchains(machine, request.site)
    toolchains = choose(every, request.toolchains)
    chosen = request.chosen
    known = [each for family in others.families_with(recipes) for each in family.benchmarks]
    wanted = select(known, [chosen.benchmark] if chosen else request.only)
    chains = {benchmark.name: toolchains for benchmark in wanted}
    skipped: list[SkippedCase] = []
    for recipe in (each for each in recipes if each.benchmark in chains):
        has_source = recipe.name in others.sources_of(request)
        own, reason = toolchains_for(recipe, toolchains, every, has_source=has_source)
        chains[recipe.benchmark] = own
        if reason:
            skipped.append(_skipped(recipe, toolchains[0], reason))
    candidates = [
        Candidate(benchmark, case, toolchain)
        for benchmark in wanted
        for toolchain in chains[benchmark.name]
        for case in (
            [_estimated(benchmark, chosen.case, machine)]
            if chosen
            else benchmark.cases(machine, request.profile)
        )
    ]
    wish = Wish(
        profile=request.profile,
        launches=request.launches,
        budget_seconds=request.budget_seconds,
        seed=secrets.randbelow(1 << 31) if request.seed is None else request.seed,
        timeout_seconds=request.timeout_seconds,
        promised=chosen is None,
    )
    capacity = Capacity(all_cores(machine), memory_bytes(machine))
    plan = make_plan(candidates, skipped, capacity, wish)
    if not plan.steps:
        raise UsageError(f"nothing can run: {_reasons(plan)}", _remedy(request, skipped))
    used = {each.name: each for each in chain(toolchains, *chains.values())}
    return Prepared(machine, tuple(used.values()), plan)


def _skipped(recipe: Recipe, toolchain: Toolchain, reason: str) -> SkippedCase:
    """A program of others that cannot run here, whatever its cases."""
    return SkippedCase(
        benchmark=recipe.benchmark, case="all", toolchain=toolchain.name, reason=reason
    )


def _reasons(plan: Plan) -> str:
    """Why the first case does not run, and how many other reasons there are."""
    first, *others = dict.fromkeys(case.reason for case in plan.skipped) or ["there is no case"]
    return f"{first} (and {len(others)} more reasons)" if others else first


def _remedy(request: Request, lacking: Sequence[SkippedCase]) -> str:
    """What to do if nothing can run, perhaps because programs of others lack something."""
    if lacking:
        return f"{suggest('recipe', 'list')} shows what each program of others needs"
    if request.budget_seconds is not None:
        return (
            f"give it a larger --budget; {suggest('evaluate', '--dry-run')} shows what each takes"
        )
    if request.chosen:
        return (
            "--set a smaller problem, ask for fewer --ranks and --threads, or add --oversubscribe"
        )
    return f"choose other programs with --only; {suggest('list')} shows all"


def _estimated(benchmark: Benchmark, case: Case, machine: Machine) -> Case:
    """A case of the user's own with what it needs, if its family can tell."""
    return benchmark.estimate(machine, case) if benchmark.estimate else case


def dry_run(request: Request) -> tuple[Plan, list[str]]:
    """The plan of a request and what the families foresee; nothing is built or written.

    Raises:
        UsageError: a name in the request matches nothing, or nothing can run.
    """
    recipes = [read_recipe(file) for file in others.wanted_files(request).values()]
    plan = prepare(request, recipes).plan
    return plan, [one for family in others.families_with(recipes) for one in family.foresee(plan)]


def evaluate(request: Request, progress: Progress) -> Ended:
    """The main job: plan, build, launch, collect, store, analyse, report."""
    started = time.time()
    name = time.strftime("%Y%m%d-%H%M%S", time.localtime(started))
    others.wanted_files(request)  # what is wrong with one is told before anything is written
    directory = RunDirectory.create(request.out or Path("runs") / name)
    with _resumable(directory):
        # From here on a killed run can be resumed, even if it had no plan yet.
        directory.write_facts(_first_facts(directory, request, started))
        try:
            return _conduct(directory, progress)
        except HeorotError:
            directory.discard_if_unplanned()
            raise


def resume(path: Path, progress: Progress) -> Ended:
    """Go on with a run that was killed: finished steps stay, the others run."""
    directory = RunDirectory.open(path)
    progress.stage(f"going on with {path}")
    with _resumable(directory):
        return _conduct(directory, progress)


@contextmanager
def _resumable(directory: RunDirectory) -> Iterator[None]:
    """Let an interruption know the run that it interrupts."""
    try:
        yield
    except KeyboardInterrupt as error:
        if not directory.facts_file.exists():  # too early to be gone on with
            directory.discard_if_unplanned()
            raise
        raise Interrupted(directory.path) from error


def _conduct(directory: RunDirectory, progress: Progress) -> Ended:
    """Do what is left of a run, whatever that is."""
    with directory.exclusive():
        require_temporary_directory()
        try:
            if not directory.has_plan:
                _plan_and_build(directory, progress)
            machine = directory.machine()
            allocation = Allocation(hosts=(machine.hostname,), node=machine.node)
            measure(directory, LocalAdapter(), allocation, progress)
        finally:
            progress.close()
        progress.stage("analysing")
        return conclude(directory)


def _first_facts(directory: RunDirectory, request: Request, started: float) -> RunFacts:
    return RunFacts(
        name=directory.path.name,
        heorot_version=__version__,
        python_version=platform.python_version(),
        request=request,
        source_digest=source_digest(native_directory()),
        started=started,
    )


def _plan_and_build(directory: RunDirectory, progress: Progress) -> None:
    """Write machine, plan and facts; what does not compile becomes a skipped case."""
    facts = directory.facts()
    others.keep(directory, others.wanted_files(facts.request))
    recipes = others.recipes_of(directory)
    prepared = prepare(facts.request, recipes)
    chains = tuple(load_modules(toolchain) for toolchain in prepared.toolchains)
    started = time.monotonic()
    steps = prepared.plan.steps
    _, failures = build_programs(steps, chains, prepared.machine, progress)
    unbuilt = {
        step.key: failures[step.toolchain, step.benchmark]
        for step in steps
        if (step.toolchain, step.benchmark) in failures
    }
    unbuilt |= build_all(directory, recipes, steps, chains, progress)
    plan = _without(prepared.plan, unbuilt)
    if not plan.steps:
        raise BuildError(
            f"nothing can run: {_reasons(plan)}", f"{suggest('doctor')} shows the compilers"
        )
    directory.write_machine(prepared.machine)
    update = {
        "toolchains": chains,
        "plan_digest": plan.digest,
        "setup_seconds": time.monotonic() - started,
    }
    directory.write_facts(facts.model_copy(update=update))
    directory.write_plan(plan)


def _without(plan: Plan, failures: Mapping[CaseKey, str]) -> Plan:
    """The plan without the cases that did not compile."""
    unbuilt = {
        step.key: SkippedCase(
            benchmark=step.benchmark,
            case=step.case,
            toolchain=step.toolchain,
            reason=f"did not compile: {failures[step.key]}",
            failed=True,
        )
        for step in plan.steps
        if step.key in failures
    }
    steps = tuple(step for step in plan.steps if step.key not in failures)
    seconds = sum(step.seconds for step in steps)
    skipped = (*plan.skipped, *unbuilt.values())
    return plan.model_copy(update={"steps": steps, "seconds": seconds, "skipped": skipped})
