"""Corrects a plan while it runs: chooses the launches of the next block, and further launches.

Measured times replace estimates. If time gets short, launches are dropped in this order: of cases
whose launches agree, late launches, the least important cases. A planned launch that does not run
is recorded with its reason. Remaining time goes to the cases whose launches agree least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heorot.model.catalogue.benchmark import PRIORITIES
from heorot.model.run.identity import Setup
from heorot.model.run.plan import DroppedLaunch, Plan, Step
from heorot.plan.budget import FEWEST_LAUNCHES
from heorot.units import LEAST_LAUNCHES

# Launches agree if their medians lie within _AGREE of their middle, the precision that sampling
# aims at. A result is uncertain if they lie further apart than _OPEN, the noise of comparisons.
_AGREE = 0.01
_OPEN = 0.02
_MOST_FURTHER = 2


@dataclass(frozen=True)
class Known:
    """What is known from the launches that have ended.

    Attributes:
        seconds: mean time of a launch, by case [s].
        spreads: how far the medians of its launches lie from their middle, as a share of it, by
            case; only of cases with at least two launches.
        left_seconds: what measuring may still take [s].
    """

    seconds: Mapping[Setup, float]
    spreads: Mapping[Setup, float]
    left_seconds: float

    def expect(self, step: Step) -> float:
        """Expected time of a launch: the mean of its case, else the estimate [s]."""
        return self.seconds.get(step.setup, step.seconds)


@dataclass(frozen=True)
class Block:
    """One launch of every case for which there is time.

    Attributes:
        steps: the steps that run, in planned order.
        dropped: planned launches that do not run.
    """

    steps: tuple[Step, ...]
    dropped: tuple[DroppedLaunch, ...]


def next_block(remaining: Sequence[Step], known: Known, plan: Plan) -> Block:
    """The next launch of every case for which there is time.

    Args:
        remaining: planned steps that were neither begun nor dropped, in planned order.
    """
    fewest = FEWEST_LAUNCHES[plan.profile]

    def worth(step: Step) -> tuple[bool, int, int]:
        certain = step.launch > fewest and known.spreads.get(step.setup, 1.0) <= _AGREE
        return certain, step.launch, PRIORITIES.index(step.priority)

    left = known.left_seconds
    affordable: set[str] = set()
    # The copies of a launch that runs on every node are kept or dropped together.
    for copies in _launches(sorted(remaining, key=worth)):
        wanted = sum(map(known.expect, copies))
        if wanted <= left:
            left -= wanted
            affordable.update(step.id for step in copies)
    first = min(step.launch for step in remaining)
    block = [step for step in remaining if step.launch == first]
    return Block(
        steps=tuple(step for step in block if step.id in affordable),
        dropped=tuple(_drop(step, known) for step in block if step.id not in affordable),
    )


def _launches(steps: Sequence[Step]) -> list[list[Step]]:
    """Steps grouped by case and launch, in the order of the first step of each group."""
    found: dict[tuple[Setup, int], list[Step]] = {}
    for step in steps:
        found.setdefault((step.setup, step.launch), []).append(step)
    return list(found.values())


def _drop(step: Step, known: Known) -> DroppedLaunch:
    spread = known.spreads.get(step.setup, 1.0)
    reason = "measuring takes longer than planned"
    if spread <= _AGREE:
        reason += f", and its launches agree within {100.0 * spread:.2g} %"
    return give_up(step, reason)


def give_up(step: Step, reason: str) -> DroppedLaunch:
    """The record of a planned launch that does not run."""
    return DroppedLaunch(
        step=step.id,
        setup=step.setup,
        launch=step.launch,
        reason=reason,
    )


def repeats(perturbed: Sequence[Step], known: Known) -> list[Step]:
    """Second attempts of perturbed steps, cheapest first, as many as there is time for.

    Args:
        perturbed: the steps; their repetitions keep their ids.
    """
    left = known.left_seconds
    chosen: list[Step] = []
    for step in sorted(perturbed, key=known.expect):
        left -= known.expect(step)
        if left < 0.0:
            break
        chosen.append(step.model_copy(update={"attempt": 2, "wave": 0}))
    return chosen


def further_launches(steps: Sequence[Step], known: Known) -> list[Step]:
    """Launches beyond the plan while there is time, at most two of a case.

    Headlines with too few launches for an interval come first, then the cases whose launches agree
    least.

    Args:
        steps: all steps that ran; a repetition keeps the id of its step.
    """
    last: dict[Setup, list[Step]] = {}
    ran = _launches(steps)
    for copies in sorted(ran, key=lambda copies: copies[0].launch):
        # A repeated step has two attempts on the same hosts.
        last[copies[0].setup] = list({step.place: step for step in copies}.values())
    launches = Counter(copies[0].setup for copies in ran)

    def by_doubt(keys: Iterable[Setup]) -> list[Setup]:
        return sorted(keys, key=lambda key: -known.spreads.get(key, 0.0) / launches[key])

    quoted = by_doubt(key for key in last if last[key][0].priority == PRIORITIES[0])
    uncertain = by_doubt(key for key in last if known.spreads.get(key, 0.0) > _OPEN)
    extras = range(1, _MOST_FURTHER + 1)
    wanted = [(key, n) for n in extras for key in quoted if launches[key] + n <= LEAST_LAUNCHES]
    wanted += [(key, n) for n in extras for key in uncertain]
    left = known.left_seconds
    chosen: list[Step] = []
    for key, extra in dict.fromkeys(wanted):
        copies = last[key]
        seconds = sum(map(known.expect, copies))
        if seconds <= left:
            left -= seconds
            chosen += [_again(step, extra, apart=extra * len(steps)) for step in copies]
    return chosen


def _again(step: Step, extra: int, *, apart: int) -> Step:
    """A further launch of a step, in a wave of its own: the step itself may run right before."""
    wave = step.wave + apart if step.wave else 0
    return step.model_copy(update={"launch": step.launch + extra, "attempt": 1, "wave": wave})
