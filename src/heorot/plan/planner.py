"""Turns catalogue, machine and wishes into a plan that is known to fit."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from heorot.model.catalogue.benchmark import Case
from heorot.model.run.plan import Plan, SkippedCase, Step
from heorot.plan.budget import fit_time
from heorot.plan.candidate import Candidate, Capacity, Place, Wish
from heorot.units import format_binary, format_duration

_TIMEOUT_FLOOR_SECONDS = 60.0
_TIMEOUT_FACTOR = 6.0
# One launch that takes longer is too long a wait for one number, unless the user chose it [s].
_LONGEST_SECONDS = 2400.0
# The rest of the memory belongs to the system and to file caches.
_USABLE_MEMORY = 0.85


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
    fitting, refused = _fit_machine(candidates, capacity, wish)
    fitted = fit_time(fitting, wish)
    shuffler = random.Random(wish.seed)  # noqa: S311 - an order, not a secret
    steps: list[Step] = []
    for launch in range(1, fitted.launches + 1):
        block = list(fitted.kept)
        shuffler.shuffle(block)
        for candidate in block:
            steps += make_steps(candidate, launch, len(steps) + 1, wish)
    return Plan(
        profile=wish.profile,
        seed=wish.seed,
        budget_seconds=fitted.limit_seconds,
        seconds=fitted.launches * sum(candidate.seconds for candidate in fitted.kept),
        steps=tuple(steps),
        skipped=(*skipped, *refused, *fitted.late),
    )


def make_steps(candidate: Candidate, launch: int, number: int, wish: Wish) -> list[Step]:
    """One launch of a case as steps: one for each of its copies.

    Copies that run at the same time share what it costs.

    Args:
        candidate: the case.
        launch: which launch of it.
        number: of the first step.
        wish: what the user asks for.
    """
    case = candidate.case
    copies = [
        (place, number + start if len(places) > 1 else 0)
        for start, places in _starts(candidate.rounds)
        for place in places
    ]
    first = Step(
        id=f"S{number:04d}",
        setup=candidate.setup,
        launch=launch,
        place=copies[0][0],
        kind=case.kind,
        each_node=case.each_node,
        wave=copies[0][1],
        seconds=round(candidate.seconds / len(copies), 2 if len(copies) == 1 else 6),
        memory_bytes=case.memory_bytes,
        working_set_bytes=case.working_set_bytes,
        timeout_seconds=_timeout_seconds(candidate, wish),
        priority=case.priority,
    )
    # What differs between copies is right by construction: there may be a thousand of each case.
    return [first] + [
        first.model_copy(update={"id": f"S{other:04d}", "place": place, "wave": wave})
        for other, (place, wave) in enumerate(copies[1:], start=number + 1)
    ]


def _starts(rounds: Sequence[tuple[Place, ...]]) -> Iterator[tuple[int, tuple[Place, ...]]]:
    """How many copies come before each round, and the round: a wave is named after its first."""
    before = 0
    for places in rounds:
        yield before, places
        before += len(places)


def _timeout_seconds(candidate: Candidate, wish: Wish) -> float:
    """When one launch is given up: far beyond its estimate, or when the user says [s]."""
    if wish.timeout_seconds is not None:
        return wish.timeout_seconds
    patient = max(_TIMEOUT_FLOOR_SECONDS, _TIMEOUT_FACTOR * candidate.copy_seconds)
    return min(patient, _LONGEST_SECONDS) if wish.promised else patient


def _fit_machine(
    candidates: Sequence[Candidate], capacity: Capacity, wish: Wish
) -> tuple[list[Candidate], list[SkippedCase]]:
    fitting: list[Candidate] = []
    skipped: list[SkippedCase] = []
    for candidate in candidates:
        reason = (
            _lacking_kind(candidate.case, capacity)
            or _reason_against(candidate, capacity)
            or _too_long(candidate, wish)
        )
        if reason:
            skipped.append(candidate.skipped(reason))
        else:
            fitting.append(candidate)
    return fitting, skipped


def _lacking_kind(case: Case, capacity: Capacity) -> str:
    if case.kind in capacity.kinds:
        return ""
    return f"needs a core of kind {case.kind}, which not every node has"


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
    if capacity.seconds is not None and candidate.copy_seconds > capacity.seconds:
        wanted, most = format_duration(candidate.copy_seconds), format_duration(capacity.seconds)
        return f"takes about {wanted}, and a job has room for a launch of {most}"
    if candidate.toolchain.mpi is None and (candidate.benchmark.needs_mpi or case.ranks > 1):
        return "the toolchain has no MPI"
    return ""


def _too_long(candidate: Candidate, wish: Wish) -> str:
    longest = _LONGEST_SECONDS if wish.timeout_seconds is None else wish.timeout_seconds
    if not wish.promised or candidate.copy_seconds <= longest:
        return ""
    return (
        f"takes about {format_duration(candidate.copy_seconds)}, one launch may take "
        f"{format_duration(longest)}: --timeout"
    )
