"""Balance of zones before anything runs; tests/contract/test_programs.py compares programs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from heorot.families.npb.zones import POINTS, ZONED, Zoned, balance, balance_on

# One operation for each point: the costs are the points.
EVEN_POINTS = Zoned(ZONED["npb/sp_mz"].sides, (1.0, 0.0, 0.0, 0.0))
UNEVEN_POINTS = Zoned(ZONED["npb/bt_mz"].sides, (1.0, 0.0, 0.0, 0.0), uneven=True)


@pytest.mark.parametrize("zoned", [EVEN_POINTS, UNEVEN_POINTS])
@pytest.mark.parametrize("size", POINTS)
def test_zones_make_up_the_whole_plane(zoned: Zoned, size: str) -> None:
    points = zoned.costs(size)
    assert points.shape == (zoned.count(size),)
    assert points.min() > 0.0
    assert points.sum() == np.prod([float(n) for n in POINTS[size]])


@pytest.mark.parametrize(("size", "ratio"), [("S", 9.0), ("B", 20.0), ("D", 20.0)])
def test_zones_of_bt_mz_differ_as_published(size: str, ratio: float) -> None:
    points = UNEVEN_POINTS.costs(size)
    assert points.max() / points.min() == pytest.approx(ratio, rel=0.15)
    even = EVEN_POINTS.costs(size)
    assert even.max() / even.min() < 1.2


def test_a_zone_counts_operations_by_volume_surface_edges_and_itself() -> None:
    class_s = Zoned({"S": 2}, (1000.0, -100.0, 10.0, -1.0)).costs("S")
    square, linear = (12 * 12 + 2 * 12 * 6) / 3.0, (12 + 12 + 6) / 3.0
    assert class_s == pytest.approx(4 * [1000.0 * 864 - 100.0 * square + 10.0 * linear - 1.0])


def test_no_balance_is_better_than_the_best_or_much_worse() -> None:
    generator = np.random.default_rng(4)
    for n_zones, ranks in itertools.product((3, 5, 7), (2, 3)):
        costs = generator.uniform(1.0, 20.0, n_zones)
        choices = itertools.product(range(ranks), repeat=n_zones)
        least = min(np.bincount(np.array(one), costs, ranks).max() for one in choices)
        best = costs.sum() / ranks / least
        assert best * 0.95 <= balance(costs, ranks) <= best * (1.0 + 1e-12)


def test_a_swap_helps_where_the_largest_first_is_not_best() -> None:
    # Largest first: 3+2+2 and 3+2.
    assert balance(np.array([3.0, 3.0, 2.0, 2.0, 2.0]), 2) == pytest.approx(1.0)


def test_balances_are_those_of_the_published_evaluation() -> None:
    """Sixteen ranks can be balanced in class B of BT-MZ; 504 CPUs halve the rate of SP-MZ."""
    assert balance_on("npb/bt_mz", "B", 16) > 0.95
    assert balance_on("npb/bt_mz", "B", 19) < 0.95
    assert balance_on("npb/sp_mz", "C", 256) == 1.0
    assert balance_on("npb/sp_mz", "C", 252) == pytest.approx(256 / 504)
    assert balance_on("npb/lu_mz", "D", 16) == 1.0
