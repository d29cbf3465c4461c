"""Latency back and forth and by broadcasts in turn, and the same times by several programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.messages.checks import cross_check
from tests.unit.analyse.builders import a_context, a_result
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def latency(region: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": region,
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "point": {"bytes": 8},
        "ranks": 2,
    }
    return a_result(median=median, **(fields | changes))


@pytest.mark.parametrize(("second", "agrees"), [(0.6e-6, True), (0.7e-6, False), (0.1e-6, False)])
def test_latency_by_two_patterns(second: float, agrees: bool) -> None:
    rows = [latency("pingpong", 0.3e-6), latency("turning_broadcast", second)]
    (check,) = cross_check(a_context(rows))
    assert check.agrees is agrees
    assert check.ratio == pytest.approx(second / 0.3e-6)
    assert check.quantity == "latency of 8 bytes"


def test_another_size_is_another_quantity() -> None:
    rows = [
        latency("pingpong", 0.3e-6, point={"bytes": 16}),
        latency("turning_broadcast", 0.3e-6),
    ]
    assert cross_check(a_context(rows)) == []


def test_toolchains_are_compared_with_themselves_and_named() -> None:
    rows = [
        latency(region, median, toolchain=chain)
        for chain, median in (("a", 0.3e-6), ("b", 3e-6))
        for region in ("pingpong", "turning_broadcast")
    ]
    checks = cross_check(a_context(rows))
    assert [check.agrees for check in checks] == [True, True]
    assert [check.quantity[-3:] for check in checks] == [", a", ", b"]


def test_numbers_that_are_not_trusted_are_not_compared() -> None:
    rows = [
        latency("pingpong", 0.3e-6, verified="failed"),
        latency("turning_broadcast", 0.3e-6),
    ]
    assert cross_check(a_context(rows)) == []


def test_inside_a_node_and_between_nodes_are_checked_apart() -> None:
    rows = [
        latency(region, median, nodes=nodes, case=f"{nodes}")
        for nodes, medians in ((1, (0.3e-6, 0.4e-6)), (2, (9e-6, 40e-6)))
        for region, median in zip(("pingpong", "turning_broadcast"), medians, strict=True)
    ]
    inside, between = cross_check(a_context(rows))
    assert (inside.quantity, inside.agrees) == ("latency of 8 bytes", True)
    assert (between.quantity, between.agrees) == ("latency of 8 bytes between nodes", False)
    assert (between.first, between.second) == (9e-6, 40e-6)
    assert cross_check(a_context([rows[0], rows[3]])) == []


def a_time(program: str, region: str, metric: str, seconds: float, **changes: Any) -> Result:
    where = {"benchmark": f"messages/{program}", "metric": metric}
    return latency(region, seconds, **where, **changes)


def test_what_several_programs_measure_is_held_against_the_first() -> None:
    rows = [
        a_time("pingpong", "pingpong", "latency", 1.0e-6),
        a_time("patterns", "pingpong", "time", 2.1e-6),
        a_time("b_eff", "pingpong", "avg_pair_latency", 1.2e-6, derived=True),
        a_time("collectives", "allreduce", "latency", 3e-6),
        a_time("global_sum", "allreduce", "time", 3e-6),
    ]
    found = cross_check(a_context(rows))
    assert [check.agrees for check in found] == [True, False, True]
    assert [check.ratio for check in found] == pytest.approx([1.05, 1.2, 1.0])
    assert found[1].quantity.startswith("half a round trip (8 B, 2 ranks, ")


def sums(first: float, second: float, **changes: Any) -> list[Result]:
    return [
        a_time("collectives", "allreduce", "latency", first, **changes),
        a_time("global_sum", "allreduce", "time", second, **changes),
    ]


@pytest.mark.parametrize(("low", "agrees"), [(1.2e-6, True), (1.3e-6, False)])
def test_programs_whose_intervals_overlap_agree(low: float, agrees: bool) -> None:
    rows = sums(1e-6, 1.4e-6, ci_low=low, ci_high=1.25e-6)
    (check,) = cross_check(a_context(rows))
    assert check.agrees is agrees


def test_of_many_sizes_the_worst_is_reported_and_layouts_stay_apart() -> None:
    rows = [
        *sums(1e-6, 2e-6),
        *sums(2e-6, 12e-6, point={"bytes": 64}),
        *sums(3e-6, 6e-6, ranks=4),
    ]
    two, four = cross_check(a_context(rows))
    assert "(64 B, 2 ranks" in two.quantity
    assert two.ratio == pytest.approx(6.0)
    assert "(8 B, 4 ranks" in four.quantity


def test_what_a_perturbation_may_explain_is_not_compared() -> None:
    assert cross_check(a_context(sums(1e-6, 9e-6, disturbed=True))) == []


def test_one_launch_does_not_know_how_much_launches_differ() -> None:
    assert cross_check(a_context(sums(1e-6, 9e-6, n_launches=1))) == []


@pytest.mark.parametrize("changes", [{"toolchain": "b"}, {"nodes": 2}, {"point": {"bytes": 16}}])
def test_other_places_and_sizes_are_other_quantities(changes: dict[str, Any]) -> None:
    one, other = sums(1e-6, 9e-6)
    assert cross_check(a_context([one, but(other, **changes)])) == []
