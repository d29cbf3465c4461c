"""Bimodal samples are distinguished from noise, and the launches are named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from heorot.analyse.statistics.modes import find_modes

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

_TRIALS = 200
_NOISE: dict[str, Draw] = {
    "normal": lambda random, n: 100.0 + 5.0 * random.normal(size=n),
    "lognormal": lambda random, n: np.exp(0.5 * random.normal(size=n)),
    "very skewed": lambda random, n: np.exp(random.normal(size=n)),
    "uniform": lambda random, n: 1.0 + 2.0 * random.uniform(size=n),
    "exponential": lambda random, n: 1.0 + random.exponential(size=n),
    "steps of a clock": lambda random, n: np.round(100.0 + 10.0 * random.normal(size=n)),
}


def launches(shape: Draw, random: np.random.Generator, n: int) -> list[NDArray[np.float64]]:
    """Five launches, each with an error of its own."""
    return [shape(random, n) * np.exp(0.05 * random.normal()) for _ in range(5)]


@pytest.mark.parametrize("n", [12, 100])
@pytest.mark.parametrize("name", _NOISE)
def test_noise_about_one_value_is_called_two_in_a_hundredth_of_cases_at_most(
    name: str, n: int
) -> None:
    random = np.random.default_rng(20261122)
    alarms = sum(find_modes(launches(_NOISE[name], random, n)) is not None for _ in range(_TRIALS))
    assert alarms <= 0.01 * _TRIALS


@pytest.mark.parametrize("n", [40, 300])
def test_one_launch_alone_gives_no_more_false_alarms(n: int) -> None:
    random = np.random.default_rng(7)
    for shape in _NOISE.values():
        alarms = sum(find_modes([shape(random, n)]) is not None for _ in range(_TRIALS))
        assert alarms <= 0.01 * _TRIALS


def test_launches_in_two_states_are_named() -> None:
    random = np.random.default_rng(3)
    centres = (77.3, 28.9, 75.7, 29.3, 76.1)
    modes = find_modes([one * np.exp(0.02 * random.normal(size=30)) for one in centres])
    assert modes is not None
    low, high = modes
    assert (low.launches, high.launches) == ((1, 3), (0, 2, 4))
    assert low.median == pytest.approx(29.1, rel=0.02)
    assert high.median == pytest.approx(76.4, rel=0.02)
    assert low.share == pytest.approx(0.4)
    assert high.share == pytest.approx(0.6)


def test_a_state_that_changes_within_launches_is_seen() -> None:
    random = np.random.default_rng(4)
    fast = random.uniform(size=(5, 80)) < 0.6
    samples = np.where(fast, 10.0, 16.0) * np.exp(0.02 * random.normal(size=(5, 80)))
    modes = find_modes(list(samples))
    assert modes is not None
    assert [mode.launches for mode in modes] == [(0, 1, 2, 3, 4)] * 2
    assert modes[0].share == pytest.approx(0.6, abs=0.06)


def test_one_launch_apart_is_an_outlier() -> None:
    random = np.random.default_rng(5)
    centres = (76.0, 28.9, 75.7, 76.3, 76.1)
    assert find_modes([c * np.exp(0.01 * random.normal(size=30)) for c in centres]) is None


def test_values_that_nearly_agree_are_one() -> None:
    centres = (10.0, 10.5, 10.0, 10.5, 10.0)
    assert find_modes([np.full(50, centre) for centre in centres]) is None


@pytest.mark.parametrize("samples", [[], [[0.0, 1.0, 5.0]], [[3.0]], [[1.0, 1.0], [9.0, 9.0]]])
def test_too_little_says_nothing(samples: list[list[float]]) -> None:
    assert find_modes(samples) is None
