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
from pathlib import Path

from heorot import __version__
from heorot.analyse.trust.disturbance import disturbed_steps
from heorot.build.sources import native_directory, source_digest
from heorot.build.toolchains import choose, load_modules
from heorot.catalogue.sizes import all_cores, memory_bytes
from heorot.collect.collect import collect
from heorot.errors import HeorotError, Interrupted, UsageError
from heorot.families import BENCHMARKS
from heorot.launch.adapter import Adapter
from heorot.launch.local import LocalAdapter
from heorot.model.catalogue.benchmark import Profile
from heorot.model.evaluation import RunFacts
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.allocation import Allocation
from heorot.model.run.plan import Plan, SkippedCase, Step
from heorot.model.run.request import Request
from heorot.plan.planner import Candidate, Capacity, Wish, make_plan, select
from heorot.session.inspection import describe_machine, list_toolchains
from heorot.session.jobs import build_programs, run_job
from heorot.session.progress import Progress
from heorot.session.runs import Ended, conclude
from heorot.store.directory import RunDirectory

# Disturbed launches are repeated as long as it takes no more than this [s].
_REPEAT_SECONDS: dict[Profile, float] = {
    "smoke": 6.0,
    "quick": 40.0,
    "standard": 600.0,
    "full": 3600.0,
}


@dataclass(frozen=True)
class Prepared:
    """A plan with all it rests on."""

    machine: Machine
    toolchains: tuple[Toolchain, ...]
    plan: Plan


def prepare(request: Request) -> Prepared:
    """Describe the machine, choose toolchains, make the plan; nothing is built or written.

    Raises:
        UsageError: a name in the request matches nothing, or nothing can run.
    """
    machine = describe_machine(request.out or Path.cwd(), request.site)
    toolchains = choose(list_toolchains(machine, request.site), request.toolchains)
    chosen = request.chosen
    candidates = [
        Candidate(benchmark, case, toolchain)
        for benchmark in select(BENCHMARKS, [chosen.benchmark] if chosen else request.only)
        for toolchain in toolchains
        for case in ([chosen.case] if chosen else benchmark.cases(machine, request.profile))
    ]
    wish = Wish(
        profile=request.profile,
        launches=request.launches,
        budget_seconds=request.budget_seconds,
        seed=secrets.randbelow(1 << 31) if request.seed is None else request.seed,
    )
    capacity = Capacity(all_cores(machine), memory_bytes(machine))
    plan = make_plan(candidates, (), capacity, wish)
    if not plan.steps:
        reasons = "; ".join(dict.fromkeys(case.reason for case in plan.skipped))
        raise UsageError(f"nothing can run: {reasons or 'the plan is empty'}")
    return Prepared(machine, toolchains, plan)


def evaluate(request: Request, progress: Progress) -> Ended:
    """The main job: plan, build, launch, collect, store, analyse, report."""
    started = time.time()
    name = time.strftime("%Y%m%d-%H%M%S", time.localtime(started))
    directory = RunDirectory.create(request.out or Path("runs") / name)
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
    return _conduct(directory, progress)


@contextmanager
def _resumable(directory: RunDirectory) -> Iterator[None]:
    """Let an interruption know the run that it interrupts."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(directory.path) from error


def _conduct(directory: RunDirectory, progress: Progress) -> Ended:
    """Do what is left of a run, whatever that is."""
    with directory.exclusive(), _resumable(directory):
        try:
            if not directory.has_plan:
                _plan_and_build(directory, progress)
            machine = directory.machine()
            allocation = Allocation(hosts=(machine.hostname,), node=machine.node)
            _measure(directory, LocalAdapter(), allocation, progress)
        finally:
            progress.close()
        progress.stage("analysing")
        return conclude(directory)


def _measure(
    directory: RunDirectory, adapter: Adapter, allocation: Allocation, progress: Progress
) -> None:
    """Go on with the jobs that are there, then run what is in none: the plan's steps, repeats."""
    plan = directory.plan()
    progress.begin(plan)

    def run(number: int, steps: Sequence[Step]) -> None:
        if steps:
            run_job(directory, number, steps, adapter, allocation, progress)

    begun: set[str] = set()
    for number in directory.job_numbers():
        steps = directory.steps(number)
        run(number, steps)
        begun |= {step.id for step in steps}
    run(directory.next_job(), [step for step in plan.steps if step.id not in begun])
    # Repeats are chosen once: disturbed ones are not repeated again.
    if begun <= {step.id for step in plan.steps}:
        run(directory.next_job(), _repeats(directory, plan))


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
    prepared = prepare(facts.request)
    chains = tuple(load_modules(toolchain) for toolchain in prepared.toolchains)
    started = time.monotonic()
    _, failures = build_programs(prepared.plan.steps, chains, prepared.machine, progress)
    plan = _without(prepared.plan, failures)
    directory.write_machine(prepared.machine)
    update = {
        "toolchains": chains,
        "plan_digest": plan.digest,
        "setup_seconds": time.monotonic() - started,
    }
    directory.write_facts(facts.model_copy(update=update))
    directory.write_plan(plan)


def _without(plan: Plan, failures: Mapping[tuple[str, str], str]) -> Plan:
    """The plan without what did not compile, by toolchain and benchmark."""
    unbuilt = {
        (step.benchmark, step.case, step.toolchain): SkippedCase(
            benchmark=step.benchmark,
            case=step.case,
            toolchain=step.toolchain,
            reason=f"did not compile: {failures[step.toolchain, step.benchmark]}",
            failed=True,
        )
        for step in plan.steps
        if (step.toolchain, step.benchmark) in failures
    }
    steps = tuple(step for step in plan.steps if (step.toolchain, step.benchmark) not in failures)
    seconds = sum(step.seconds for step in steps)
    skipped = (*plan.skipped, *unbuilt.values())
    return plan.model_copy(update={"steps": steps, "seconds": seconds, "skipped": skipped})


def _repeats(directory: RunDirectory, plan: Plan) -> tuple[Step, ...]:
    """Disturbed steps as further attempts, cheapest first, as many as there is time for."""
    collected = collect(plan.steps, directory.jobs)
    disturbed = disturbed_steps(collected.series)
    left = _REPEAT_SECONDS[plan.profile]
    if plan.budget_seconds is not None:
        left = min(left, plan.budget_seconds - plan.seconds)
    repeats: list[Step] = []
    candidates = [step for step in plan.steps if step.id in disturbed]
    for step in sorted(candidates, key=lambda step: step.seconds):
        left -= step.seconds
        if left < 0.0:
            break
        number = len(plan.steps) + len(repeats) + 1
        repeats.append(step.model_copy(update={"id": f"S{number:04d}", "attempt": 2}))
    return tuple(repeats)
