"""Obstacles in porting programs to a toolchain: for the section *Porting*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.analyse.toolchains.troubles import (
    find_ended,
    find_unbuilt,
    find_worst,
    matters,
    word_check,
    word_failures,
)
from heorot.model.analysis.studies.toolchains import Port, Porting
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step

# An error larger by this factor costs a decimal digit.
_DIGIT = 10.0


def find_porting(
    toolchains: Sequence[Toolchain],
    steps: Sequence[Step],
    outcomes: Sequence[Outcome],
    skipped: Sequence[SkippedCase],
) -> Iterator[Porting]:
    """Compile errors, failures, lost digits and special flags, by toolchain.

    Args:
        toolchains: those of the run, at least one; the first is the baseline.
    """
    first = find_ended(steps, outcomes, toolchains[0].name)
    for toolchain in toolchains:
        name = toolchain.name
        for benchmark, reason in find_unbuilt(skipped, name).items():
            yield _port(name, benchmark, "did not compile", reason)
        for benchmark, own in find_ended(steps, outcomes, name).items():
            yield from _troubles(name, benchmark, own)
            yield from _lost_digits(name, benchmark, own, first.get(benchmark, ()))
            all_of_family = f"{benchmark.partition('/')[0]}/*"
            if set(toolchain.program_flags) & {benchmark, all_of_family}:
                yield _port(name, benchmark, "other flags", toolchain.flags_of(benchmark))


def _port(toolchain: str, benchmark: str, what: Port, detail: str) -> Porting:
    return Porting(toolchain=toolchain, benchmark=benchmark, what=what, detail=detail)


def _troubles(toolchain: str, benchmark: str, outcomes: Sequence[Outcome]) -> Iterator[Porting]:
    """Failed checks, and steps that did not complete."""
    failures = word_failures(outcomes)
    for failure in failures:
        yield _port(toolchain, benchmark, "wrong", failure)
    if not failures:
        reasons = dict.fromkeys(one.reason for one in outcomes if one.troubled and one.reason)
        for reason in reasons:
            yield _port(toolchain, benchmark, "did not end", reason)


def _lost_digits(
    toolchain: str, benchmark: str, outcomes: Sequence[Outcome], base: Sequence[Outcome]
) -> Iterator[Porting]:
    """Checks that pass, but with an error a digit larger than with the first toolchain."""
    first = find_worst(check for outcome in base for check in outcome.checks if check.passed)
    own = find_worst(check for outcome in outcomes for check in outcome.checks if check.passed)
    for key, check in own.items():
        known = first.get(key)
        near = matters(check.value, check.tolerance)
        if known is None or not near or check.value < _DIGIT * known.value:
            continue
        detail = (
            f"{word_check(*key)} is {check.value:.2g}, {known.value:.2g} with the first toolchain; "
            f"{check.tolerance:.2g} is allowed"
        )
        yield _port(toolchain, benchmark, "less accurate", detail)
