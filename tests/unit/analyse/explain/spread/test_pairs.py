"""The same ranks in other placements, on rates chosen by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.analyse.explain.spread.pairs import explain, find_pairs
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from tests.unit.analyse.explain.problems import a_run_of
from tests.unit.analyse.explain.spread.placing import a_run_over, of_dust, over, placed


def derived(context: Context, metric: str) -> list[Result]:
    return [row for row in explain(context) if row.metric == metric]


def places(rows: list[Result]) -> list[tuple[int, int, int]]:
    return [(row.nodes, row.ranks, row.threads) for row in rows]


def test_a_loss_is_time_on_more_nodes_over_time_on_the_fewest() -> None:
    one, two = placed(3e9, 1, 4), placed(1e9, 2, 4)
    (row,) = derived(a_run_of(one, two), "node_loss")
    assert row.median == pytest.approx(3.0)
    assert row.ci_low == pytest.approx(one.ci_low / two.ci_high)
    assert row.ci_high == pytest.approx(one.ci_high / two.ci_low)
    assert (row.nodes, row.ranks, row.unit, row.better, row.derived) == (2, 4, "", "lower", True)


def test_the_fewest_nodes_need_not_be_one() -> None:
    rows = [placed(2e9, 2, 8), placed(1e9, 4, 8), placed(0.5e9, 8, 8)]
    found = derived(a_run_of(*rows), "node_loss")
    assert [row.median for row in found] == pytest.approx([2.0, 4.0])


def test_threads_are_spread_as_they_are() -> None:
    rows = [placed(2e9, 1, 2, 2), placed(1e9, 2, 2, 2), placed(9e9, 1, 2)]
    (row,) = derived(a_run_of(*rows), "node_loss")
    assert row.median == pytest.approx(2.0)
    assert row.threads == 2


def test_full_nodes_are_held_against_a_rank_on_each() -> None:
    rows = [placed(1e9, 1, 4), placed(1.2e9, 2, 4), placed(1.5e9, 4, 4)]
    found = derived(a_run_of(*rows), "density_loss")
    assert {row.per_node: row.median for row in found} == {
        4: pytest.approx(1.5),
        2: pytest.approx(1.25),
    }


def test_threads_are_held_against_ranks_on_the_same_nodes() -> None:
    rows = [placed(2e9, 2, 8), placed(1.6e9, 2, 2, 4), placed(1e9, 1, 4), placed(1e9, 1, 1, 4)]
    (row,) = derived(a_run_of(*rows), "threads_against_ranks")
    assert row.median == pytest.approx(1.25)
    assert places([row]) == [(2, 2, 4)]


def test_full_nodes_scale_by_ranks_and_by_threads() -> None:
    rows = [
        *(placed(1e9, 1, 4), placed(1.8e9, 2, 8), placed(2.4e9, 4, 16)),
        *(placed(1e9, 1, 1, 4), placed(2.0e9, 2, 2, 4)),
        # Nodes that are not full do not count.
        *(placed(1e9, 1, 1), placed(1e9, 2, 2)),
    ]
    context = a_run_of(*rows)
    speedups, efficiencies = (
        derived(context, metric) for metric in ("node_speedup", "node_efficiency")
    )
    assert places(speedups) == [(2, 2, 4), (2, 8, 1), (4, 16, 1)]
    assert [row.median for row in speedups] == pytest.approx([2.0, 1.8, 2.4])
    assert [row.median for row in efficiencies] == pytest.approx([1.0, 0.9, 0.6])
    assert all(row.better == "higher" for row in (*speedups, *efficiencies))


def test_a_node_of_one_core_is_told_of_as_a_loss_only() -> None:
    assert derived(a_run_of(placed(1e9, 1, 1), placed(2e9, 2, 2)), "node_speedup") == []


@pytest.mark.parametrize(
    "flaw",
    [
        {"verified": "failed"},
        {"plausible": False},
        {"options": {"star": True}},
        {"point": {"class": "A"}},
        {"toolchain": "other"},
        {"region": "other"},
    ],
)
def test_nothing_is_said_where_a_side_is_missing(flaw: dict[str, Any]) -> None:
    assert explain(a_run_of(placed(3e9, 1, 4), placed(1e9, 2, 4, **flaw))) == []
    assert explain(a_run_of(placed(3e9, 1, 4, **flaw), placed(1e9, 2, 4))) == []
    assert explain(a_run_of(placed(3e9, 1, 4), placed(1e9, 1, 2))) == []


def test_a_perturbed_side_marks_the_ratio() -> None:
    (row,) = derived(a_run_of(placed(3e9, 1, 4, disturbed=True), placed(1e9, 2, 4)), "node_loss")
    assert row.disturbed


def test_of_several_cases_the_best_counts() -> None:
    rows = [placed(3e9, 1, 4), placed(1e9, 2, 4), placed(1.5e9, 2, 4, case="again")]
    (row,) = derived(a_run_of(*rows), "node_loss")
    assert row.median == pytest.approx(2.0)


def test_every_network_is_held_against_the_node_that_has_none() -> None:
    inside, spread = placed(4e9, 1, 2), placed(1e9, 2, 2)
    slow, fast = over("eth", [spread]), over("ib", [placed(2e9, 2, 2)])
    context = a_run_over(["eth", "ib"], inside, *slow, *fast)
    losses = {str(row.stack): row.median for row in derived(context, "node_loss")}
    assert losses == {"gnu-12+eth": pytest.approx(4.0), "gnu-12+ib": pytest.approx(2.0)}
    dense = {str(row.stack): row.median for row in derived(context, "density_loss")}
    assert dense == {"gnu-12+eth": pytest.approx(0.25), "gnu-12+ib": pytest.approx(0.5)}
    (row,) = derived(context, "network_loss")
    assert row.stack == ("gnu-12", "eth")
    assert row.median == pytest.approx(2.0)
    keys = [row.id for row in explain(context)]
    assert len(keys) == len(set(keys))


def test_networks_are_held_against_the_fastest_of_the_run_even_where_it_loses() -> None:
    usual = [placed(4e9, 2, 2), placed(4e9, 2, 4)]
    odd = of_dust(1e9, 2, 2)
    context = a_run_over(
        ["a", "b", "c"],
        *over("a", [*usual, odd.model_copy(update={"median": 2e9})]),
        *over("b", [row.model_copy(update={"median": row.median * 4}) for row in usual]),
        *over("b", [odd]),
        *over("c", [row.model_copy(update={"median": row.median * 2}) for row in usual]),
    )
    found = {
        (row.benchmark, row.network, row.ranks): row.median
        for row in derived(context, "network_loss")
    }
    assert found == {
        ("grids/solver", "a", 2): pytest.approx(4.0),
        ("grids/solver", "a", 4): pytest.approx(4.0),
        ("grids/solver", "c", 2): pytest.approx(2.0),
        ("grids/solver", "c", 4): pytest.approx(2.0),
        ("grids/dust", "a", 2): pytest.approx(0.5),
    }


LAYOUTS = [(1, 1, 1), (1, 2, 1), (1, 4, 1), (1, 1, 4), (2, 2, 1), (2, 8, 1), (2, 2, 4), (4, 4, 1)]


@given(
    st.lists(st.floats(1e8, 1e10), min_size=len(LAYOUTS), max_size=len(LAYOUTS)),
    st.sampled_from(["intel-2025", "a", "zz+openmpi-5"]),
)
def test_how_toolchains_are_called_changes_nothing_else(medians: list[float], name: str) -> None:
    def reported(chain: str) -> list[tuple[object, ...]]:
        rows = [
            placed(rate, *layout, toolchain=chain)
            for rate, layout in zip(medians, LAYOUTS, strict=True)
        ]
        inside, several = ([row for row in rows if (row.nodes > 1) == far] for far in (False, True))
        faster = [row.model_copy(update={"median": 1.5 * row.median}) for row in several]
        both = over("eth", several, chain) + over("ib", faster, chain)
        context = a_run_over(["eth", "ib"], *inside, *both, chain=chain)
        return [
            (row.metric, row.case, row.toolchain.removeprefix(chain), row.median, row.ci_low)
            for row in explain(context)
        ]

    assert reported(name) == reported("gnu-12+mpich-4")


@given(st.lists(st.floats(1e8, 1e10), min_size=len(LAYOUTS), max_size=len(LAYOUTS)))
def test_every_interval_encloses_its_ratio(medians: list[float]) -> None:
    rows = [placed(rate, *layout) for rate, layout in zip(medians, LAYOUTS, strict=True)]
    pairs = find_pairs(a_run_of(*rows))
    assert pairs
    for pair in pairs:
        ratio, low, high = pair.ratio
        assert low < ratio < high
        assert not (pair.is_slower and pair.is_faster)
