"""What the programs of a run were built from and run under, and where two runs differ in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heorot.model.evaluation import RunFacts
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

Difference = tuple[str, str, str]
"""What differs, what it is in the first run, what in the second."""


@dataclass(frozen=True)
class Build:
    """What a program was built from and run under.

    Attributes:
        sources: digest of the programs' sources.
        flags: all flags that shaped the code.
        mpi: library and version, without where and when it was built itself.
    """

    sources: str
    compiler: str
    flags: str
    mpi: str
    blas: str


def read_builds(
    facts: RunFacts, steps: Iterable[Step], outcomes: Iterable[Outcome]
) -> dict[str, Build]:
    """The build of every step that ran, by id: what its record says rather than what was planned.

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
            # Open MPI goes on with who packaged it, where and when.
            mpi=outcome.run.mpi_library.partition(",")[0],
            blas=blas.get(toolchains.get(outcome.step, ""), "none"),
        )
        for outcome in outcomes
        if outcome.run
    }


def differences(a: Build | None, b: Build | None) -> Sequence[Difference]:
    """Where two builds differ; nothing if one of them is not known."""
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
