"""Makes a plan that fits the machine from candidates and the user's request."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from heorot.model.machine.toolchain import word_compiler
from heorot.model.run.plan import Plan, SkippedCase, Step
from heorot.model.run.request import Request
from heorot.plan.budget import ONE, Width, fit_time, planned_launches
from heorot.plan.candidate import Candidate, HostNumbers
from heorot.plan.offer import Offer, too_long
from heorot.plan.unasked import unasked

_TIMEOUT_FLOOR_SECONDS = 60.0
_TIMEOUT_FACTOR = 6.0
# Longest launch of a profile; the user may choose longer ones [s].
_LONGEST_SECONDS = 2400.0


def make_plan(
    candidates: Sequence[Candidate],
    skipped: Sequence[SkippedCase],
    offer: Offer,
    request: Request,
    *,
    seed: int,
    width: Width = ONE,
) -> Plan:
    """Make the plan: blocks of one launch of each case that fits, in random order inside a block.

    Blocking spreads the launches of a case over the whole run, so that a slow drift of the
    machine shows up as spread between launches instead of hiding in one of them.

    Args:
        candidates: cases that are wanted, in the order of the catalogue.
        skipped: cases that are already known not to run.
        offer: resources of the machine for one step.
        request: the user's request.
        seed: seed of the random order: that of the request, or a random one.
        width: how many toolchains and networks there are.
    """
    fitting, refused = _fit_machine(candidates, offer, request)
    fitted = fit_time(fitting, request, width)
    asked = frozenset(one.question for one in fitted.experiments)
    shuffler = random.Random(seed)  # noqa: S311 - an order, not a secret
    steps: list[Step] = []
    for launch in range(1, max(fitted.launches, default=0) + 1):
        block = [one for one, n in zip(fitting, fitted.launches, strict=True) if n >= launch]
        shuffler.shuffle(block)
        for candidate in block:
            steps += _steps(candidate, launch, len(steps) + 1, request)
    return Plan(
        profile=request.profile,
        seed=seed,
        budget_seconds=fitted.limit_seconds,
        seconds=sum(n * one.seconds for one, n in zip(fitting, fitted.launches, strict=True) if n),
        steps=tuple(steps),
        skipped=(*skipped, *refused, *fitted.late),
        experiments=fitted.experiments,
        unasked=unasked(asked, candidates, refused, request, offer.cores, width),
    )


def _steps(candidate: Candidate, launch: int, number: int, request: Request) -> list[Step]:
    """One launch of a case as steps: one for each of its copies.

    Copies that run at the same time share its cost.
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
        memory_bytes=case.needs.memory_bytes,
        resources=case.needs.resources,
        inputs=case.needs.inputs,
        working_set_bytes=case.working_set_bytes,
        timeout_seconds=_timeout_seconds(candidate, request),
        priority=case.priority,
    )
    # Validating each copy would cost time: there may be a thousand of each case.
    return [first] + [
        first.model_copy(update={"id": f"S{other:04d}", "place": place, "wave": wave})
        for other, (place, wave) in enumerate(copies[1:], start=number + 1)
    ]


def _starts(
    rounds: Sequence[tuple[HostNumbers, ...]],
) -> Iterator[tuple[int, tuple[HostNumbers, ...]]]:
    """Number of copies before each round, and the round: it names the wave."""
    before = 0
    for places in rounds:
        yield before, places
        before += len(places)


def _timeout_seconds(candidate: Candidate, request: Request) -> float:
    """Time limit of a launch: far beyond its estimate, or set by the user [s]."""
    if request.timeout_seconds is not None:
        return request.timeout_seconds
    patient = max(_TIMEOUT_FLOOR_SECONDS, _TIMEOUT_FACTOR * candidate.copy_seconds)
    return min(patient, _LONGEST_SECONDS) if request.promised else patient


def _fit_machine(
    candidates: Sequence[Candidate], offer: Offer, request: Request
) -> tuple[list[Candidate], list[SkippedCase]]:
    fitting: list[Candidate] = []
    skipped: list[SkippedCase] = []
    for candidate in candidates:
        reason = next(_reasons_against(candidate, offer, request), "")
        if reason:
            skipped.append(candidate.skipped(reason))
        else:
            fitting.append(candidate)
    return fitting, skipped


def _reasons_against(candidate: Candidate, offer: Offer, request: Request) -> Iterator[str]:
    launches = planned_launches(request)
    yield from offer.lacks(candidate.case, candidate.network, candidate.at_once, launches)
    seconds = candidate.copy_seconds
    yield from too_long(seconds, offer.seconds, "and a job has room for a launch of")
    needs_mpi = candidate.benchmark.needs_mpi or candidate.case.ranks > 1
    if candidate.toolchain.mpi is None and needs_mpi:
        yield "the toolchain has no MPI"
    for kind in candidate.benchmark.compilers:
        if candidate.toolchain.compiler_of(*kind) is None:
            yield f"the toolchain has no {word_compiler(kind)}"
    if request.promised:
        longest = _LONGEST_SECONDS if request.timeout_seconds is None else request.timeout_seconds
        for reason in too_long(seconds, longest, "one launch may take"):
            yield f"{reason}: --timeout"
