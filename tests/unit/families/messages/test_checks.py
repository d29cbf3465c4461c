"""Latency back and forth, and by broadcasts in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.messages.checks import cross_check

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def latency(kit: Kit, region: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": region,
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "point": {"bytes": 8},
        "ranks": 2,
    }
    return kit.result(median=median, **(fields | changes))


@pytest.mark.parametrize(("second", "agrees"), [(0.6e-6, True), (0.7e-6, False), (0.1e-6, False)])
def test_latency_by_two_patterns(kit: Kit, second: float, agrees: bool) -> None:
    rows = [latency(kit, "pingpong", 0.3e-6), latency(kit, "turning_broadcast", second)]
    (check,) = cross_check(kit.context(rows))
    assert check.agrees is agrees
    assert check.ratio == pytest.approx(second / 0.3e-6)
    assert check.quantity == "latency of 8 bytes"


def test_another_size_is_another_quantity(kit: Kit) -> None:
    rows = [
        latency(kit, "pingpong", 0.3e-6, point={"bytes": 16}),
        latency(kit, "turning_broadcast", 0.3e-6),
    ]
    assert cross_check(kit.context(rows)) == []


def test_toolchains_are_compared_with_themselves_and_named(kit: Kit) -> None:
    rows = [
        latency(kit, region, median, toolchain=chain)
        for chain, median in (("a", 0.3e-6), ("b", 3e-6))
        for region in ("pingpong", "turning_broadcast")
    ]
    checks = cross_check(kit.context(rows))
    assert [check.agrees for check in checks] == [True, True]
    assert [check.quantity[-3:] for check in checks] == [", a", ", b"]


def test_numbers_that_are_not_trusted_are_not_compared(kit: Kit) -> None:
    rows = [
        latency(kit, "pingpong", 0.3e-6, verified="failed"),
        latency(kit, "turning_broadcast", 0.3e-6),
    ]
    assert cross_check(kit.context(rows)) == []


def test_inside_a_node_and_between_nodes_are_checked_apart(kit: Kit) -> None:
    rows = [
        latency(kit, region, median, nodes=nodes, case=f"{nodes}")
        for nodes, medians in ((1, (0.3e-6, 0.4e-6)), (2, (9e-6, 40e-6)))
        for region, median in zip(("pingpong", "turning_broadcast"), medians, strict=True)
    ]
    inside, between = cross_check(kit.context(rows))
    assert (inside.quantity, inside.agrees) == ("latency of 8 bytes", True)
    assert (between.quantity, between.agrees) == ("latency of 8 bytes between nodes", False)
    assert (between.first, between.second) == (9e-6, 40e-6)
    assert cross_check(kit.context([rows[0], rows[3]])) == []
