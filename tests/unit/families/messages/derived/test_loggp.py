"""The parameters of LogGP are recovered from the times of trains that were built from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.analyse.results import group_series
from heorot.families.messages.derived.loggp import explain, parameters
from heorot.model.analysis.result import Result
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_measured_context, a_series

TRAIN = 16
SEND, RECEIVE, WAY, GAP, PER_BYTE = 0.4e-6, 0.7e-6, 1.5e-6, 0.9e-6, 1e-10
PLANTED = {"o_s": SEND, "o_r": RECEIVE, "g": GAP, "L": WAY}


def times(delay: float, way: float = WAY) -> dict[str, float]:
    """Time of each region [s] in the model, at the smallest size."""
    once = 2.0 * (SEND + way + RECEIVE)
    return {
        "round_trip": once,
        "train": once + (TRAIN - 1) * GAP,
        "delayed": once + (TRAIN - 1) * (SEND + delay),
        "late_answer": SEND + delay + RECEIVE,
        "delay": delay,
    }


def messages(seed: int, *, launches: int = 2, way: float = WAY, **changes: object) -> list[Series]:
    random = np.random.default_rng(seed)
    series = []
    for launch in range(1, launches + 1):
        delay = 1e-5 * launch  # every launch chooses its own
        for region, seconds in times(delay, way).items():
            alone = region in {"round_trip", "late_answer"}
            n_messages = 2 if alone else TRAIN + 1
            fields = {
                "benchmark": "messages/loggp",
                "region": region,
                "ranks": 2,
                "launch": launch,
                "point": {"bytes": 1},
                "counts": {} if region == "delay" else {"messages": float(n_messages)},
                "repetitions": 10,
                "seconds": 10.0 * seconds * (1.0 + 0.002 * random.standard_normal(20)),
            }
            series.append(a_series(**(fields | changes)))
    return series


def pingpong(**changes: object) -> list[Series]:
    random = np.random.default_rng(4)
    return [
        a_series(
            **{"benchmark": "messages/pingpong", "region": "pingpong", "ranks": 2} | changes,
            point={"bytes": size},
            counts={"messages": 2.0, "bytes": 2.0 * size},
            seconds=20.0 * (2e-6 + PER_BYTE * size) * (1.0 + 0.002 * random.standard_normal(20)),
        )
        for size in (1 << i for i in range(20))
    ]


def by_metric(series: list[Series]) -> dict[str, Result]:
    return {row.metric: row for row in explain(a_measured_context(series))}


def test_planted_parameters_are_found() -> None:
    rows = by_metric(messages(1) + pingpong())
    for name, expected in (PLANTED | {"G": PER_BYTE}).items():
        row = rows[name]
        assert row.ci_low <= expected <= row.ci_high, name
        assert row.median == pytest.approx(expected, rel=0.2), name
        assert row.unit == ("s/B" if name == "G" else "s")
        assert row.derived
        assert row.benchmark == "messages/loggp"
    assert rows["G"].point == {}
    assert rows["o_r"].point == {"bytes": 1}


def test_intervals_cover() -> None:
    hits = dict.fromkeys(PLANTED, 0)
    for seed in range(100):
        groups = {one.first.region: one for one in group_series(messages(seed, launches=1))}
        found = parameters(groups, seed)
        for name, expected in PLANTED.items():
            hits[name] += found[name][1] <= expected <= found[name][2]
    assert min(hits.values()) >= 88


def test_launches_that_differ_widen_the_interval() -> None:
    series = messages(1)
    slower = [
        replace(one, seconds=1.2 * one.seconds) if (one.launch, one.region) == (2, "train") else one
        for one in series
    ]
    (same, other) = (by_metric(each)["g"] for each in (series, slower))
    assert other.ci_high - other.ci_low > 3.0 * (same.ci_high - same.ci_low)


def test_overheads_that_overlap_leave_no_latency() -> None:
    row = by_metric(messages(1, way=-0.5e-6))["L"]
    assert (row.median, row.ci_low, row.ci_high) == (0.0, 0.0, 0.0)


def test_only_the_smallest_size_tells_the_latency() -> None:
    series = messages(1) + messages(2, point={"bytes": 64})
    rows = explain(a_measured_context(series))
    assert [row.point["bytes"] for row in rows if row.metric == "L"] == [1]
    assert [row.point["bytes"] for row in rows if row.metric == "g"] == [1, 64]
    assert len({row.id for row in rows}) == len(rows)


def test_without_all_regions_nothing_is_said() -> None:
    series = messages(1)
    assert by_metric([one for one in series if one.region != "delay"]) == {}
    failed = [replace(one, verified="failed") if one.region == "train" else one for one in series]
    assert by_metric(failed) == {}


def test_ping_pong_between_nodes_says_nothing_of_one_node() -> None:
    rows = by_metric(messages(1) + pingpong(nodes=2, case="two_nodes"))
    assert "G" not in rows
