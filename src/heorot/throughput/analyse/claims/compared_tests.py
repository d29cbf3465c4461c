"""The verdict on compared tests: makespans, queue waits, contention, differing settings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.result import Sentence
from heorot.throughput.analyse import templates
from heorot.throughput.model.comparison import (
    Against,
    ComparedQuantity,
    ComparedSystem,
    ThroughputComparison,
)
from heorot.throughput.model.quantities import CORRECTED, MAKESPAN, MEAN_WAIT

_LENGTHS = {
    MAKESPAN: "The makespan",
    CORRECTED: "The makespan including missing work",
    MEAN_WAIT: "The mean queue wait",
}


MOST_SENTENCES = 7
_MOST_LENGTHS = 2
"""Maximum number of systems per sentence: those that differ most from the first."""


def make_sentences(comparison: ThroughputComparison) -> tuple[Sentence, ...]:
    """The first seven sentences, in reading order."""
    return tuple(islice(_all_sentences(comparison), MOST_SENTENCES))


def _all_sentences(comparison: ThroughputComparison) -> Iterator[Sentence]:
    """Obstacles to a comparison first, then the largest differences."""
    differing = [one.what for one in comparison.differing]
    if not comparison.same_work:
        yield templates.OTHER_WORK(differing=differing)
    yield from _incomplete(comparison)
    for quantity in comparison.of("whole"):
        if quantity.name in _LENGTHS:
            yield from _lengths(comparison, quantity)
    yield from _interference(comparison)
    for place, system in enumerate(comparison.systems):
        yield from _repeated(comparison, place, system)
    if comparison.same_work and differing:
        yield templates.DIFFERING(differing=differing)
    elif comparison.same_work and len(comparison.systems) > 1:
        yield templates.NOTHING_DIFFERS()


def _lengths(comparison: ThroughputComparison, quantity: ComparedQuantity) -> Iterator[Sentence]:
    for place, against in _by_size(quantity)[:_MOST_LENGTHS]:
        yield templates.COMPARED(
            what=_LENGTHS[quantity.name],
            ratio=Quantity(median=against.ratio, low=against.low, high=against.high),
            **_sides(comparison, quantity, place, against),
        )


def _interference(comparison: ThroughputComparison) -> Iterator[Sentence]:
    """The program whose run time under load differs most from that on the first system."""
    found = [
        (abs(math.log(against.ratio)), place, quantity, against)
        for quantity in comparison.of("interference")
        for place, against in _by_size(quantity)
    ]
    if found:
        _, place, quantity, against = max(found, key=lambda one: one[0])
        yield templates.STRETCHED(
            program=quantity.name, **_sides(comparison, quantity, place, against)
        )


def _sides(
    comparison: ThroughputComparison, quantity: ComparedQuantity, place: int, against: Against
) -> dict[str, Any]:
    systems = comparison.systems
    n = min(len(systems[0].tests), len(systems[place].tests))
    return {
        "other": systems[place].name,
        "first": systems[0].name,
        "of_other": exactly(quantity.centre(place) or 0.0),
        "of_first": exactly(quantity.centre(0) or 0.0),
        "judged": _judged(against, n),
    }


def _by_size(quantity: ComparedQuantity) -> list[tuple[int, Against]]:
    known = [(place, one) for place, one in enumerate(quantity.against) if one is not None]
    return sorted(known, key=lambda each: -abs(math.log(each[1].ratio)))


def _judged(against: Against, n: int) -> Claim:
    if against.verdict == "not judged":
        return templates.NOT_JUDGED.claim(why=against.why)
    if against.verdict == "indistinguishable":
        return templates.ALIKE.claim(n=n)
    return templates.BEYOND.claim()


def _repeated(
    comparison: ThroughputComparison, place: int, system: ComparedSystem
) -> Iterator[Sentence]:
    if len(system.tests) == 1:
        return
    spreads = {one.name: _spread(one.values[place]) for one in comparison.of("whole")}
    makespan, wait = spreads[MAKESPAN], spreads[MEAN_WAIT]
    if makespan is not None:
        yield templates.REPEATED(
            n=len(system.tests),
            name=system.name,
            makespan=exactly(makespan),
            wait=None if wait is None else exactly(wait),
        )


def _incomplete(comparison: ThroughputComparison) -> Iterator[Sentence]:
    """The test with the most incomplete jobs, if any."""
    tests = [test for system in comparison.systems for test in system.tests]
    lacking = [test for test in tests if test.account.n_ok < test.account.scheduled]
    if not lacking:
        return
    worst = min(lacking, key=lambda test: test.account.n_ok / test.account.scheduled)
    account, lost = worst.account, worst.account.missing_core_seconds
    corrected = account.corrected_makespan
    yield templates.INCOMPLETE(
        n=account.scheduled,
        name=worst.name,
        ok=account.n_ok,
        more=len(lacking) > 1,
        missing=[
            f"{one.label}{one.part and f'/{one.part}'} ({one.state})" for one in account.missing
        ],
        lost=None if corrected is None else exactly(lost / 3600, "h"),
        corrected=None if corrected is None else exactly(corrected, "s"),
    )


def _spread(values: tuple[float | None, ...]) -> float | None:
    """Largest / smallest - 1 [1]; None if a value is unknown or zero."""
    known = [value for value in values if value]
    return max(known) / min(known) - 1.0 if len(known) == len(values) else None
