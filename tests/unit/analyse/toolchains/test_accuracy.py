"""Checks whose values differ between toolchains: gains and losses alike, beyond the spread."""

from __future__ import annotations

import math

import pytest

from heorot.analyse.toolchains.accuracy import find_accuracy
from heorot.model.analysis.studies.toolchains import Accuracy
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import CheckLine
from tests.toolchains import some_compilers
from tests.unit.analyse.builders import a_step

CHAINS = tuple(
    Toolchain(name=name, compilers=some_compilers("c++", "GNU 12"), mpi=None)
    for name in ("gnu", "clang")
)


def found(gnu: list[float], clang: list[float], tolerance: float = 5.0) -> list[Accuracy]:
    """The result for a check with these values, launch by launch."""
    steps, outcomes = [], []
    for chain, values in zip(CHAINS, (gnu, clang), strict=True):
        for launch, value in enumerate(values, start=1):
            name = f"{chain.name}{launch}"
            steps.append(a_step(id=name, toolchain=chain.name, launch=launch))
            check = CheckLine(
                type="check",
                name="largest error",
                region="exp",
                value=value,
                tolerance=tolerance,
                passed=value <= tolerance,
            )
            outcomes.append(Outcome(step=name, state="completed", checks=(check,)))
    return find_accuracy(CHAINS, steps, outcomes)


@pytest.mark.parametrize(("gnu", "clang"), [(0.5, 1.0), (1.0, 0.5), (0.5, 50.0), (0.0, 1.0)])
def test_gains_and_losses_are_reported(gnu: float, clang: float) -> None:
    (one,) = found([gnu, gnu], [clang, clang])
    assert (one.region, one.check, one.tolerance) == ("exp", "largest error", 5.0)
    assert one.values == {"gnu": gnu, "clang": clang}


@pytest.mark.parametrize(
    ("gnu", "clang", "tolerance"),
    [
        ([0.5, 0.5], [0.9, 0.9], 5.0),  # less than twice
        ([0.5, 1.1], [0.5, 0.5], 5.0),  # launches of one toolchain differ as much
        ([0.5, 0.5], [1.0, 1.0], 1e4),  # far below what is allowed
        ([0.0], [0.0], 0.0),
        ([math.nan], [math.nan], 5.0),
        ([0.5], [], 5.0),
    ],
)
def test_what_toolchains_do_not_change_is_not_reported(
    gnu: list[float], clang: list[float], tolerance: float
) -> None:
    assert found(gnu, clang, tolerance) == []


def test_no_number_differs_from_any() -> None:
    (one,) = found([0.5], [math.nan])
    assert math.isnan(one.values["clang"])
