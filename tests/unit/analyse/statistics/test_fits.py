"""Fits recover planted parameters within their intervals; plateaus of planted curves are found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heorot.analyse.statistics.fits import find_drop, find_plateaus, fit_hockney, fit_vector_length
from heorot.analyse.statistics.lines import resample_medians
from heorot.analyse.statistics.summary import FloatArray

SIZES = np.array([0.0, *(2.0**i for i in range(23))])
LENGTHS = np.array([2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512], float)
WORKING_SETS = 2.0 ** np.arange(8, 28, 0.5)
ENDS = (32e3, 1e6, 30e6)


def holds(estimate: tuple[float, float, float], planted: float) -> bool:
    """Whether the interval of an estimate holds the planted value."""
    return estimate[1] <= planted <= estimate[2]


def scatter(
    generator: np.random.Generator, times: FloatArray, point: float, sample: float
) -> list[FloatArray]:
    """Twenty samples of each time with an error of the point and errors of the samples."""
    points = times * np.exp(generator.normal(0, point, times.size))
    return [t * np.exp(generator.normal(0, sample, 20)) for t in points]


def cached_rate(generator: np.random.Generator, levels: list[float], noise: float) -> FloatArray:
    """A rate that rises at small vectors and falls at the end of each cache."""
    rate = np.full(WORKING_SETS.size, levels[-1], dtype=np.float64)
    for above, below, end in zip(levels, levels[1:], ENDS, strict=False):
        rate += (above - below) / (1 + (WORKING_SETS / end) ** 6)
    rise = WORKING_SETS / (WORKING_SETS + 400)
    return np.asarray(rate * rise * np.exp(generator.normal(0, noise, rate.size)))


@pytest.mark.slow
@settings(max_examples=30)
@given(st.floats(1e-7, 1e-3), st.floats(1e6, 1e12))
def test_exact_times_give_back_their_law(latency: float, r_inf: float) -> None:
    fit = fit_hockney(SIZES, [[t] for t in latency + SIZES / r_inf], seed=1)
    assert fit.latency[0] == pytest.approx(latency, rel=1e-6)
    if SIZES[-1] / r_inf > 1e-3 * latency:
        assert fit.r_inf[0] == pytest.approx(r_inf, rel=1e-6)
        assert fit.n_half_bytes == pytest.approx(latency * r_inf, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("point", "sample"), [(0.0, 0.03), (0.01, 0.03), (0.03, 0.0)])
def test_hockney_intervals_cover(point: float, sample: float) -> None:
    generator = np.random.default_rng(6)
    latency_hits, r_inf_hits, breaks = 0, 0, 0
    for seed in range(100):
        fit = fit_hockney(SIZES, scatter(generator, 1e-6 + SIZES / 5e9, point, sample), seed=seed)
        latency_hits += holds(fit.latency, 1e-6)
        r_inf_hits += holds(fit.r_inf, 5e9)
        breaks += bool(fit.ranges)
    assert latency_hits >= 88
    assert r_inf_hits >= 88
    assert breaks <= 3


def test_small_messages_count_as_much_as_large_ones() -> None:
    """A perturbed largest message must not move the latency."""
    times = 1e-6 + SIZES / 5e9
    times[-1] *= 1.3
    fit = fit_hockney(SIZES, list(times[:, None]), seed=1)
    assert fit.latency[0] == pytest.approx(1e-6, rel=0.05)


def test_protocol_change_is_found() -> None:
    generator = np.random.default_rng(9)
    times = np.where(SIZES <= 16384, 0.5e-6 + SIZES / 3e9, 3e-6 + SIZES / 9e9)
    fit = fit_hockney(SIZES, scatter(generator, times, 0, 0.01), seed=1)
    eager, rendezvous = fit.ranges
    assert (eager.largest_bytes, rendezvous.smallest_bytes) == (16384, 32768)
    assert holds(eager.latency, 0.5e-6)
    assert holds(rendezvous.r_inf, 9e9)
    latency, low, high = fit.latency
    assert high - low > 0.1 * latency  # the one line does not hide that it fits badly


def test_time_without_growth_has_no_rate() -> None:
    fit = fit_hockney([1, 2, 4, 8], [[3.0], [2.9], [2.8], [2.7]], seed=1)
    assert fit.r_inf[0] == math.inf
    assert fit.n_half_bytes == math.inf
    assert 2.7 < fit.latency[0] < 3.0


def test_latency_is_not_negative() -> None:
    fit = fit_hockney([1, 2, 4, 8], [[1.0], [2.2], [4.6], [9.4]], seed=1)
    assert fit.latency[:2] == (0.0, 0.0)


def test_seed_decides_the_interval() -> None:
    times = scatter(np.random.default_rng(1), 1e-6 + SIZES / 5e9, 0, 0.2)
    assert fit_hockney(SIZES, times, seed=1) == fit_hockney(SIZES[::-1], times[::-1], seed=1)


@pytest.mark.parametrize("n", [1, 2, 7, 10])
def test_resampled_medians_have_the_right_distribution(n: int) -> None:
    generator = np.random.default_rng(11)
    samples = np.sort(generator.exponential(size=n))
    short = resample_medians(samples, generator)
    drawn = np.median(samples[generator.integers(n, size=(20_000, n))], axis=1)
    for q in (0.1, 0.25, 0.5, 0.75, 0.9):
        share = float(np.mean(short <= np.quantile(drawn, q, method="inverted_cdf")))
        expected = float(np.mean(drawn <= np.quantile(drawn, q, method="inverted_cdf")))
        assert share == pytest.approx(expected, abs=0.06)


def test_vector_fit_recovers_latency_and_cycles() -> None:
    generator = np.random.default_rng(12)
    hits = np.zeros(3)
    for seed in range(100):
        times = scatter(generator, (40 + 0.5 * LENGTHS) / 3e9, 0.01, 0.02)
        fit = fit_vector_length(LENGTHS, times, 3e9, seed=seed)
        hits += (holds(fit.start, 40), holds(fit.slope, 0.5), holds(fit.half, 80))
    assert hits.min() >= 88
    assert fit.half[0] == pytest.approx(fit.start[0] / fit.slope[0])


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
def test_plateaus_and_drop_survive_noise_and_wrong_points(noise: float) -> None:
    for seed in range(50):
        generator = np.random.default_rng(seed)
        rate = cached_rate(generator, [100, 55, 30, 12], noise)
        rate[generator.integers(rate.size)] *= 0.5
        rate[generator.integers(rate.size)] *= 1.6
        drop = find_drop(WORKING_SETS, rate)
        assert drop is not None
        assert 16e3 <= drop <= 32768
        plateaus = find_plateaus(WORKING_SETS, rate)
        assert 4 <= len(plateaus) <= 5
        assert plateaus[0].rate == pytest.approx(94, rel=0.06)  # 100 less the rise at its start
        assert plateaus[0].high_bytes == drop
        assert plateaus[-1].rate == pytest.approx(12, rel=0.10)


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
def test_no_drop_is_no_drop(noise: float) -> None:
    for seed in range(50):
        rate = cached_rate(np.random.default_rng(seed), [100], noise)
        assert find_drop(WORKING_SETS, rate) is None
        assert len(find_plateaus(WORKING_SETS, rate)) == 1


def test_dip_that_recovers_is_no_drop() -> None:
    rate = cached_rate(np.random.default_rng(1), [100, 50], 0.0)
    rate[8:11] *= 0.6
    drop = find_drop(WORKING_SETS, rate)
    assert drop is not None
    assert 16e3 <= drop <= 32768


def test_small_curves() -> None:
    assert find_drop([1.0], [5.0]) is None
    assert find_drop([1.0, 2.0], [5.0, 5.0]) is None
    assert [p.rate for p in find_plateaus([4.0, 1.0, 2.0], [5.0, 5.0, 5.0])] == [5.0]


@pytest.mark.parametrize(
    ("sizes", "times"),
    [
        ([1, 2], [[1.0], [2.0]]),
        ([1, 2, 3], [[1.0], [2.0]]),
        ([1, 1, 1], [[1.0]] * 3),
        ([-1, 2, 3], [[1.0]] * 3),
        ([1, 2, 3], [[1.0], [0.0], [1.0]]),
        ([1, 2, 3], [[1.0], [], [1.0]]),
    ],
)
def test_unfit_points_are_refused(sizes: list[float], times: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"size|times|samples"):
        fit_hockney(sizes, times, seed=1)


def test_unfit_clock_and_curve_are_refused() -> None:
    with pytest.raises(ValueError, match="clock"):
        fit_vector_length([1, 2, 3], [[1.0]] * 3, 0.0, seed=1)
    with pytest.raises(ValueError, match="positive"):
        find_plateaus([1.0, 2.0], [1.0, 0.0])
