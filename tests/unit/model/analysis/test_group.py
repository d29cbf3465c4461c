"""The values of a metric in the samples of a region."""

from __future__ import annotations

import numpy as np
import pytest

from heorot.model.analysis.group import Group, metric_values
from heorot.model.catalogue.metrics import Metric
from tests.unit.analyse.builders import a_series

RATE = Metric(name="bandwidth", unit="B/s", better="higher", count="bytes")
TIME = Metric(name="latency", unit="s", better="lower", count="messages")
PLAIN = Metric(name="time", unit="s", better="lower")


def test_a_rate_is_the_amount_of_a_body_per_second() -> None:
    series = a_series(seconds=np.array([1.0, 2.0]), repetitions=10, counts={"bytes": 5.0})
    assert metric_values(series, RATE) == pytest.approx([50.0, 25.0])


def test_a_time_is_seconds_per_amount_or_of_a_body() -> None:
    series = a_series(seconds=np.array([1.0]), repetitions=10, counts={"messages": 2.0})
    assert metric_values(series, TIME) == pytest.approx([0.05])
    assert metric_values(series, PLAIN) == pytest.approx([0.1])


def test_an_amount_may_be_that_of_each_rank() -> None:
    each = RATE.model_copy(update={"per_rank": True})
    series = a_series(
        seconds=np.array([1.0]), repetitions=1, counts={"bytes": 6.0}, ranks=3, threads=2
    )
    assert metric_values(series, RATE) == pytest.approx([6.0])
    assert metric_values(series, each) == pytest.approx([2.0])


def test_a_group_has_one_array_for_every_launch() -> None:
    launches = tuple(
        a_series(launch=n, seconds=np.full(n, 1.0), repetitions=1, counts={"bytes": 2.0})
        for n in (1, 3)
    )
    group = Group(series=launches, disturbed=False, verified="passed")
    assert group.first is launches[0]
    assert [values.tolist() for values in group.samples(RATE)] == [[2.0], [2.0, 2.0, 2.0]]
