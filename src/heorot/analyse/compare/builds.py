"""Sources, flags and MPI library of a run's programs, and where two runs differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heorot.model.evaluation import RunFacts
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

Difference = tuple[str, str, str]
"""Name of the difference, its value in the first run, and in the second."""


@dataclass(frozen=True)
class Build:
    """The build of a program and its run-time libraries.

    Attributes:
        sources: digest of the programs' sources.
        flags: all flags that shaped the code.
        mpi: library and version, without place and time of its build.
    """

    sources: str
    compiler: str
    flags: str
    mpi: str
    blas: str


def read_builds(
    facts: RunFacts, steps: Iterable[Step], outcomes: Iterable[Outcome]
) -> dict[str, Build]:
    """The build of every step that ran, by id: from its record, not from the plan.

    Args:
        outcomes: how they ended.
    """
    blas = {each.name: each.blas for each in facts.toolchains}
    toolchains = {step.id: step.toolchain for step in steps}
    return {
        outcome.step: Build(
            sources=facts.source_digest,
            compiler=outcome.run.compiler,
            flags=outcome.run.flags,
            # Open MPI's version text continues with packager, place and time.
            mpi=outcome.run.mpi_library.partition(",")[0],
            blas=blas.get(toolchains.get(outcome.step, ""), "none"),
        )
        for outcome in outcomes
        if outcome.run
    }


def differences(a: Build | None, b: Build | None) -> Sequence[Difference]:
    """Where two builds differ; empty if one of them is unknown."""
    if a is None or b is None:
        return ()
    facts = (
        ("sources", a.sources, b.sources),
        ("compiler", a.compiler, b.compiler),
        ("flags", a.flags, b.flags),
        ("MPI", a.mpi, b.mpi),
        ("BLAS", a.blas, b.blas),
    )
    return tuple(fact for fact in facts if fact[1] != fact[2])
