"""What was in the way when programs were moved to a toolchain: for the section *Porting*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heorot.model.analysis.studies.toolchains import Port, Porting
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.records import CheckLine

# An error that is so many times as large costs a decimal digit.
_DIGIT = 10.0
# What is so far below its tolerance matters to nobody.
_NEAR_TOLERANCE = 1e-3

_Key = tuple[str, str]
"""Toolchain and program."""


def find_porting(
    toolchains: Sequence[Toolchain],
    steps: Sequence[Step],
    outcomes: Sequence[Outcome],
    skipped: Sequence[SkippedCase],
) -> Iterator[Porting]:
    """What did not compile, failed, lost digits or has flags of its own, toolchain by toolchain.

    Args:
        toolchains: those of the run, the first one is what others are seen beside.
        steps: all steps.
        outcomes: how they ended, in the same order.
        skipped: cases that did not run.
    """
    ended: dict[_Key, list[Outcome]] = {}
    for step, outcome in zip(steps, outcomes, strict=True):
        ended.setdefault((step.toolchain, step.benchmark), []).append(outcome)
    base = toolchains[0].name
    for toolchain in toolchains:
        name = toolchain.name
        unbuilt = {
            case.benchmark: case.reason
            for case in skipped
            if case.failed and case.toolchain == name
        }
        for benchmark, reason in unbuilt.items():
            yield _port(name, benchmark, "did not compile", reason)
        for (chain, benchmark), own in ended.items():
            if chain == name:
                yield from _troubles(name, benchmark, own)
                yield from _lost_digits(name, benchmark, own, ended.get((base, benchmark), ()))
                if set(toolchain.program_flags) & {benchmark, _all_of_family(benchmark)}:
                    yield _port(name, benchmark, "other flags", toolchain.flags_of(benchmark))


def _port(toolchain: str, benchmark: str, what: Port, detail: str) -> Porting:
    return Porting(toolchain=toolchain, benchmark=benchmark, what=what, detail=detail)


def _all_of_family(benchmark: str) -> str:
    return f"{benchmark.partition('/')[0]}/*"


def _troubles(toolchain: str, benchmark: str, outcomes: Sequence[Outcome]) -> Iterator[Porting]:
    """Failed checks, each once with its worst value, and steps that did not come to their end."""
    worst = _worst(check for outcome in outcomes for check in outcome.checks if not check.passed)
    for (region, name), check in worst.items():
        where = f"{region}: " if region else ""
        detail = f"{where}{name} is {check.value:.3g}, {check.tolerance:.3g} is allowed"
        yield _port(toolchain, benchmark, "wrong", detail)
    if not worst:
        reasons = dict.fromkeys(one.reason for one in outcomes if one.troubled and one.reason)
        for reason in reasons:
            yield _port(toolchain, benchmark, "did not end", reason)


def _lost_digits(
    toolchain: str, benchmark: str, outcomes: Sequence[Outcome], base: Sequence[Outcome]
) -> Iterator[Porting]:
    """Checks that pass, but with an error a digit larger than with the first toolchain."""
    if outcomes is base:
        return
    first = _worst(check for outcome in base for check in outcome.checks if check.passed)
    own = _worst(check for outcome in outcomes for check in outcome.checks if check.passed)
    for key, check in own.items():
        known = first.get(key)
        matters = check.value > _NEAR_TOLERANCE * check.tolerance
        if known is None or not matters or check.value < _DIGIT * known.value:
            continue
        region, name = key
        where = f"{region}: " if region else ""
        detail = (
            f"{where}{name} is {check.value:.2g}, {known.value:.2g} with the first toolchain; "
            f"{check.tolerance:.2g} is allowed"
        )
        yield _port(toolchain, benchmark, "less accurate", detail)


def _worst(checks: Iterator[CheckLine]) -> Mapping[tuple[str, str], CheckLine]:
    """The largest value of each check of each region."""
    worst: dict[tuple[str, str], CheckLine] = {}
    for check in checks:
        key = (check.region or "", check.name)
        kept = worst.setdefault(key, check)
        # Not a number is worse than any.
        if not check.value <= kept.value:
            worst[key] = check
    return worst
