"""The values of HPC Challenge from pairs and rings: better ways, geometric means, extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.b_eff import B_EFF
from heorot.families.messages.derived.rings import explain
from tests.unit.analyse.builders import a_context, a_result
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def _latency(region: str, median: float, point: dict[str, int]) -> Result:
    return a_result(
        benchmark=B_EFF.name,
        case="all_cores",
        region=region,
        metric="latency" if region == "pingpong" else "ring_latency",
        unit="s",
        better="lower",
        median=median,
        point={"bytes": 8, **point},
    )


def test_the_better_way_counts_and_patterns_by_their_geometric_mean() -> None:
    rows = [
        _latency("random_sendrecv", 1e-6, {"pattern": 0}),
        _latency("random_nonblocking", 2e-6, {"pattern": 0}),
        _latency("random_sendrecv", 9e-6, {"pattern": 1}),
        _latency("random_nonblocking", 4e-6, {"pattern": 1}),
        _latency("natural_sendrecv", 7e-7, {}),
        _latency("natural_nonblocking", 5e-7, {}),
    ]
    found = {row.metric: row for row in explain(a_context(rows))}
    assert set(found) == {"random_ring_latency", "natural_ring_latency"}
    mean = found["random_ring_latency"]
    assert mean.median == pytest.approx(2e-6)
    assert mean.ci_low == pytest.approx(0.99 * 2e-6)
    assert mean.point == {"bytes": 8}
    assert found["natural_ring_latency"].median == pytest.approx(5e-7)


def test_rates_are_better_when_they_are_higher() -> None:
    rows = [
        a_result(
            benchmark=B_EFF.name,
            region=f"random_{way}",
            metric="ring_bandwidth",
            median=median,
            point={"bytes": 2_000_000, "pattern": 0},
        )
        for way, median in (("sendrecv", 3e9), ("nonblocking", 5e9))
    ]
    (row,) = explain(a_context(rows))
    assert (row.metric, row.derived) == ("random_ring_bandwidth", True)
    assert row.median == pytest.approx(5e9)


def test_pairs_are_reported_by_their_extremes_and_mean() -> None:
    rows = [
        _latency("pingpong", median, {"first": 0, "second": second})
        for second, median in ((1, 3e-7), (2, 2e-7), (3, 7e-7))
    ]
    found = {row.metric: row.median for row in explain(a_context(rows))}
    assert found == {
        "min_pair_latency": 2e-7,
        "avg_pair_latency": pytest.approx(4e-7),
        "max_pair_latency": 7e-7,
    }


def test_ranks_and_failures_are_apart() -> None:
    row = _latency("natural_sendrecv", 1e-6, {})
    wrong = _latency("natural_nonblocking", 1e-9, {}).model_copy(update={"verified": "failed"})
    more = but(row, ranks=8, per_node=8, median=2e-6)
    medians = [found.median for found in explain(a_context([row, wrong, more]))]
    assert medians == pytest.approx([1e-6, 2e-6])


def test_what_is_derived_is_declared() -> None:
    rows = [_latency("natural_sendrecv", 1e-6, {}), _latency("pingpong", 1e-6, {})]
    assert {row.metric for row in explain(a_context(rows))} <= set(B_EFF.derived)
