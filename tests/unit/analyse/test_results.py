"""Rows from samples: grouping, repeats, verdicts, rates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.analyse.results import applies, group_series, make_results
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.ranks import Starts
from tests.unit.analyse.builders import QUIET, a_benchmark, a_measured_context, a_series

RATE = Metric(name="bandwidth", unit="B/s", better="higher", count="bytes")


@pytest.mark.parametrize("amount", [0.0, -1.0, float("inf"), float("nan")])
def test_a_metric_needs_a_positive_finite_count(amount: float) -> None:
    assert not applies(RATE, a_series(counts={"bytes": amount}))
    assert not applies(RATE, a_series(counts={}))
    assert applies(RATE, a_series())


def test_a_metric_may_be_limited_to_regions() -> None:
    metric = RATE.model_copy(update={"regions": ("copy",)})
    assert not applies(metric, a_series(region="triad"))
    assert applies(metric, a_series(region="copy"))


def test_launches_come_together_and_points_stay_apart() -> None:
    series = [a_series(launch=launch, point={"n": n}) for launch in (2, 1, 3) for n in (1000, 2000)]
    groups = group_series(series)
    assert [group.first.point["n"] for group in groups] == [1000, 2000]
    assert [one.launch for one in groups[0].series] == [1, 2, 3]


def test_toolchains_stay_apart() -> None:
    assert len(group_series([a_series(), a_series(toolchain="clang-16")])) == 2


def test_a_perturbed_launch_is_left_out_if_there_is_another() -> None:
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    (group,) = group_series([a_series(launch=1, disturbance=noisy), a_series(launch=2)])
    assert [one.launch for one in group.series] == [2]
    assert not group.disturbed


def test_only_perturbed_launches_are_all_kept_and_marked() -> None:
    noisy = QUIET.model_copy(update={"steal_seconds": 1.0})
    (group,) = group_series([a_series(launch=n, disturbance=noisy) for n in (1, 2)])
    assert len(group.series) == 2
    assert group.disturbed


def test_a_repeated_launch_counts_once() -> None:
    (group,) = group_series(
        [a_series(launch=1, attempt=2), a_series(launch=1, attempt=1), a_series(launch=2)]
    )
    assert [(one.launch, one.attempt) for one in group.series] == [(1, 1), (2, 1)]


def test_a_repeat_replaces_a_perturbed_attempt() -> None:
    noisy = QUIET.model_copy(update={"sentinel_before": 3.0})
    (group,) = group_series([a_series(disturbance=noisy), a_series(attempt=2)])
    assert [one.attempt for one in group.series] == [2]


def test_a_launch_counts_by_one_attempt_with_all_its_regions() -> None:
    """Also if a region of the perturbed one was fast by luck: values play no part in the choice."""
    noisy = QUIET.model_copy(update={"sentinel_before": 3.0})
    first = [
        a_series(region="triad", seconds=np.full(5, 1.0)),
        a_series(region="copy", disturbance=noisy, elapsed_seconds=1.0),
    ]
    again = [
        a_series(step="S0002", attempt=2, region=name, seconds=np.full(5, 2.0))
        for name in ("triad", "copy")
    ]
    groups = group_series([*first, *again])
    assert {(group.first.region, group.first.attempt) for group in groups} == {
        ("triad", 2),
        ("copy", 2),
    }


def test_a_repeat_that_was_cut_off_does_not_count() -> None:
    noisy = QUIET.model_copy(update={"sentinel_before": 3.0})
    first = [a_series(region=name, disturbance=noisy) for name in ("triad", "copy")]
    again = a_series(step="S0002", attempt=2, region="triad")
    groups = group_series([*first, again])
    assert [group.first.attempt for group in groups] == [1, 1]
    assert all(group.disturbed for group in groups)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (("passed", "passed"), "passed"),
        (("passed", "failed"), "failed"),
        (("unchecked", "passed"), "unchecked"),
        (("unchecked", "failed"), "failed"),
    ],
)
def test_one_failed_launch_fails_the_group(verdicts: tuple[str, str], expected: str) -> None:
    series = [a_series(launch=n, verified=v) for n, v in enumerate(verdicts)]
    (group,) = group_series(series)
    assert group.verified == expected


def test_a_failed_attempt_counts_even_if_it_is_left_out() -> None:
    noisy = QUIET.model_copy(update={"sentinel_before": 3.0})
    (group,) = group_series([a_series(disturbance=noisy, verified="failed"), a_series(attempt=2)])
    assert group.verified == "failed"


def test_rows_have_the_median_of_launches_and_the_layout() -> None:
    series = [
        a_series(launch=n, seconds=np.array(s), repetitions=1, counts={"bytes": 12.0}, threads=2)
        for n, s in ((1, [1.0, 2.0]), (2, [3.0, 4.0, 6.0]))
    ]
    (row,) = a_measured_context(series).rows
    assert row.median == pytest.approx(6.0)  # rates 12 6, and 4 3 2
    assert (row.min, row.max, row.n, row.n_launches) == (2.0, 12.0, 5, 2)
    assert (row.ci_low, row.ci_high) == (3.0, 9.0)
    assert row.q10 <= row.median <= row.q90
    assert (row.run, row.system, row.cores, row.unit) == ("r", "s", 2, "B/s")
    assert not row.derived


def test_unknown_programs_have_no_rows() -> None:
    groups = group_series([a_series(benchmark="memory/unknown")])
    assert make_results(groups, {}, run="r", system="s") == []


def test_every_metric_that_applies_has_a_row() -> None:
    metrics = tuple(
        Metric(name=name, unit="1/s", better="higher", count=count)
        for name, count in (("steps_rate", "steps"), ("flop_rate", "flops"), ("rate", "absent"))
    )
    program = a_benchmark(metrics=metrics)
    one = a_series(benchmark=program.name, counts={"flops": 60.0, "pairs": 1.0, "steps": 2.0})
    rows = a_measured_context([one], benchmarks=[program]).rows
    assert [row.metric for row in rows] == ["steps_rate", "flop_rate"]


def test_launches_in_two_states_are_named_by_their_numbers() -> None:
    seconds = (1e-4, 3e-4, 1.01e-4, 3.01e-4, 0.99e-4)
    series = [
        a_series(launch=n, seconds=np.full(10, each)) for n, each in enumerate(seconds, start=1)
    ]
    benchmark = a_benchmark("memory/stream", metrics=(RATE,))
    (row,) = make_results(group_series(series), {benchmark.name: benchmark}, run="r", system="s")
    assert [mode.launches for mode in row.modes] == [(2, 4), (1, 3, 5)]
    assert "two modes" in row.caution


def test_a_metric_may_be_the_mean_over_the_ranks() -> None:
    """The slowest rank counts elsewhere; records without times of ranks have no such metric."""
    mean = Metric(name="avg_time", unit="s", better="lower", over_ranks="mean")
    starts = Starts(
        bodies=20,
        late=0,
        window_seconds=1e-6,
        clock_error_seconds=0.0,
        local_seconds=(1e-4, 1e-4),
        mean_seconds=(6e-5, 8e-5),
    )
    one = a_series(starts=starts, seconds=np.full(2, 1e-4), repetitions=10)
    program = a_benchmark(one.benchmark, metrics=(mean,))
    (row,) = a_measured_context([one], benchmarks=[program]).rows
    assert row.median == pytest.approx(7e-6)
    older = replace(one, starts=starts.model_copy(update={"mean_seconds": ()}))
    assert not applies(mean, older)
    assert not applies(mean, a_series())
