"""The verdict on a run: failed and slow tests, and the time of each program's tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.tiers.running import Ran

SLOW_SECONDS = 0.5  # above this a test needs the mark
PROGRAM_SECONDS = 20.0  # limit of the tests of a program
_MARKED = frozenset({"slow", "waiting", "alone", "timed", "browser", "mpi", "nightly"})
# A contract test of a program: tests/contract/test_programs.py::test_it[memory/stream].
_PROGRAM = re.compile(r"^tests/contract/.*\[(?:.*-)?([a-z0-9_]+/[a-z0-9_]+)(?:-.*)?\]$")


@dataclass
class Verdict:
    """The result of a run.

    Attributes:
        passed: how many tests passed.
        failed: name of each failed test -> its output.
        races: those of them that may not be repeated.
        skipped: name -> reason.
        left_out: number of deselected tests.
        slow: unmarked tests that took too long -> seconds.
        programs: total seconds of the contract tests of each program.
        tests_of: the names of these tests.
        broken: parts that failed otherwise, in a sentence each.
        slowdown: largest factor by which other load has slowed down a part.
    """

    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    races: set[str] = field(default_factory=set)
    skipped: dict[str, str] = field(default_factory=dict)
    left_out: int = 0
    slow: dict[str, float] = field(default_factory=dict)
    programs: Counter[str] = field(default_factory=Counter)
    tests_of: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    slowdown: float = 1.0


def verdict_on(ended: Sequence[Ran]) -> Verdict:
    """The verdict on all parts.

    Args:
        ended: as the runner returns them.
    """
    verdict = Verdict(slowdown=max((ran.slowdown for ran in ended), default=1.0))
    for ran in ended:
        failed_before = len(verdict.failed)
        over, total = ran.progress()
        for line in ran.results:
            _count(verdict, line)
        name = ran.part.name
        if ran.late:
            allowed = ran.part.budget * ran.slowdown
            verdict.broken.append(
                f"{name} took {ran.seconds:.0f} s, and its budget is {allowed:.0f} s"
            )
        if over < total:
            place = f"after {over} of {total} tests"
            verdict.broken.append(f"{name} ended with code {ran.code} {place}")
        elif ran.code and len(verdict.failed) == failed_before:
            verdict.broken.append(f"{name} ended with code {ran.code}")
        elif ran.part.runs_tests and not total and not over:
            verdict.broken.append(f"{name} ran no test")
    return verdict


def _count(verdict: Verdict, line: dict[str, Any]) -> None:
    verdict.left_out += line.get("left_out", 0)
    if "test" not in line:
        return
    name, said, seconds = line["test"], line.get("said", ""), line["seconds"]
    marks = set(line.get("marks", ()))
    if found := _PROGRAM.search(name):
        verdict.programs[found[1]] += seconds
        verdict.tests_of.setdefault(found[1], []).append(name)
    if line["outcome"] == "skipped":
        verdict.skipped[name] = said
        return
    if line["outcome"] == "failed":
        verdict.failed[name] = said
        verdict.races |= {name} if "race" in marks else set()
        return
    verdict.passed += 1
    if seconds > SLOW_SECONDS and not marks & _MARKED:
        verdict.slow[name] = seconds


def dear(programs: Mapping[str, float]) -> list[str]:
    """Programs whose tests take too long, the longest first.

    Args:
        programs: seconds of the tests of each [s].
    """
    above = [name for name, seconds in programs.items() if seconds > PROGRAM_SECONDS]
    return sorted(above, key=lambda name: -programs[name])
