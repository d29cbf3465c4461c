"""The conductor: defines the order of the stages, together with `session/runs.py`.

describe machine -> plan -> build -> launch -> [runs.py: collect -> store -> analyse -> report]
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from heorot.build.toolchains import load_all
from heorot.errors import BuildError, UsageError
from heorot.launch.target import ExecutionTarget
from heorot.launch.temporary import require_temporary_directory
from heorot.model.machine.site import Site
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Plan, SkippedCase, word_reasons
from heorot.model.run.request import Request
from heorot.session.blocks import measure, submit_all
from heorot.session.cluster.building import for_nodes
from heorot.session.cluster.describe_nodes import describe_nodes
from heorot.session.cluster.described import described_nodes
from heorot.session.cluster.resolve import limits_of, resolve_target
from heorot.session.cluster.sites import SiteFile, read_site_file
from heorot.session.exclusive_use.concurrent_runs import alone_unless
from heorot.session.external_programs import chosen as others
from heorot.session.inspection import describe_here
from heorot.session.preparation import Prepared, prepare, price
from heorot.session.programs import build_steps
from heorot.session.progress import Progress
from heorot.session.run_start import first_facts, new_run, resumed
from heorot.session.runs import Ended, conclude
from heorot.session.verification.disagreements import agreement_of, resume_concluded
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest


@dataclass(frozen=True)
class Sent:
    """A run whose jobs are in a batch system.

    Attributes:
        n_jobs: number of waiting and running jobs.
    """

    directory: Path
    n_jobs: int


def evaluate(
    request: Request, progress: Progress, *, anyway: bool = False, keep: bool = True
) -> Ended:
    """Run an evaluation: plan, build, launch, collect, store, analyse, report.

    Args:
        anyway: whether to run next to other measurements on this machine.
        keep: whether the run stays: its results and its report are written.
    """
    used = read_site_file(request.site)
    target = _target(request, used.site, progress)
    with _new_run(request, used, target, progress) as directory:
        return _conduct(directory, target, progress, anyway=anyway, keep=keep)


def submit(request: Request, progress: Progress) -> Sent:
    """Plan, build and submit all jobs to the batch system; a later `--resume` collects them.

    Raises:
        UsageError: there is no batch system.
    """
    used = read_site_file(request.site)
    target = _target(request, used.site, progress)
    if target.batch is None:
        raise UsageError("--no-wait needs a batch system", "leave --no-wait out, or add --batch")
    with _new_run(request, used, target, progress) as directory:
        try:
            _plan_and_build(directory, target, progress)
            return Sent(directory.path, submit_all(directory, target, progress))
        finally:
            progress.close()


def resume(path: Path, progress: Progress, *, trust: bool = False, anyway: bool = False) -> Ended:
    """Resume a run: finished steps stay, the others run.

    Args:
        trust: whether it and its site file may belong to another user, whose programs are run.

    Raises:
        HeorotError: there is no run, it or its site file belongs to another user, or nothing can
            run.
    """
    directory = RunDirectory.open(path)
    request = directory.facts().request
    with resumed(directory, path, (request.site,), progress, trust=trust) as site:
        target = _target(request, site, progress)
        return _conduct(directory, target, progress, anyway=anyway)


def _target(request: Request, site: Site, progress: Progress) -> ExecutionTarget:
    others.wanted_files(request)  # errors are reported before anything is written
    return resolve_target(request, site, request.most_nodes, progress)


@contextmanager
def _new_run(
    request: Request, used: SiteFile, target: ExecutionTarget, progress: Progress
) -> Iterator[RunDirectory]:
    """A new run that can be resumed even if killed before it has a plan."""
    name = time.strftime("%Y%m%d-%H%M%S", time.localtime())
    with new_run(RunDirectory, request.out, name, used, target, progress) as directory:
        directory.write_facts(first_facts(directory.path.name, request))
        yield directory


def _conduct(
    directory: RunDirectory,
    target: ExecutionTarget,
    progress: Progress,
    *,
    anyway: bool,
    keep: bool = True,
) -> Ended:
    """Run the remaining stages of a run."""
    require_temporary_directory()
    try:
        if directory.has_plan:
            resume_concluded(directory, agreement_of(directory, directory.all_steps()))
        else:
            _plan_and_build(directory, target, progress)
        with alone_unless(anyway, target, directory.path, progress):
            measure(directory, target, progress)
        nodes = described_nodes(directory, target.site) if target.elsewhere else ()
        if nodes:  # later jobs may have had other nodes than the first
            machine = directory.machine().model_copy(update={"nodes": nodes})
            directory.write_machine(machine)
    finally:
        progress.close()
    progress.stage("analysing")
    return conclude(directory, keep=keep)


def _plan_and_build(directory: RunDirectory, target: ExecutionTarget, progress: Progress) -> None:
    """Write machine, plan and facts; cases whose programs fail to build are skipped."""
    facts = directory.facts()
    others.keep(directory, others.wanted_files(facts.request))
    machine = describe_nodes(directory, target, progress) if target.elsewhere else None
    prepared = prepare(
        facts.request,
        others.recipes_of(directory),
        machine=machine,
        site=target.site,
        longest_seconds=limits_of(target).longest_seconds,
        device_words=target.device_words,
    )
    loaded, unloaded = load_all(prepared.toolchains)
    if target.elsewhere:
        here = describe_here()
        loaded = tuple(for_nodes(toolchain, prepared.machine, here) for toolchain in loaded)
    ready = replace(prepared, toolchains=loaded)
    for line in (*ready.remarks, *price(ready)):
        progress.stage(line)
    started = time.monotonic()
    plan = _without(prepared.plan, _build(directory, ready, unloaded, target, progress))
    if not plan.steps:
        raise BuildError(
            f"nothing can run: {word_reasons(plan.skipped)}",
            f"{suggest('doctor')} shows the compilers",
        )
    unusable = (each for each in prepared.toolchains if each.name in unloaded)
    directory.write_machine(prepared.machine)
    update = {
        "toolchains": _usable_first((*loaded, *unusable), plan),
        "plan_digest": plan.digest,
        "setup_seconds": time.monotonic() - started,
    }
    directory.write_facts(facts.model_copy(update=update))
    directory.write_plan(plan)


def _build(
    directory: RunDirectory,
    prepared: Prepared,
    unloaded: Mapping[str, str],
    target: ExecutionTarget,
    progress: Progress,
) -> dict[Setup, str]:
    """Build the programs of the steps; reasons by case without one.

    Args:
        unloaded: reasons by name of the toolchains whose modules fail to load.
    """
    steps, chains = prepared.plan.steps, prepared.toolchains
    unbuilt = {step.setup: unloaded[step.toolchain] for step in steps if step.toolchain in unloaded}
    left = [step for step in steps if step.setup not in unbuilt]
    return unbuilt | build_steps(directory, left, chains, prepared.machine, target, progress)


def _usable_first(chains: Sequence[Toolchain], plan: Plan) -> tuple[Toolchain, ...]:
    """All toolchains, one with steps first: it is the reference of comparisons."""
    used = {step.toolchain for step in plan.steps}
    return tuple(sorted(chains, key=lambda chain: chain.name not in used))


def _without(plan: Plan, failures: Mapping[Setup, str]) -> Plan:
    """The plan without the cases that failed to build."""
    unbuilt = {
        step.setup: SkippedCase(
            setup=step.setup,
            reason=f"did not compile: {failures[step.setup]}",
            failed=True,
        )
        for step in plan.steps
        if step.setup in failures
    }
    steps = tuple(step for step in plan.steps if step.setup not in failures)
    seconds = sum(step.seconds for step in steps)
    skipped = (*plan.skipped, *unbuilt.values())
    return plan.model_copy(update={"steps": steps, "seconds": seconds, "skipped": skipped})
