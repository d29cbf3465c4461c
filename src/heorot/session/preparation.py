"""Prepares a run: describes the machine, chooses toolchains, makes the plan."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import get_args

from heorot.build.programs import build_seconds
from heorot.build.toolchains import choose, distinct, load_all, with_unique_names
from heorot.catalogue.sizes import all_cores
from heorot.errors import UsageError
from heorot.machine.describe import find_software
from heorot.model.catalogue.benchmark import Benchmark, Profile
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Mpi, Toolchain
from heorot.model.recipe import Recipe
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan, SkippedCase, word_reasons
from heorot.model.run.request import Request
from heorot.plan.budget import Width
from heorot.plan.candidate import select
from heorot.plan.planner import make_plan
from heorot.recipes.read import read_recipe
from heorot.session.cluster.candidates import candidates_of, offer_of
from heorot.session.cluster.pace import pace_of
from heorot.session.cluster.resolve import limits_of, resolve_target
from heorot.session.cluster.sites import read_site_file
from heorot.session.cluster.software import remembered_software
from heorot.session.external_programs import chosen as others
from heorot.session.external_programs.inputs import look_at
from heorot.session.external_programs.toolchains import toolchains_for
from heorot.session.inspection import describe_machine, list_toolchains
from heorot.session.programs import missing_programs
from heorot.suggestion import suggest
from heorot.units import format_duration, plural

_TAKEN_ALIKE = "A dry run assumes that all nodes are like this one."


@dataclass(frozen=True)
class Prepared:
    """A plan with its machine and toolchains.

    Attributes:
        toolchains: those with steps; the first is the reference of comparisons.
        remarks: on the plan, in sentences.
    """

    machine: Machine
    toolchains: tuple[Toolchain, ...]
    plan: Plan
    remarks: tuple[str, ...] = ()


def prepare(
    request: Request,
    recipes: Sequence[Recipe] = (),
    *,
    machine: Machine | None = None,
    site: Site | None = None,
    longest_seconds: float | None = None,
    device_words: Mapping[str, str] | None = None,
) -> Prepared:
    """Describe the machine, choose toolchains, make the plan; nothing is built or written.

    Args:
        machine: with the nodes of the jobs; None describes this one.

    Raises:
        UsageError: a name in the request matches nothing, or nothing can run.
    """
    site = site or Site()
    if machine is None:
        find = find_software if request.chosen is None else remembered_software
        machine = describe_machine(request.out, site, find)
    pace = pace_of(machine, anew=request.chosen is None)
    stated = {"networks": site.networks, "hosts": site.hosts}
    machine = machine.model_copy(update=stated | {"pace": pace})
    every = list_toolchains(machine, site)
    toolchains = choose(every, request.toolchains)
    chosen = request.chosen
    known = [each for family in others.families_with(recipes) for each in family.benchmarks]
    wanted = select(known, [chosen.benchmark] if chosen else request.only, request.profile)
    chains, skipped = _chains(wanted, toolchains, every, recipes, others.sources_of(request, site))
    built_anew = distinct(toolchains)
    candidates = [
        candidate
        for benchmark in wanted
        for toolchain in chains[benchmark.name]
        for candidate in candidates_of(benchmark, toolchain, request, machine, site)
    ]
    offer = offer_of(machine, request, site, longest_seconds, device_words)
    inputs = [each for candidate in candidates for each in candidate.case.needs.inputs]
    offer = replace(offer, inputs=look_at(inputs))
    seed = secrets.randbelow(1 << 31) if request.seed is None else request.seed
    width = Width(toolchains=len(built_anew), networks=max(1, len(site.networks)))
    plan = make_plan(candidates, skipped, offer, request, seed=seed, width=width)
    if not plan.steps:
        if not plan.skipped and (later := _later(recipes, request)):
            raise UsageError(f"nothing can run: {later[0]}", later[1])
        hint = _remedy(request, skipped, has_inputs=bool(inputs))
        raise UsageError(f"nothing can run: {word_reasons(plan.skipped)}", hint)
    runs = {each.name: each for each in (*built_anew, *chain(*chains.values()))}
    used = {each.name: each for each in (*toolchains, *runs.values()) if each.name in runs}
    idle = [each.name for each in toolchains if each.name not in runs]
    return Prepared(
        machine,
        tuple(used.values()),
        plan,
        (*_remark(idle), *_without_steps(request, plan), *_filled(request, wanted)),
    )


def _chains(
    wanted: Sequence[Benchmark],
    toolchains: Sequence[Toolchain],
    every: Sequence[Toolchain],
    recipes: Sequence[Recipe],
    sources: Mapping[str, Path],
) -> tuple[dict[str, tuple[Toolchain, ...]], list[SkippedCase]]:
    """The toolchains of each program, and the cases without one."""
    chains = {
        each.name: distinct(toolchains, blas=each.uses_blas, compilers=each.touched_by)
        for each in wanted
    }
    skipped: list[SkippedCase] = []
    for recipe in (each for each in recipes if each.benchmark in chains):
        has_source = recipe.name in sources
        own, reason = toolchains_for(recipe, distinct(toolchains), every, has_source=has_source)
        chains[recipe.benchmark] = _each_once(own)
        if reason:
            skipped.append(_skipped(recipe, toolchains[0], reason))
    return chains, skipped


def _each_once(toolchains: Sequence[Toolchain]) -> tuple[Toolchain, ...]:
    """Toolchains with substitutes of one MPI only once, whatever compiler they were made from."""
    kept: dict[tuple[str, Mpi | None], Toolchain] = {}
    for toolchain in toolchains:
        kept.setdefault((toolchain.name, toolchain.mpi), toolchain)
    return with_unique_names(tuple(kept.values()))


def _remark(names: Sequence[str]) -> Iterator[str]:
    """Sentences on toolchains without steps."""
    if names:
        yield (
            f"Nothing runs with {', '.join(names)}: no chosen program uses a BLAS, Fortran or "
            "devices, and all else equals a previous toolchain"
        )


def _without_steps(request: Request, plan: Plan) -> Iterator[str]:
    """Requested numbers of nodes without steps, and why."""
    asked = {request.chosen.case.nodes} if request.chosen else {*request.nodes}
    there = sorted({step.nodes for step in plan.steps})
    for nodes in sorted(asked.difference(there)):
        out = [case for case in plan.skipped if case.nodes == nodes]
        reason = word_reasons(out) if out else "no program chosen has a case for so many"
        yield (
            f"--nodes {nodes}: nothing runs on {plural(nodes, 'node')}: {reason}; all steps are on "
            f"{', '.join(map(str, there))}"
        )


def _filled(request: Request, wanted: Sequence[Benchmark]) -> Iterator[str]:
    """Meaning of `--per-node` with one node, or without programs that run over several."""
    if request.per_node and not any(each.over_nodes for each in wanted):
        yield "--per-node has no effect: no program chosen runs over nodes"
    elif request.per_node and request.most_nodes == 1:
        yield "--per-node fills the one node that is asked for; --nodes 1,2 adds a second"


def _skipped(recipe: Recipe, toolchain: Toolchain, reason: str) -> SkippedCase:
    """A third-party program that cannot run here, independent of its cases."""
    return SkippedCase(setup=Setup(recipe.benchmark, "all", toolchain.name), reason=reason)


def _later(recipes: Sequence[Recipe], request: Request) -> tuple[str, str] | None:
    """Requested third-party programs with cases in other profiles only; and the hint."""
    first = {}
    for recipe in recipes:
        has = {profile for run in recipe.cases for profile in run.profiles}
        if request.profile not in has and has:
            first[recipe.benchmark] = min(has, key=get_args(Profile).index)
    if not first:
        return None
    words = "; ".join(f"{name} has cases from {profile} on" for name, profile in first.items())
    profile = max(first.values(), key=get_args(Profile).index)
    return f"with --profile {request.profile} {words}", f"ask for it with --profile {profile}"


def _remedy(request: Request, lacking: Sequence[SkippedCase], *, has_inputs: bool) -> str:
    """The remedy if nothing can run, perhaps for lack of a third-party program's inputs."""
    if has_inputs and not lacking:
        return "put its input files there, or correct `path` and `sha256`: sha256sum FILE"
    if lacking:
        return f"{suggest('recipe', 'list')} shows what each third-party benchmark needs"
    if request.budget_seconds is not None:
        return (
            f"give it a larger --budget; {suggest('evaluate', '--dry-run')} shows what each takes"
        )
    if request.chosen:
        return (
            "--set a smaller problem, ask for fewer --ranks and --threads, or add --oversubscribe"
        )
    return f"choose other programs with --only; {suggest('list')} shows all"


def dry_run(request: Request) -> tuple[Plan, list[str]]:
    """The plan of a request and the families' estimates; nothing is built or written.

    Raises:
        UsageError: a name in the request matches nothing, or nothing can run.
    """
    recipes = [read_recipe(file) for file in others.wanted_files(request).values()]
    target = resolve_target(request, read_site_file(request.site).site, request.most_nodes)
    longest = limits_of(target).longest_seconds
    words = target.device_words
    ready = prepare(request, recipes, site=target.site, longest_seconds=longest, device_words=words)
    plan = ready.plan
    known = others.families_with(recipes)
    ways = [foresee for family in known for foresee in family.analysis().foresee]
    remarks = [one for foresee in ways for one in foresee(plan)]
    loaded, unloaded = load_all(ready.toolchains)
    ready = replace(ready, toolchains=loaded)
    remarks += [*unloaded.values(), *ready.remarks, *_shares(ready), *price(ready)]
    return plan, [*remarks, *([_TAKEN_ALIKE] if target.elsewhere else [])]


def _shares(ready: Prepared) -> Iterator[str]:
    """Measuring time for each of several toolchains."""
    for toolchain in ready.toolchains if ready.toolchains[1:] else ():
        own = [step.seconds for step in ready.plan.steps if step.toolchain == toolchain.name]
        n_steps = plural(len(own), "step")
        yield f"{toolchain.name}: {n_steps}, about {format_duration(sum(own))}"


def price(ready: Prepared) -> Iterator[str]:
    """Time of missing builds, and of measuring after them."""
    missing = missing_programs(ready.plan.steps, ready.toolchains, ready.machine)
    if missing:
        seconds = build_seconds(missing, all_cores(ready.machine))
        n_programs, n_builds = plural(sum(missing), "program"), plural(len(missing), "build")
        yield (
            f"compiling {n_programs} in {n_builds} comes first, takes about "
            f"{format_duration(seconds)} and is kept; measuring takes about "
            f"{format_duration(ready.plan.seconds)}"
        )
