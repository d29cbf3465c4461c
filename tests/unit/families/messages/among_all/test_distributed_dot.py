"""The policy of messages/distributed_dot, and the rate of one rank extrapolated from several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.distributed_dot import DISTRIBUTED_DOT
from heorot.families.messages.derived.dots import explain, extrapolate
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def _rate(ranks: int, median: float, nodes: int = 1, **changes: object) -> Result:
    return a_result(
        **{
            "benchmark": DISTRIBUTED_DOT.name,
            "region": "local",
            "metric": "flop_rate",
            "unit": "flop/s",
            "point": {"n": 1000},
            "ranks": ranks,
            "nodes": nodes,
            "per_node": ranks // nodes,
            "median": median,
        }
        | changes
    )


def test_one_rank_and_all_of_them_sum_the_same_vectors() -> None:
    for profile in PROFILES:
        cases = DISTRIBUTED_DOT.cases(a_machine(6), profile)
        long = [case for case in cases if case.name.startswith("long")]
        assert {1, 6} <= {case.ranks for case in long}
        assert len({case.options["n"] for case in long}) == 1
    assert [case.ranks for case in long] == [1, 2, 4, 6]
    assert len({case.name for case in cases}) == len(cases)


def test_nodes_have_one_rank_each_and_one_on_every_core() -> None:
    assert DISTRIBUTED_DOT.over_nodes is not None
    cases = DISTRIBUTED_DOT.over_nodes(a_machine(2), "quick", 4)
    assert sorted((case.ranks, case.nodes) for case in cases) == [(4, 4), (4, 4), (8, 4), (8, 4)]
    in_a_node = {case.options["n"] for case in DISTRIBUTED_DOT.cases(a_machine(2), "quick")}
    assert {case.options["n"] for case in cases} == in_a_node


def test_longer_vectors_take_more_memory_and_time() -> None:
    assert DISTRIBUTED_DOT.estimate is not None
    machine = a_machine(4)
    case = DISTRIBUTED_DOT.cases(machine, "quick")[0]
    longer = case.model_copy(update={"options": {**case.options, "n": "1G"}})
    longer = DISTRIBUTED_DOT.estimate(machine, longer)
    assert longer.needs.memory_bytes == 16 << 30
    assert longer.needs.seconds > case.needs.seconds
    each = case.model_copy(update={"options": {"n-per-rank": 1000}, "ranks": 4})
    assert DISTRIBUTED_DOT.estimate(machine, each).needs.memory_bytes == 64_000


def test_two_ranks_that_share_a_memory_hide_what_one_can_do() -> None:
    # The source has 290 Mflop/s on eight ranks, linear from two on, but 59 on one.
    rows = [_rate(1, 59e6)]
    rows += [_rate(n, n / 8 * 290e6, n // 2) for n in (4, 6, 8)]
    extrapolated, kept = explain(a_context(rows))
    assert (extrapolated.metric, kept.metric) == DISTRIBUTED_DOT.derived
    assert extrapolated.median == pytest.approx(290e6 / 8)
    assert kept.median == pytest.approx(0.614, abs=0.001)
    assert kept.ci_high < 1.0
    assert kept.unit == "1"


def test_rates_that_do_not_grow_as_the_ranks_have_a_wide_interval() -> None:
    linear = extrapolate([_rate(n, 10.0 * n) for n in (2, 4, 8)])
    bent = extrapolate([_rate(n, 20.0) for n in (2, 4, 8)])
    assert linear == pytest.approx((10.0, 9.9, 10.1))
    assert bent[1] < 0.3 * bent[0]


def test_nodes_are_extrapolated_by_the_ranks_that_they_have() -> None:
    rows = [_rate(2 * each, rate, 2) for each, rate in ((1, 20.0), (2, 24.0), (4, 32.0))]
    assert [row.median for row in explain(a_context(rows))] == [10.0, 6.0, 4.0]


def test_failed_rows_and_other_lengths_are_not_mixed_in() -> None:
    rows = [
        _rate(1, 10.0),
        _rate(2, 20.0),
        _rate(4, 1.0, verified="failed"),
        _rate(2, 2.0, point={"n": 10}),
    ]
    derived = explain(a_context(rows))
    found = {(row.metric, row.point["n"]): row.median for row in derived}
    assert found == {
        ("extrapolated_rate", 1000): 10.0,
        ("kept_rate", 1000): 1.0,
        ("extrapolated_rate", 10): 1.0,
    }
