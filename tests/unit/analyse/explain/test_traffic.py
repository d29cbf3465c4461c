"""Traffic of the memory and its share of what programs count, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.analyse.explain.counters import explain_traffic
from heorot.analyse.results import group_series
from heorot.model.analysis.result import Result
from heorot.model.run.series import Series
from tests.unit.analyse.builders import QUIET, a_context, a_series


def launches(moved: list[float | None], seconds: float = 2.0, **counts: float) -> list[Series]:
    """A series for each launch, with the given memory traffic of its hosts."""
    return [
        replace(
            a_series(step=f"S{n}", launch=n, repetitions=10, seconds=np.full(5, 0.1)),
            counts=counts,
            disturbance=QUIET.model_copy(update={"memory_bytes": each, "window_seconds": seconds}),
        )
        for n, each in enumerate(moved, start=1)
    ]


def rows(series: list[Series]) -> dict[str, Result]:
    found = explain_traffic(a_context(groups=group_series(series)), "r")
    return {row.metric: row for row in found}


def test_traffic_is_bytes_over_time_and_a_body_has_its_share() -> None:
    found = rows(launches([20e9, 21e9, 22e9], bytes=75e6))
    assert found["memory_traffic"].median == pytest.approx(10.5e9)
    assert (found["memory_traffic"].unit, found["memory_traffic"].n) == ("B/s", 3)
    # A body takes 10 ms, in which 105 MB are moved: a triad counts three arrays of the four.
    assert found["traffic_over_counted"].median == pytest.approx(1.4)
    assert found["traffic_over_counted"].better == "lower"
    assert found["traffic_over_counted"].unit == "1"


def test_every_launch_is_divided_by_its_own_time() -> None:
    fast, slow = launches([20e9, 20e9], bytes=1e8)
    slow = replace(slow, seconds=np.full(5, 0.2))
    slow = replace(slow, disturbance=slow.disturbance.model_copy(update={"window_seconds": 4.0}))
    found = rows([fast, slow])
    assert (found["memory_traffic"].min, found["memory_traffic"].max) == pytest.approx((5e9, 10e9))
    # Twice the time at half the rate.
    assert found["traffic_over_counted"].min == pytest.approx(1.0)
    assert found["traffic_over_counted"].max == pytest.approx(1.0)


@pytest.mark.parametrize("counts", [{"flops": 8.0}, {"bytes": 0.0}, {}])
def test_what_counts_no_bytes_has_no_share(counts: dict[str, float]) -> None:
    assert set(rows(launches([20e9], **counts))) == {"memory_traffic"}


@pytest.mark.parametrize(
    ("moved", "seconds"),
    [([None], 2.0), ([20e9, None], 2.0), ([20e9, 0.0], 2.0), ([20e9, 20e9], 0.04)],
)
def test_without_counters_or_time_nothing_is_reported(
    moved: list[float | None], seconds: float
) -> None:
    assert rows(launches(moved, seconds, bytes=8.0)) == {}


def test_one_short_window_is_enough_to_tell_nothing() -> None:
    long, short = launches([20e9, 20e9], bytes=8.0)
    brief = short.disturbance.model_copy(update={"window_seconds": 0.049})
    assert rows([long, replace(short, disturbance=brief)]) == {}
    just = short.disturbance.model_copy(update={"window_seconds": 0.05})
    assert len(rows([long, replace(short, disturbance=just)])) == 2
