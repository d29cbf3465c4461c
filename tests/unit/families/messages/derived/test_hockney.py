"""Hockney's law over synthetic message times with known parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heorot.families.messages.derived.hockney import explain, half_rate_size
from heorot.model.analysis.result import Result
from heorot.model.run.series import Series
from tests.unit.analyse.builders import QUIET, a_measured_context, a_series

SIZES = [0, *(1 << i for i in range(23))]


def messages(
    times: dict[int, float], launches: tuple[int, ...] = (1, 2), **changes: object
) -> list[Series]:
    random = np.random.default_rng(3)
    fields = {"benchmark": "messages/pingpong", "region": "pingpong", "ranks": 2}
    return [
        a_series(
            **(fields | changes),
            launch=launch,
            point={"bytes": size},
            counts={"messages": 2.0, "bytes": 2.0 * size},
            repetitions=100,
            seconds=200.0 * seconds * (1.0 + 0.005 * random.standard_normal(20)),
        )
        for launch in launches
        for size, seconds in times.items()
    ]


def fitted(series: list[Series]) -> list[Result]:
    return explain(a_measured_context(series))


def by_metric(rows: list[Result]) -> dict[str, Result]:
    return {row.metric: row for row in rows if not row.point or row.metric == "peak_bandwidth"}


def test_latency_rate_and_half_length_are_found() -> None:
    rows = by_metric(fitted(messages({n: 4e-7 + n / 10e9 for n in SIZES})))
    for metric, unit, expected in (
        ("fitted_latency", "s", 4e-7),
        ("r_inf", "B/s", 10e9),
        ("n_half", "B", 4000.0),
    ):
        row = rows[metric]
        assert row.median == pytest.approx(expected, rel=0.01)
        assert row.ci_low <= expected <= row.ci_high
        assert row.unit == unit
        assert (row.derived, row.n) == (True, len(SIZES))


def test_the_largest_bandwidth_keeps_its_size() -> None:
    times = {n: 4e-7 + n / (10e9 if n <= 1 << 16 else 5e9) for n in SIZES}
    row = by_metric(fitted(messages(times)))["peak_bandwidth"]
    assert row.point == {"bytes": 1 << 16}
    assert row.unit == "B/s"


def test_two_protocols_have_rows_of_their_own() -> None:
    times = {n: (3e-7 + n / 2e9 if n <= 4096 else 4e-6 + n / 12e9) for n in SIZES}
    rows = fitted(messages(times))
    parts = {
        (row.point["from_bytes"], row.point["to_bytes"]): row
        for row in rows
        if row.metric == "r_inf" and row.point
    }
    (first, eager), (second, rendezvous) = sorted(parts.items())
    assert first[0] == 0
    assert second[1] == 4 << 20
    assert eager.median == pytest.approx(2e9, rel=0.05)
    assert rendezvous.median == pytest.approx(12e9, rel=0.05)
    assert eager.n + rendezvous.n == len(SIZES)
    assert len({row.id for row in rows}) == len(rows)


def test_few_sizes_are_not_fitted() -> None:
    rows = fitted(messages({n: 4e-7 + n / 10e9 for n in (0, 8, 64)}))
    assert [row.metric for row in rows] == ["peak_bandwidth"]


def test_failed_messages_are_not_fitted() -> None:
    times = {n: 4e-7 + n / 10e9 for n in SIZES}
    assert fitted(messages(times, verified="failed")) == []


def test_every_toolchain_has_its_own_fit() -> None:
    series = [
        one
        for chain, latency in (("gnu-12+a", 3e-7), ("gnu-12+b", 9e-7))
        for one in messages({n: latency + n / 10e9 for n in SIZES}, toolchain=chain)
    ]
    found = {row.toolchain: row for row in fitted(series) if row.metric == "fitted_latency"}
    assert found["gnu-12+a"].median == pytest.approx(3e-7, rel=0.01)
    assert found["gnu-12+b"].median == pytest.approx(9e-7, rel=0.01)


def test_a_fit_to_perturbed_times_is_marked() -> None:
    series = messages({n: 4e-7 + n / 10e9 for n in SIZES})
    noisy = QUIET.model_copy(update={"sentinel_after": 2.0})
    series += messages({3: 5e-7}, disturbance=noisy)
    assert by_metric(fitted(series))["fitted_latency"].disturbed


def test_the_seed_of_the_run_decides_the_resampling() -> None:
    law = {n: 4e-7 + n / 10e9 for n in SIZES}
    slower = {n: 1.3 * seconds for n, seconds in law.items()}
    context = a_measured_context([*messages(law, (1, 2)), *messages(slower, (3,))])
    first, again, other = (explain(replace(context, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_inside_a_node_and_between_nodes_have_their_own_fits() -> None:
    series = [
        one
        for nodes, case, latency, rate in (
            (1, "two_ranks", 4e-7, 1e10),
            (2, "two_nodes", 2e-5, 1e9),
        )
        for one in messages({n: latency + n / rate for n in SIZES}, nodes=nodes, case=case)
    ]
    rows = {(row.metric, row.nodes): row for row in fitted(series) if not row.point}
    assert rows["fitted_latency", 1].median == pytest.approx(4e-7, rel=0.01)
    assert rows["fitted_latency", 2].median == pytest.approx(2e-5, rel=0.01)
    assert rows["r_inf", 2].median == pytest.approx(1e9, rel=0.01)
    tops = [row for row in fitted(series) if row.metric == "peak_bandwidth"]
    assert [row.nodes for row in tops] == [1, 2]


def test_each_change_of_the_law_has_a_row() -> None:
    times = {
        n: 3e-7 + n / 2e9 if n <= 512 else (2e-6 + n / 6e9 if n <= 65536 else n / 3e9)
        for n in SIZES
    }
    rows = [row for row in fitted(messages(times)) if row.metric == "protocol_switch"]
    assert [row.point for row in rows] == [{"switch": 1}, {"switch": 2}]
    assert [(row.ci_low, row.ci_high) for row in rows] == [(512, 1024), (65536, 131072)]
    assert all(row.ci_low < row.median < row.ci_high and row.unit == "B" for row in rows)


def test_one_law_has_no_change() -> None:
    rows = fitted(messages({n: 4e-7 + n / 10e9 for n in SIZES}))
    assert "protocol_switch" not in {row.metric for row in rows}


def test_half_of_the_largest_rate_is_measured() -> None:
    # Half of the largest rate, a little less than 10 GB/s, where n = t0 r: between 2048 and 4096.
    times = {n: 4e-7 + n / 10e9 for n in SIZES}
    largest = 4194304 / times[4194304]
    row = by_metric(fitted(messages(times, (1, 2, 3, 4, 5))))["half_rate_size"]
    expected = 4e-7 / (2.0 / largest - 1e-10)
    assert row.median == pytest.approx(expected, rel=0.02)
    assert row.ci_low <= expected <= row.ci_high


def test_the_time_between_two_sizes_grows_linearly() -> None:
    sizes = np.array([0.0, 8.0, 64.0, 512.0])
    assert half_rate_size(sizes, np.array([1.0, 1.0, 1.0, 16.0])) == 32.0
    assert half_rate_size(sizes, np.array([1.0, 1.0, 2.0, 16.0])) == pytest.approx(19.2)


def test_numbers_that_travel_in_one_latency() -> None:
    row = by_metric(fitted(messages({n: 4e-7 + n / 10e9 for n in SIZES})))
    assert row["items_per_latency"].median == pytest.approx(500.0, rel=0.02)
    assert row["items_per_latency"].unit == "element"


# Eager up to 2 KiB, then rendezvous: times as of two cores that share a cache.
JUMPING = {n: 3e-7 + n / 12e9 if n < 4096 else 2.4e-6 + n / 12e9 for n in SIZES}


def test_a_time_that_jumps_has_a_row_and_no_law_over_all_sizes() -> None:
    rows = fitted(messages(JUMPING))
    (jump,) = [row for row in rows if row.metric == "time_jump"]
    assert jump.point == {"from_bytes": 2048, "to_bytes": 4096}
    assert jump.median == pytest.approx(JUMPING[4096] / JUMPING[2048], rel=0.02)
    assert jump.ci_low <= jump.median <= jump.ci_high
    whole = {row.metric for row in rows if not row.point}
    assert not whole & {"n_half", "r_inf", "fitted_latency"}
    half = by_metric(rows)["half_rate_size"].median
    assert half == pytest.approx(
        half_rate_size(np.array(SIZES), np.array([*JUMPING.values()])), 0.05
    )
    # Laws of a range of sizes have the range as coordinates.
    assert all(row.point["to_bytes"] for row in rows if row.metric == "n_half")


def test_a_law_that_puts_half_of_the_rate_elsewhere_has_no_length() -> None:
    # Two laws that meet: the start-up of the first and the rate of the second make no length.
    times = {n: 1e-6 + n / 1e9 if n <= 4096 else 4.6e-6 + n / 8e9 for n in SIZES}
    rows = by_metric(fitted(messages(times)))
    assert "time_jump" not in rows
    assert {"r_inf", "fitted_latency", "half_rate_size"} <= rows.keys()
    assert "n_half" not in rows


def test_a_slow_launch_with_many_samples_counts_once() -> None:
    times = {n: 4e-7 + n / 10e9 for n in SIZES}
    slow = [
        replace(one, seconds=np.repeat(one.seconds, 50))
        for one in messages({n: 3.0 * seconds for n, seconds in times.items()}, (1,))
    ]
    rows = by_metric(fitted([*slow, *messages(times, (2, 3))]))
    assert rows["fitted_latency"].median == pytest.approx(4e-7, rel=0.02)
    assert rows["items_per_latency"].median == pytest.approx(500.0, rel=0.02)


def test_launches_in_two_states_are_no_jump() -> None:
    # Some sizes have more launches of one state, some of the other.
    fast = {n: 1.4e-7 + n / 10e9 for n in SIZES}
    slow = {n: 4.2e-7 + n / 10e9 for n in SIZES}
    series = [
        *messages(fast, (1, 2)),
        *messages({n: t for n, t in fast.items() if n <= 256}, (3,)),
        *messages(slow, (4,)),
        *messages({n: t for n, t in slow.items() if n > 256}, (5, 6)),
    ]
    assert "time_jump" not in {row.metric for row in fitted(series)}
