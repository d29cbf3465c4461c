"""A part of a tier: one command, its budget, and the parts that must precede it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

PYTHON = (sys.executable, "-X", "utf8")
PYTEST = (*PYTHON, "-m", "pytest", "-q", "-p", "tests.tiers.results", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Part:
    """One command of a tier.

    Attributes:
        name: one word.
        what: its tests, in words.
        command: its words; it runs in the root of the checkout.
        budget: seconds on two quiet cores, together with the parts that run at the same time; it
            fails at 1.25 times that [s].
        cores: cores that it uses; 0 if it mostly waits.
        after: names of the parts that must have ended.
        alone: whether no other part may run at the same time.
        environment: further variables.
    """

    name: str
    what: str
    command: tuple[str, ...]
    budget: float
    cores: int = 1
    after: tuple[str, ...] = ()
    alone: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def runs_tests(self) -> bool:
        """Whether its results come from pytest."""
        return self.command[: len(PYTEST)] == PYTEST


def trying(*words: str, marks: str = "", workers: int = 0) -> tuple[str, ...]:
    """The command that runs tests.

    Args:
        words: files, folders and options of pytest.
        marks: expression that tests have to satisfy; empty for all.
        workers: processes that share them, a file each at a time; 0 for a single process.
    """
    # Tests of a worker that dies are not given to another: all would wait for each other.
    shared = ("-n", str(workers), "--dist", "loadfile", "--max-worker-restart", "0")
    return (*PYTEST, *(("-m", marks) if marks else ()), *(shared if workers else ()), *words)


def builds(*sets: str) -> tuple[str, ...]:
    """The command that makes builds for tests."""
    return (*PYTHON, "-m", "tests.builds", *sets)
