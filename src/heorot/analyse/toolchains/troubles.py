"""Problems of programs with toolchains, found and worded once: for map, table and porting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from heorot.model.analysis.studies.toolchains import State
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import SkippedCase, Step
from heorot.model.run.records import CheckLine

# Errors this far below the tolerance do not matter.
_NEAR_TOLERANCE = 1e-3
# Begin of the reasons of skipped cases, which the state repeats.
_DID_NOT_COMPILE = "did not compile: "


def find_unbuilt(skipped: Iterable[SkippedCase], toolchain: str) -> dict[str, str]:
    """The programs that did not compile with a toolchain, each with the compiler's reason."""
    return {
        case.benchmark: case.reason.removeprefix(_DID_NOT_COMPILE)
        for case in skipped
        if case.failed and case.toolchain == toolchain
    }


def find_ended(
    steps: Iterable[Step], outcomes: Iterable[Outcome], toolchain: str
) -> dict[str, list[Outcome]]:
    """How the steps of a toolchain ended, by program."""
    ended: dict[str, list[Outcome]] = {}
    for step, outcome in zip(steps, outcomes, strict=True):
        if step.toolchain == toolchain:
            ended.setdefault(step.benchmark, []).append(outcome)
    return ended


def judge_programs(
    unbuilt: Mapping[str, str], ended: Mapping[str, Sequence[Outcome]]
) -> dict[str, tuple[State, str]]:
    """The outcome of every program of a toolchain, and why it was not measured."""
    judged: dict[str, tuple[State, str]] = {
        program: ("not built", reason) for program, reason in unbuilt.items()
    }
    for program, outcomes in ended.items():
        if failures := word_failures(outcomes):
            judged.setdefault(program, ("wrong", join_failures(failures)))
        elif any(outcome.state == "completed" for outcome in outcomes):
            judged.setdefault(program, ("measured", ""))
        else:
            reason = next((one.reason for one in outcomes if one.reason), "")
            judged.setdefault(program, ("not ended", reason))
    return judged


def word_failures(outcomes: Iterable[Outcome]) -> list[str]:
    """Every failed check once, with its worst value."""
    failed = (check for outcome in outcomes for check in outcome.checks if not check.passed)
    return [
        f"{word_check(*key)} is {check.value:.3g}, {check.tolerance:.3g} is allowed"
        for key, check in find_worst(failed).items()
    ]


def join_failures(failures: Sequence[str]) -> str:
    """The first failure, and how many more there are.

    Args:
        failures: at least one.
    """
    first, more = failures[0], len(failures) - 1
    if not more:
        return first
    return f"{first} (and {more} more check{'s' if more > 1 else ''})"


def word_check(region: str, name: str) -> str:
    """The name of a check, with its region if it has one."""
    return f"{region}: {name}" if region else name


def find_worst(checks: Iterable[CheckLine]) -> dict[tuple[str, str], CheckLine]:
    """The largest value of each check of each region."""
    worst: dict[tuple[str, str], CheckLine] = {}
    for check in checks:
        key = (check.region or "", check.name)
        kept = worst.setdefault(key, check)
        if size_of(check.value) > size_of(kept.value):
            worst[key] = check
    return worst


def size_of(value: float) -> float:
    """Sort key: NaN is worse than any value."""
    return math.inf if math.isnan(value) else value


def matters(value: float, tolerance: float) -> bool:
    """Whether an error comes near its tolerance, or is NaN."""
    return size_of(value) > _NEAR_TOLERANCE * tolerance
