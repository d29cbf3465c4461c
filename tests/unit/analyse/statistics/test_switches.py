"""Planted changes of a law are found where they are, and none where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.analyse.statistics.summary import FloatArray
from heorot.analyse.statistics.switches import find_jumps, find_switches

SIZES = np.array([0.0, *(2.0**i for i in range(23))])
FINE = np.unique(np.rint(2.0 ** (np.arange(8, 88) / 4)))


def scatter(
    generator: np.random.Generator, times: FloatArray, point: float, sample: float
) -> list[FloatArray]:
    """Twenty samples of each time with an error of the point and errors of the samples."""
    points = times * np.exp(generator.normal(0, point, times.size))
    return [np.sort(t * np.exp(generator.normal(0, sample, 20))) for t in points]


def two_laws(sizes: FloatArray) -> FloatArray:
    return np.where(sizes <= 4096, 4e-7 + sizes / 4e9, 1.5e-6 + sizes / 8e9)


def three_laws(sizes: FloatArray) -> FloatArray:
    return np.where(sizes <= 262144, two_laws(sizes), sizes / 5e9)


@pytest.mark.slow
@pytest.mark.parametrize(("point", "sample"), [(0.0, 0.01), (0.01, 0.03), (0.03, 0.0)])
def test_one_law_with_noise_is_hardly_ever_divided(point: float, sample: float) -> None:
    generator = np.random.default_rng(5)
    times = 1e-6 + SIZES / 5e9
    found = [find_switches(SIZES, scatter(generator, times, point, sample)) for _ in range(200)]
    assert sum(map(bool, found)) <= 10


@pytest.mark.parametrize(
    "sizes",
    [pytest.param(SIZES, id="octaves"), pytest.param(FINE, id="fine", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
def test_one_and_two_changes_are_found_where_they_are(sizes: FloatArray, noise: float) -> None:
    generator = np.random.default_rng(7)
    for laws, limits in ((two_laws, [4096]), (three_laws, [4096, 262144])):
        expected = tuple(int(np.searchsorted(sizes, limit, "right")) for limit in limits)
        found = [
            find_switches(sizes, scatter(generator, laws(sizes), 0.0, noise)) for _ in range(20)
        ]
        assert found.count(expected) >= 18


@pytest.mark.parametrize("factor", [0.5, 1.3, 10.0])
@pytest.mark.parametrize("laws", [lambda x: 1e-6 + x / 5e9, two_laws], ids=["one", "two"])
def test_a_single_wrong_time_changes_nothing(factor: float, laws: object) -> None:
    generator = np.random.default_rng(8)
    times = laws(SIZES)  # type: ignore[operator]
    expected = find_switches(SIZES, [np.array([t]) for t in times])
    for wrong in (0, 3, 7, 16, 20, 23):
        samples = scatter(generator, times, 0.0, 0.01)
        samples[wrong] = factor * samples[wrong]
        assert find_switches(SIZES, samples) == expected, wrong


def test_small_steps_and_few_sizes_are_left_alone() -> None:
    sizes = SIZES[:15]
    assert find_switches(sizes, [np.array([t]) for t in np.where(sizes < 64, 1.0, 1.02)]) == ()
    steps = np.where(SIZES[:8] < 8, 1.0, 5.0)
    assert find_switches(SIZES[:8], [np.array([t]) for t in steps]) == ()


def test_a_size_that_was_measured_twice_is_not_cut() -> None:
    sizes = np.repeat(SIZES, 2)
    samples = scatter(np.random.default_rng(2), two_laws(sizes), 0.0, 0.01)
    assert find_switches(sizes, samples) == (2 * int(np.searchsorted(SIZES, 4096, "right")),)


def test_jumps_are_found_where_the_time_is_a_multiple_in_most_launches() -> None:
    x = np.array([0.0, 1024.0, 2048.0, 4096.0, 8192.0])
    one = np.array([1.0, 1.1, 1.2, 6.8, 7.0])
    assert find_jumps(x, np.array([one, 1.1 * one, 0.9 * one])) == (3,)
    flat = np.array([1.0, 1.1, 1.2, 1.3, 1.5])
    assert find_jumps(x, np.array([one, one, one, one, flat])) == (3,)
    assert find_jumps(x, np.array([one, one, one, flat, flat])) == ()
    assert find_jumps(x[:2], np.array([[1.0, 9.0]])) == ()


def test_what_a_line_foretells_and_the_end_of_a_cache_are_no_jumps() -> None:
    x = np.array([1.0, 2.0, 4.0, 64.0]) * 2**20
    assert find_jumps(x, np.array([[80e-6, 159e-6, 368e-6, 6e-3]])) == ()


def test_a_launch_without_a_size_counts_for_the_others() -> None:
    x = np.array([512.0, 1024.0, 2048.0, 4096.0])
    times = np.array([[1.0, 1.1, 1.2, 6.8], [1.0, np.nan, 1.2, 6.8], [1.0, 1.1, 1.2, np.nan]])
    assert find_jumps(x, times) == (3,)
