"""Turns catalogue, machine and wishes into a plan that is known to fit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from heorot.errors import UsageError
from heorot.model.catalogue.benchmark import Benchmark, Case, Profile
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.plan import Plan, SkippedCase, Step
from heorot.suggestion import suggest
from heorot.units import format_binary, format_duration

LAUNCHES: dict[Profile, int] = {"smoke": 3, "quick": 5, "standard": 5, "full": 10}
# What starting and ending a program costs besides its own estimate [s].
_START_SECONDS = 0.3
_TIMEOUT_FLOOR_SECONDS = 60.0
_TIMEOUT_FACTOR = 6.0
# The rest of the memory belongs to the system and to file caches.
_USABLE_MEMORY = 0.85


@dataclass(frozen=True)
class Wish:
    """What the user asks for.

    Attributes:
        profile: how thorough.
        only: glob patterns of benchmark names that were asked for; empty means all.
        launches: launches per case; None takes the profile's.
        budget_seconds: everything must fit in it [s].
        seed: of the shuffling.
    """

    profile: Profile
    launches: int | None
    budget_seconds: float | None
    seed: int


@dataclass(frozen=True)
class Capacity:
    """What the machine can give to one step.

    Attributes:
        cores: distinct cores one job may use on a node.
        memory_bytes: memory one job may use on a node [B].
        nodes: nodes one job may use.
    """

    cores: int
    memory_bytes: int
    nodes: int = 1


@dataclass(frozen=True)
class Candidate:
    """A case of a benchmark for a toolchain."""

    benchmark: Benchmark
    case: Case
    toolchain: Toolchain

    @property
    def seconds(self) -> float:
        """Estimate of one launch with its start-up [s]."""
        return self.case.seconds + _START_SECONDS

    def skipped(self, reason: str) -> SkippedCase:
        """This case as one that does not run."""
        return SkippedCase(
            benchmark=self.benchmark.name,
            case=self.case.name,
            toolchain=self.toolchain.name,
            reason=reason,
        )


def select(benchmarks: Sequence[Benchmark], only: Sequence[str]) -> tuple[Benchmark, ...]:
    """The benchmarks that match any of the patterns, all if there are none.

    Raises:
        UsageError: a pattern matches nothing.
    """
    names = [benchmark.name for benchmark in benchmarks]
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UsageError(f"no benchmark matches '{pattern}'", _suggest(pattern, benchmarks))
    return tuple(
        benchmark
        for benchmark in benchmarks
        if not only or any(fnmatchcase(benchmark.name, pattern) for pattern in only)
    )


def _suggest(pattern: str, benchmarks: Sequence[Benchmark]) -> str:
    """What may have been meant: a whole family, a program by its last name, a slip of the pen."""
    names = [benchmark.name for benchmark in benchmarks]
    last_names = {name.partition("/")[2]: name for name in names}
    if pattern.strip("/*") in {benchmark.family for benchmark in benchmarks}:
        return f"did you mean '{pattern.strip('/*')}/*'?"
    near = get_close_matches(pattern, [*names, *last_names], n=1, cutoff=0.5)
    if near:
        return f"did you mean {last_names.get(near[0], near[0])}?"
    return f"{suggest('list')} shows all benchmarks"


def make_plan(
    candidates: Sequence[Candidate],
    skipped: Sequence[SkippedCase],
    capacity: Capacity,
    wish: Wish,
) -> Plan:
    """Make the plan: what fits runs, in blocks of one launch each, shuffled inside a block.

    Blocking spreads the launches of a case over the whole run, so that a slow drift of the
    machine shows up as spread between launches instead of hiding in one of them.

    Args:
        candidates: what is wanted, in the order of the catalogue.
        skipped: what is already known not to run.
        capacity: what the machine can give to one step.
        wish: what the user asks for.

    Raises:
        UsageError: fewer than one launch is asked for.
    """
    fitting, refused = _fit_machine(candidates, capacity)
    launches = LAUNCHES[wish.profile] if wish.launches is None else wish.launches
    if launches < 1:
        raise UsageError(f"{launches} launches measure nothing", "ask for at least 1")
    launches, fitting, late = _fit_budget(fitting, launches, wish.budget_seconds)
    shuffler = random.Random(wish.seed)  # noqa: S311 - an order, not a secret
    steps: list[Step] = []
    for launch in range(1, launches + 1):
        block = list(fitting)
        shuffler.shuffle(block)
        steps += [
            make_step(candidate, launch, number)
            for number, candidate in enumerate(block, start=len(steps) + 1)
        ]
    return Plan(
        profile=wish.profile,
        seed=wish.seed,
        budget_seconds=wish.budget_seconds,
        seconds=launches * sum(candidate.seconds for candidate in fitting),
        steps=tuple(steps),
        skipped=(*skipped, *refused, *late),
    )


def make_step(candidate: Candidate, launch: int, number: int) -> Step:
    """One launch of a case as a step."""
    case = candidate.case
    return Step(
        id=f"S{number:04d}",
        benchmark=candidate.benchmark.name,
        case=case.name,
        launch=launch,
        options=case.options,
        ranks=case.ranks,
        threads=case.threads,
        nodes=case.nodes,
        per_node=case.per_node,
        toolchain=candidate.toolchain.name,
        seconds=round(candidate.seconds, 2),
        memory_bytes=case.memory_bytes,
        working_set_bytes=case.working_set_bytes,
        timeout_seconds=max(_TIMEOUT_FLOOR_SECONDS, _TIMEOUT_FACTOR * candidate.seconds),
    )


def _fit_machine(
    candidates: Sequence[Candidate], capacity: Capacity
) -> tuple[list[Candidate], list[SkippedCase]]:
    fitting: list[Candidate] = []
    skipped: list[SkippedCase] = []
    for candidate in candidates:
        reason = _reason_against(candidate, capacity)
        if reason:
            skipped.append(candidate.skipped(reason))
        else:
            fitting.append(candidate)
    return fitting, skipped


def _reason_against(candidate: Candidate, capacity: Capacity) -> str:
    case = candidate.case
    usable_bytes = int(_USABLE_MEMORY * capacity.memory_bytes)
    where = " on each node" if case.nodes > 1 else ""
    cores = math.ceil(case.needs_cores / case.nodes)
    wanted_bytes = math.ceil(case.memory_bytes / case.nodes)
    if case.nodes > capacity.nodes:
        return f"needs {case.nodes} nodes, {capacity.nodes} may be used"
    if cores > capacity.cores:
        return f"needs {cores} cores{where}, {capacity.cores} may be used"
    if wanted_bytes > usable_bytes:
        wanted, usable = format_binary(wanted_bytes), format_binary(usable_bytes)
        return f"needs {wanted} of memory{where}, {usable} may be used"
    if candidate.toolchain.mpi is None and (candidate.benchmark.needs_mpi or case.ranks > 1):
        return "the toolchain has no MPI"
    return ""


def _fit_budget(
    candidates: list[Candidate], launches: int, budget_seconds: float | None
) -> tuple[int, list[Candidate], list[SkippedCase]]:
    """Fewer launches first, then without the longest cases."""
    if budget_seconds is None:
        return launches, candidates, []
    kept = list(candidates)
    late: list[SkippedCase] = []
    while kept and launches * sum(candidate.seconds for candidate in kept) > budget_seconds:
        if launches > 1:
            launches -= 1
            continue
        longest = max(kept, key=lambda candidate: candidate.seconds)
        kept.remove(longest)
        late.append(
            longest.skipped(
                f"takes about {format_duration(longest.seconds)}, more than the budget of "
                f"{format_duration(budget_seconds)} leaves"
            )
        )
    return launches, kept, late
