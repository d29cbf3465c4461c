"""Medians, quantiles and their intervals against closed forms, properties and a simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from heorot.analyse.statistics.ranks import median_rank
from heorot.analyse.statistics.summary import (
    FloatArray,
    Interval,
    launch_intervals,
    median,
    median_interval,
    quantile,
    sort_samples,
    summarise,
)
from heorot.units import LEAST_LAUNCHES
from tests.yardstick import processor_time

SAMPLES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)
LAUNCHES = st.lists(SAMPLES, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("n", "rank", "coverage"),
    [
        (1, 1, 0.0),
        (2, 1, 0.5),
        (5, 1, 0.9375),
        (6, 1, 0.96875),
        (10, 2, 1002 / 1024),
        (20, 6, 0.9586105346679688),
    ],
)
def test_ranks_follow_the_binomial_distribution(n: int, rank: int, coverage: float) -> None:
    assert median_rank(n)[0] == rank
    assert median_rank(n)[1] == pytest.approx(coverage, abs=1e-12)


@given(st.integers(1, 400), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_rank_is_the_largest_that_covers(n: int, confidence: float) -> None:
    def covers(rank: int) -> float:
        return 1.0 - sum(math.comb(n, k) for k in range(rank)) / float(2 ** (n - 1))

    rank, coverage = median_rank(n, confidence)
    assert coverage == pytest.approx(max(0.0, covers(rank)), abs=1e-9)
    assert rank == 1 or coverage >= confidence - 1e-9
    assert 2 * (rank + 1) > n or covers(rank + 1) < confidence


def test_ten_samples_give_the_second_and_the_ninth() -> None:
    interval = median_interval([7, 3, 10, 1, 9, 2, 8, 4, 6, 5])
    assert (interval.low, interval.high) == (2.0, 9.0)
    assert interval.coverage == pytest.approx(0.978515625)


def test_less_confidence_takes_ranks_nearer_to_the_middle() -> None:
    ten = [float(i) for i in range(1, 11)]
    interval = median_interval(ten, 0.5)
    assert (interval.low, interval.high) == (4.0, 7.0)
    assert interval.coverage == pytest.approx(672 / 1024)


def test_one_sample_is_its_own_interval() -> None:
    assert median_interval([3.0]) == Interval(3.0, 3.0, 0.0)


@given(SAMPLES)
def test_interval_contains_the_median(x: list[float]) -> None:
    interval = median_interval(x)
    assert interval.low <= median(x) <= interval.high
    assert median(x) == float(np.median(x))


@given(SAMPLES, st.floats(0, 1))
def test_quantile_is_type_seven(x: list[float], q: float) -> None:
    assert quantile(x, q) == pytest.approx(float(np.quantile(x, q)), rel=1e-9, abs=1e-9)


def test_a_summary_of_a_hundred() -> None:
    s = summarise([[*range(1, 51)], [*range(51, 102)]])
    assert (s.minimum, s.q10, s.median, s.q90, s.maximum) == (1.0, 11.0, 50.75, 91.0, 101.0)
    assert s.coverage == 0.5


@given(LAUNCHES)
def test_summary_is_ordered(launches: list[list[float]]) -> None:
    s = summarise(launches)
    assert s.minimum <= s.q10 <= s.q90 <= s.maximum
    further = 0.04 * (s.maximum - s.minimum) if len(launches) == LEAST_LAUNCHES else 0.0
    ends = (s.minimum - further, s.ci_low, s.median, s.ci_high, s.maximum + further)
    assert list(ends) == sorted(ends)
    assert (s.n, s.n_launches) == (sum(map(len, launches)), len(launches))


# A change of unit by a power of two is exact, unless what it yields is smaller than the smallest
# normal number: then even 0.25 x is no longer a quarter of x.
SCALABLE = st.lists(
    st.lists(
        st.floats(-1e6, 1e6).filter(lambda x: x == 0.0 or abs(x) > 1e-200), min_size=1, max_size=60
    ),
    min_size=1,
    max_size=8,
)


@given(SCALABLE, st.sampled_from([0.25, 2.0, 1024.0]))
def test_summary_scales_with_the_unit(launches: list[list[float]], scale: float) -> None:
    s, t = summarise(launches), summarise([[scale * v for v in x] for x in launches])
    for name in ("median", "ci_low", "ci_high", "q10", "q90", "minimum", "maximum"):
        assert getattr(t, name) == scale * getattr(s, name), name
    for name in ("n", "n_launches", "coverage"):
        assert getattr(t, name) == getattr(s, name), name


@given(LAUNCHES, st.randoms(use_true_random=False))
def test_summary_ignores_order(launches: list[list[float]], random: object) -> None:
    generator = np.random.default_rng(getattr(random, "randrange")(1 << 30))  # noqa: B009
    shuffled = [generator.permutation(launches[i]) for i in generator.permutation(len(launches))]
    assert summarise(shuffled) == summarise(launches)


def test_spread_between_launches_widens_the_interval() -> None:
    x = np.linspace(0.99, 1.01, 50)
    one, three = summarise([np.tile(x, 3)]), summarise([x, 1.1 * x, 0.9 * x])
    assert one.ci_high - one.ci_low < 0.01
    assert three.ci_low <= 0.9 + 1e-12
    assert three.ci_high >= 1.1 - 1e-12
    assert (one.coverage > 0.95, three.coverage) == (True, 0.75)


def test_a_small_second_launch_counts_as_much_as_a_large_first() -> None:
    s = summarise([[1.0] * 20, [2.0] * 2])
    assert (s.ci_low, s.median, s.ci_high) == (1.0, 1.5, 2.0)


def test_a_launch_with_many_samples_counts_once() -> None:
    """Sampling stops on precision, so a launch that is slow or restless contributes more."""
    medians = (96.4, 187.9, 189.7, 190.5, 186.1)
    s = summarise([[value] * n for value, n in zip(medians, (187, 20, 20, 20, 20), strict=True)])
    assert s.median == 187.9


def test_many_launches_drop_their_extremes() -> None:
    s = summarise([[float(i)] * 3 for i in range(1, 11)])
    assert s.ci_low == pytest.approx(2.658, abs=0.001)
    assert s.ci_high == pytest.approx(8.342, abs=0.001)


def test_the_lower_end_of_positive_values_is_positive() -> None:
    s = summarise([[value] for value in (1.0, 1.0, 1.0, 1.0, 100.0)])
    assert s.ci_low == pytest.approx(1.0 / 4.96)
    assert s.ci_high == pytest.approx(103.96)
    around_zero = summarise([[value] for value in (-1.0, 0.0, 1.0, 2.0, 3.0)])
    assert (around_zero.ci_low, around_zero.ci_high) == (-1.16, 3.16)


def test_no_end_lies_between_two_modes() -> None:
    modes = [1.0, 1.1, *(9.0 + 0.1 * i for i in range(8))]
    s = summarise([[value] for value in modes])
    assert s.ci_low == 1.1
    assert 9.5 < s.ci_high < 9.7


@pytest.mark.parametrize(
    "launches", [[], [[]], [[1.0], []], [[math.nan]], [[1.0, math.inf]], [[-math.inf]], [[[1.0]]]]
)
def test_bad_samples_are_refused(launches: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"launch|samples"):
        summarise(launches)


@pytest.mark.parametrize("n", [7, 10, 25])
def test_coverage_is_what_is_stated(n: int) -> None:
    generator = np.random.default_rng(20)
    truth = math.log(2.0)  # median of the exponential distribution
    intervals = [median_interval(x) for x in generator.exponential(size=(4000, n))]
    share = np.mean([i.low <= truth <= i.high for i in intervals])
    assert share == pytest.approx(intervals[0].coverage, abs=0.012)


SHAPES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "normal": lambda z: z,
    "skewed": np.expm1,
    "bimodal": lambda z: np.where(ndtr(z) < 0.3, 3.0, 0.0) + 0.3 * z,
    "two equal modes": lambda z: np.where(z < 0.0, 3.0, 0.0) + 0.3 * z,
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 8, 10, 20])
def test_intervals_of_launches_cover_what_they_say(n: int, ratio: float, shape: str) -> None:
    """Whatever the distribution and spread of launches, compared with that of their samples."""
    generator = np.random.default_rng(28)
    n_trials, n_samples = 20_000, 25

    def medians(trials: int) -> FloatArray:
        apart = SHAPES[shape](generator.standard_normal((trials, n)))
        # The median of skewed samples of a launch: an exponential's order statistic in the middle.
        middle = generator.beta(13, 13, (trials, n))
        texts: FloatArray = ratio * apart + np.sqrt(n_samples) * -np.log1p(-middle)
        return texts

    truth = float(np.median(medians(1_000_000 // n)))
    low, high, stated = launch_intervals(np.sort(medians(n_trials), axis=-1))
    covered = float(np.mean((low <= truth) & (truth <= high)))
    # Two equally frequent modes: the median lies between them, and few launches often fall into one
    # of them, or into both, so that the whole range is reported.
    less, more = (0.015, 0.04) if shape == "two equal modes" else (0.01, 0.01)
    assert stated - less <= covered <= stated + more
    assert stated == (0.95 if n >= LEAST_LAUNCHES else 1.0 - 0.5 ** (n - 1))


@pytest.mark.timed
def test_million_samples_take_little_time() -> None:
    samples = np.random.default_rng(1).exponential(size=(10_000, 2, 50))
    with processor_time(1.5):
        for launches in samples:
            summarise(list(launches))


def test_whole_numbers_become_real_ones() -> None:
    assert sort_samples([2, 1]).dtype == np.float64


def test_the_extreme_quantiles_are_the_extremes() -> None:
    assert [quantile([3.0, 1.0, 2.0], q) for q in (0.0, 1.0)] == [1.0, 3.0]


@pytest.mark.parametrize("q", [-0.1, 1.1, math.nan])
def test_quantile_refuses_other_probabilities(q: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        quantile([1.0], q)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_interval_refuses_certainty(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        median_interval([1.0], confidence)
