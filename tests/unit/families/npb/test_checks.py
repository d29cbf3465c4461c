"""EP by ranks against EP by threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.npb.checks import cross_check
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import CrossCheck, Result


def ep(size: str, ranks: int, threads: int, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "npb/ep",
        "region": "ep",
        "metric": "operation_rate",
        "case": f"{size}_{ranks}x{threads}",
        "point": {"class": size},
        "ranks": ranks,
        "threads": threads,
    }
    return a_result(median=median, **(fields | changes))


def checks(*rows: Result) -> list[CrossCheck]:
    return cross_check(a_context(rows))


@pytest.mark.parametrize(("ranks_rate", "agrees"), [(2.0e8, True), (1.5e8, False)])
def test_ranks_and_threads_do_the_same_work(ranks_rate: float, agrees: bool) -> None:
    (check,) = checks(
        ep("A", 2, 1, 1e6),
        ep("W", 1, 2, 2.1e8),
        ep("W", 2, 1, ranks_rate),
        ep("W", 4, 1, 4e8),
        ep("W", 1, 1, 1e8),
        ep("W", 2, 2, 4e8),
    )
    assert check.quantity == "EP class W on 2 cores"
    assert (check.first, check.second) == (2.1e8, ranks_rate)
    assert (check.first_name, check.second_name) == ("threads", "ranks")
    assert check.agrees is agrees


def test_copies_are_other_work() -> None:
    copies = ep("W", 2, 1, 2e8, options={"star": True})
    assert checks(ep("W", 1, 2, 2e8), copies) == []


def test_every_class_and_toolchain_has_a_check_of_its_own() -> None:
    rows = [
        ep(size, *layout, 2e8, toolchain=chain)
        for chain in ("a", "b")
        for size in "WA"
        for layout in ((1, 2), (2, 1))
    ]
    assert [check.quantity for check in checks(*rows)] == [
        "EP class W on 2 cores, a",
        "EP class A on 2 cores, a",
        "EP class W on 2 cores, b",
        "EP class A on 2 cores, b",
    ]


def test_ranks_on_several_nodes_are_no_match_for_threads_in_one() -> None:
    threads, apart = ep("W", 1, 2, 2e8), ep("W", 2, 1, 1e8, nodes=2)
    assert checks(threads, apart) == []
    (check,) = checks(threads, apart, ep("W", 2, 1, 2e8))
    assert check.second == 2e8
