"""Synthetic workloads: the job mix of ESP-2, the model of Lublin and Feitelson, arrivals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import gammainc

from heorot.errors import UsageError
from heorot.throughput.model.kinds import JobKind, JobsFile, Part
from heorot.throughput.model.timeline import Floats
from heorot.throughput.workload.esp import TYPES, esp_mix
from heorot.throughput.workload.lublin import lublin
from heorot.throughput.workload.poisson import (
    BUCKET_SECONDS,
    DAY_SECONDS,
    N_BUCKETS,
    by_the_clock,
    daily_moments,
    daily_weights,
    drawn_arrivals,
    poisson_moments,
)
from tests.unit.throughput.tables import table_of


def test_the_mix_has_230_jobs_of_14_types() -> None:
    work = esp_mix(512, seed=3)
    assert len(work.jobs) == 230
    names = work.names["executable"]
    counts = Counter(names[number] for number in work.jobs["executable"].tolist())
    assert counts == {name: count for name, _, count, _ in TYPES}
    sizes = {
        names[int(job["executable"])]: (int(job["processors"]), float(job["run"]))
        for job in table_of(work.jobs)
    }
    assert sizes["A"] == (16, 267.0)
    assert sizes["H"] == (81, 1067.0)
    assert sizes["Z"] == (512, 100.0)
    assert not work.jobs["submit"].any()
    assert work.jobs["number"].tolist() == list(range(1, 231))


def test_the_work_of_the_mix_is_that_of_the_definition() -> None:
    # Fraction by count by seconds of the types A to Z, added by hand.
    by_hand = 625.8 + 181.1 + 801.0 + 462.0 + 472.5 + 1038.4 + 1000.5 + 1012.8
    by_hand += 1074.0 + 1087.5 + 699.1 + 1647.0 + 701.2 + 200.0
    work = esp_mix(100_000)
    area = float(work.jobs["processors"] @ work.jobs["run"]) / 100_000
    assert area == pytest.approx(by_hand, abs=0.5)


@pytest.mark.parametrize("n_nodes", [1, 3, 8])
def test_the_mix_fits_small_machines(n_nodes: int) -> None:
    jobs = esp_mix(n_nodes).jobs
    assert jobs["processors"].min() == 1
    assert jobs["processors"].max() == n_nodes


def test_the_order_of_the_mix_is_that_of_its_seed() -> None:
    one, same, other = (table_of(esp_mix(8, seed=seed).jobs) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one["executable"] != other["executable"]).any()


def test_there_is_no_mix_without_a_node() -> None:
    with pytest.raises(UsageError):
        esp_mix(0)


def test_sizes_of_the_model() -> None:
    size = lublin(200_000, 128, 1).jobs["processors"]
    assert size.min() == 1
    assert size.max() == 128
    assert (size == 1).mean() == pytest.approx(0.2927, abs=0.004)
    # Powers of two are two thirds of all jobs, and some of the others by chance.
    parallel = size[size > 1]
    powers = (np.log2(parallel) % 1 == 0).mean()
    assert powers > 0.6686 / (1 - 0.2927)
    # Seven of eight parallel jobs are of the first stage: up to 2^5.
    assert (parallel <= 32).mean() == pytest.approx(0.875, abs=0.03)


def test_run_times_of_the_model() -> None:
    jobs = lublin(200_000, 128, 2).jobs
    logarithm = np.log(jobs["run"])
    assert logarithm.max() <= 12.0
    assert jobs["run"].min() >= 1.0
    # Means of the two distributions, with little cut off: 6.57 * 0.823 and 639.1 * 0.0156.
    serial = logarithm[jobs["processors"] == 1]
    share = 0.6986 - 0.003
    assert serial.mean() == pytest.approx(share * 5.407 + (1 - share) * 9.970, abs=0.06)
    wide = logarithm[jobs["processors"] == 128]
    share = 0.6986 - 0.003 * 128
    assert wide.mean() == pytest.approx(share * 5.407 + (1 - share) * 9.970, abs=0.15)
    assert (jobs["run"] == jobs["requested_seconds"]).all()


def test_arrivals_of_the_model_have_a_daily_cycle() -> None:
    submit = lublin(300_000, 128, 3).jobs["submit"]
    assert (np.diff(submit) >= 0).all()
    # The first job is submitted a little after midnight, the zero of the others.
    bucket = ((submit % DAY_SECONDS) // (DAY_SECONDS / 8)).astype(int)
    share = np.bincount(bucket, minlength=8) / len(submit)
    expected = daily_weights().reshape(8, 6).sum(axis=1) / N_BUCKETS
    assert share == pytest.approx(expected, abs=0.03)
    assert share.max() / share.min() > 3


@pytest.mark.parametrize("load", [0.3, 0.87, 1.5])
def test_the_load_is_the_one_wanted(load: float) -> None:
    jobs = lublin(5000, 64, 4, load).jobs
    area = float(jobs["processors"] @ jobs["run"])
    assert area / 64 / jobs["submit"][-1] == pytest.approx(load, rel=1e-6)


def test_the_same_seed_makes_the_same_jobs() -> None:
    one, same, other = (table_of(lublin(1000, 64, seed).jobs) for seed in (5, 5, 6))
    assert (one == same).all()
    assert (one != other).any()


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 4, 1000])
def test_machines_of_any_size(n_nodes: int) -> None:
    jobs = lublin(2000, n_nodes, 7, 0.8).jobs
    assert jobs["processors"].min() == 1
    assert jobs["processors"].max() <= n_nodes
    if n_nodes > 1:
        assert jobs["processors"].max() > n_nodes / 2


def test_one_job_has_no_load() -> None:
    work = lublin(1, 4, 1, 0.5)
    assert work.jobs["submit"].tolist() == [0.0]
    assert work.header["MaxProcs"] == "4"


@pytest.mark.parametrize(
    "wrong", [(0, 4, 1, None), (1, 0, 1, None), (1, 1, 1, 0.0), (1, 1, 1, float("nan"))]
)
def test_models_that_cannot_be(wrong: tuple[int, int, int, float | None]) -> None:
    with pytest.raises(UsageError):
        lublin(*wrong)


def test_weights_of_24_hours() -> None:
    weights = daily_weights()
    assert weights.mean() == pytest.approx(1.0)
    # Most jobs come about half past one in the afternoon, fewest before half past five.
    assert int(np.argmax(weights)) == 26
    assert int(np.argmin(weights)) == 9
    # By the formula: the half hour that ends at noon is the 24th after midnight.
    half_hour = gammainc(6.1271, 24.5 / 5.2740) - gammainc(6.1271, 23.5 / 5.2740)
    assert weights[23] / weights[26] == pytest.approx(
        half_hour / (gammainc(6.1271, 27.5 / 5.2740) - gammainc(6.1271, 26.5 / 5.2740))
    )


def test_time_runs_as_jobs_come() -> None:
    flat = np.ones(N_BUCKETS)
    units = np.array([0.0, 0.5, 48.0, 100.25])
    assert by_the_clock(units, flat) == pytest.approx(units * BUCKET_SECONDS)
    total = np.cumsum(daily_weights())
    found = by_the_clock(np.array([total[9], 48.0 + total[19]]))
    assert found == pytest.approx([10 * BUCKET_SECONDS, DAY_SECONDS + 20 * BUCKET_SECONDS])


def test_time_runs_as_it_does_for_one_who_walks_through_the_half_hours() -> None:
    weights = daily_weights()
    gaps = np.random.default_rng(4).exponential(3.0, 500)
    moments, place, left = [], 0, float(weights[0])
    for gap in gaps:
        while gap > left:
            gap, place = gap - left, place + 1  # noqa: PLW2901 (paid for, half hour by half hour)
            left = float(weights[place % N_BUCKETS])
        left -= gap
        moments.append((place + 1 - left / weights[place % N_BUCKETS]) * BUCKET_SECONDS)
    assert by_the_clock(np.cumsum(gaps)) == pytest.approx(moments)


def test_gaps_of_a_poisson_process() -> None:
    moments = poisson_moments(100_000, 30.0, 1)
    gaps = np.diff(moments)
    assert gaps.mean() == pytest.approx(30.0, rel=0.02)
    assert gaps.std() == pytest.approx(30.0, rel=0.02)
    assert (moments == poisson_moments(100_000, 30.0, 1)).all()


@pytest.mark.parametrize("moments", [poisson_moments, daily_moments])
def test_gaps_do_not_go_with_sizes_of_the_same_seed(
    moments: Callable[[int, float, int], Floats],
) -> None:
    jobs = lublin(20_000, 128, 9).jobs
    gaps = np.diff(moments(20_001, 60.0, 9))
    for name in ("processors", "run"):
        assert abs(np.corrcoef(gaps, jobs[name])[0, 1]) < 0.03
    kind = JobKind(parts=(Part(name="p", command=("true",)),))
    drawn = drawn_arrivals(JobsFile(jobs={"a": kind, "b": kind}), moments(20_000, 60.0, 9), 9)
    is_a = np.array([each.kind == "a" for each in drawn])
    assert abs(np.corrcoef(gaps[:20_000], is_a)[0, 1]) < 0.03


def test_moments_with_a_daily_cycle() -> None:
    moments = daily_moments(100_000, 60.0, 2, start_hour=8.0)
    assert moments[0] >= 0
    assert (np.diff(moments) >= 0).all()
    assert np.diff(moments).mean() == pytest.approx(60.0, rel=0.02)
    hour = ((moments + 8 * 3600) % DAY_SECONDS) // 3600
    share = np.bincount(hour.astype(int), minlength=24) / len(moments)
    expected = daily_weights().reshape(24, 2).sum(axis=1) / N_BUCKETS
    assert share == pytest.approx(expected, abs=0.006)


def test_kinds_are_drawn_as_often_as_each_other() -> None:
    kind = JobKind(parts=(Part(name="p", command=("true",)),))
    jobs = JobsFile(jobs={"a": kind, "b": kind, "c": kind.model_copy(update={"after": ("a",)})})
    moments = poisson_moments(9000, 1.0, 1)
    counts = Counter(each.kind for each in drawn_arrivals(jobs, moments, 1))
    assert all(abs(n - 3000) < 300 for n in counts.values())
    drawn = drawn_arrivals(jobs, moments, 1)
    assert all(len(each.after) <= 1 for each in drawn)
    assert drawn == drawn_arrivals(jobs, moments, 1)
