"""All nodes together: averages over intervals, and busy CPUs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.monitoring.analyse.busy_cpus import all_nodes_of, busy_cpus
from heorot.monitoring.model import Monitoring, binned
from tests.unit.monitoring.analyse.synthetic import BEGIN, make_node


def test_averages_are_weighted_by_time() -> None:
    times, seconds, values = np.array([1.0, 3.0]), np.array([1.0, 2.0]), np.array([6.0, 3.0])
    assert binned(times, seconds, values, np.array([0.0, 3.0])).tolist() == [4.0]
    thin = binned(times, seconds, values, np.array([0.0, 0.5, 1.0, 1.5, 3.0]))
    assert thin == pytest.approx([6, 6, 3, 3])


def test_what_is_not_known_is_no_zero() -> None:
    times, seconds = np.array([1.0, 2.0, 5.0]), np.ones(3)
    values = np.array([1.0, np.nan, 3.0])
    found = binned(times, seconds, values, np.array([0.0, 1.0, 2.0, 4.0, 5.0, 9.0]))
    assert np.isnan(found).tolist() == [False, True, True, False, True]
    assert (found[0], found[3]) == (1.0, 3.0)
    nothing = binned(times, seconds, np.full(3, np.nan), np.array([0.0, 1.0]))
    assert np.isnan(nothing).all()


@given(
    st.lists(
        st.tuples(st.floats(0.1, 5.0), st.floats(0.0, 3.0), st.floats(-100.0, 100.0)),
        min_size=1,
        max_size=20,
    )
)
def test_no_average_leaves_the_range_of_what_was(parts: list[tuple[float, float, float]]) -> None:
    seconds = np.array([part[0] for part in parts])
    times = np.cumsum(seconds + np.array([part[1] for part in parts]))
    values = np.array([part[2] for part in parts])
    edges = np.linspace(-1.0, times[-1] + 1.0, 7)
    found = binned(times, seconds, values, edges)
    known = found[np.isfinite(found)]
    assert np.all(known >= values.min() - 1e-6)
    assert np.all(known <= values.max() + 1e-6)
    whole = binned(times, seconds, values, np.array([-1.0, times[-1] + 1.0]))
    assert whole[0] == pytest.approx(np.average(values, weights=seconds), abs=1e-6)


def test_busy_cpus() -> None:
    nodes = (make_node("n1", busy=np.arange(10) % 2 * 2.0, own=0.002), make_node("n2", busy=1.0))
    monitoring = Monitoring(nodes=nodes)
    whole = all_nodes_of(monitoring)
    assert whole is not None
    found = busy_cpus(whole, monitoring)
    assert found is not None
    assert (found.cpus, found.mean, found.least, found.most) == pytest.approx((8, 2.0, 1.0, 3.0))
    assert found.seconds == pytest.approx(10.0)
    assert found.sampler == pytest.approx(0.002)


def test_a_silent_node_counts_while_it_lives() -> None:
    late = make_node("n2", 4, busy=4.0, ending="silent")
    monitoring = Monitoring(nodes=(make_node("n1", busy=2.0), late))
    whole = all_nodes_of(monitoring)
    assert whole is not None
    assert whole.complete.all()
    assert whole.cpus.sum(axis=0).tolist() == [8] * 4 + [4] * 6
    found = busy_cpus(whole, monitoring)
    assert found is not None
    assert (found.most, found.least) == pytest.approx((6.0, 2.0))


def test_gaps_do_not_count() -> None:
    busy = np.full(10, 2.0)
    busy[3:6] = np.nan
    monitoring = Monitoring(nodes=(make_node("n1", busy=busy),))
    whole = all_nodes_of(monitoring)
    assert whole is not None
    found = busy_cpus(whole, monitoring)
    assert found is not None
    assert found.seconds == pytest.approx(7.0)
    never = Monitoring(nodes=(make_node("n1", busy=np.nan),))
    nothing = all_nodes_of(never)
    assert nothing is not None
    assert busy_cpus(nothing, never) is None


def test_only_the_day_counts() -> None:
    monitoring = Monitoring(nodes=(make_node(),))
    whole = all_nodes_of(monitoring, BEGIN + 2.0, BEGIN + 5.0)
    assert whole is not None
    assert whole.edges.tolist() == [BEGIN + i for i in (2, 3, 4, 5)]
    assert all_nodes_of(monitoring, BEGIN + 50.0, None) is None
    assert all_nodes_of(Monitoring()) is None


def test_long_days_have_wider_spans() -> None:
    node = make_node(n=9000)
    whole = all_nodes_of(Monitoring(nodes=(replace(node, interval_seconds=0.5),)))
    assert whole is not None
    assert len(whole.edges) == 4001
