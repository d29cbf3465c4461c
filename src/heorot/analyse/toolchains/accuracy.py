"""Accuracy by toolchain: the checks whose values differ, and the direction."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heorot.analyse.toolchains.troubles import find_worst, matters, size_of
from heorot.model.analysis.studies.toolchains import Accuracy
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step

# Errors that differ by less than this factor are not reported.
_FACTOR = 2.0

_Check = tuple[str, str, str]
"""Program, region and name."""
_Values = dict[str, dict[int, float]]
"""The largest value by toolchain and launch."""


def find_accuracy(
    toolchains: Sequence[Toolchain], steps: Sequence[Step], outcomes: Sequence[Outcome]
) -> list[Accuracy]:
    """Checks whose largest values differ by a factor of two, beyond the spread of launches.

    Returns:
        The largest differences come first.
    """
    names = [toolchain.name for toolchain in toolchains]
    values, tolerances = _gather(steps, outcomes)
    found = [
        (
            _factor(by_launch),
            Accuracy(
                benchmark=key[0],
                region=key[1],
                check=key[2],
                tolerance=tolerances[key],
                values={
                    name: max(by_launch[name].values(), key=size_of)
                    for name in names
                    if name in by_launch
                },
            ),
        )
        for key, by_launch in values.items()
    ]
    found = [(factor, one) for factor, one in found if factor >= _FACTOR and _near(one)]
    return [one for _, one in sorted(found, key=lambda pair: -pair[0])]


def _gather(
    steps: Sequence[Step], outcomes: Sequence[Outcome]
) -> tuple[dict[_Check, _Values], dict[_Check, float]]:
    """The values of all checks, and the tolerance of each."""
    values: dict[_Check, _Values] = {}
    tolerances: dict[_Check, float] = {}
    for step, outcome in zip(steps, outcomes, strict=True):
        for (region, name), check in find_worst(outcome.checks).items():
            key = (step.benchmark, region, name)
            launches = values.setdefault(key, {}).setdefault(step.toolchain, {})
            # The cases of a launch count together, by the worst of them.
            value = launches.get(step.launch, check.value)
            launches[step.launch] = max(value, check.value, key=size_of)
            tolerances.setdefault(key, check.tolerance)
    return values, tolerances


def _factor(by_launch: _Values) -> float:
    """The largest factor between all values of one toolchain and all of another."""
    sizes = [[*map(size_of, launches.values())] for launches in by_launch.values()]
    least = min(max(each) for each in sizes)
    most = max(min(each) for each in sizes)
    if most <= max(0.0, least):
        return 1.0
    return most / least if least > 0.0 else math.inf


def _near(one: Accuracy) -> bool:
    return any(matters(value, one.tolerance) for value in one.values.values())
