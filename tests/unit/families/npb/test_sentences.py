"""Sentences on the NAS Parallel Benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.npb.sentences import sentences
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def ep(size: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "npb/ep",
        "region": "ep",
        "metric": "operation_rate",
        "unit": "op/s",
        "case": f"{size}_x",
        "point": {"class": size},
    }
    return a_result(median=median, **(fields | changes))


def said(*rows: Result) -> list[str]:
    return [each.text for each in sentences(a_context(rows))]


def test_the_largest_class_speaks_for_ep() -> None:
    rows = [ep("A", 2e8), ep("S", 9e8), ep("W", 8e8)]
    assert said(*rows) == [
        "NPB EP class A generates random numbers at 200 Mop/s [198…202 in 3 launches] on one core."
    ]


def test_several_cores_are_reported_with_efficiency_and_no_share_of_the_peak() -> None:
    wide = {"case": "W_all", "ranks": 4}
    rows = [
        ep("W", 1e8),
        ep("W", 3.8e8, **wide),
        ep("W", 36e9, metric="flop_rate", unit="flop/s", **wide),
        ep("W", 9e8, case="W_copies", ranks=4, options={"star": True}),
    ]
    (found,) = sentences(a_context(rows))
    assert found.text == (
        "NPB EP class W generates random numbers at 380 Mop/s [376…384 in 3 launches] on 4 cores "
        "with an efficiency of 95.0 % [93.1…96.9 in 3 launches] (class W is too small to judge)."
    )
    assert found.evidence == (rows[1].id, rows[0].id)
    assert found.weight == 0.0


def performed(name: str, size: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": f"npb/{name}",
        "region": name,
        "metric": "flop_rate",
        "unit": "flop/s",
        "ranks": 2,
        "case": f"{size}_all",
        "point": {"class": size},
        "share_of_ceiling": median / 100e9,
    }
    return a_result(median=median, **(fields | changes))


def test_the_fastest_and_the_slowest_are_reported_by_what_they_perform() -> None:
    rows = [
        performed("lu", "A", 50e9),
        performed("cg", "A", 6e9),
        performed("mg", "A", 9e9),
        performed("bt", "W", 70e9),
        performed("lu", "A", 30e9, ranks=1, case="A_one"),
        ep("A", 90e9, metric="flop_rate", unit="flop/s", ranks=2),
        performed("lu", "A", 139e9, metric="operation_rate", unit="op/s"),
    ]
    (found,) = sentences(a_context(rows))
    assert found.text == (
        "NPB LU class A performs 50.0 Gflop/s [49.5…50.5 in 3 launches] on 2 cores, 50.0 % "
        "[49.5…50.5 in 3 launches] of peak, the fastest of 3 NPB programs. The slowest is NPB CG "
        "class A with 6.00 Gflop/s [5.94…6.06 in 3 launches], 6.00 % [5.94…6.06 in 3 launches] of "
        "peak."
    )
    assert found.evidence == (rows[0].id, rows[1].id)


def test_of_what_may_be_as_fast_none_is_the_fastest() -> None:
    rates = {"lu": 50e9, "bt": 49.9e9, "mg": 6e9, "cg": 6.01e9}
    rows = [performed(name, "A", rate) for name, rate in rates.items()]
    (found,) = sentences(a_context(rows))
    assert ", one of the fastest of 4 NPB programs. One of the slowest is NPB MG" in found.text
    (found,) = sentences(a_context(rows[:2]))
    assert found.text.endswith("50.0 % [49.5…50.5 in 3 launches] of peak.")
    assert found.evidence == (rows[0].id,)


def test_classes_for_trying_say_so_and_are_no_verdict() -> None:
    (small,) = sentences(a_context([performed("lu", "W", 50e9)]))
    assert small.text.endswith("of peak (class W is too small to judge).")
    (whole,) = sentences(a_context([performed("lu", "A", 50e9)]))
    assert small.weight == 0.0 < whole.weight


@pytest.mark.parametrize(
    "flaw", [{"verified": "failed"}, {"plausible": False}, {"options": {"star": True}}]
)
def test_refused_numbers_and_copies_are_not_quoted(flaw: dict[str, Any]) -> None:
    assert said(ep("W", 1e8, **flaw)) == []


def test_a_class_that_ran_on_several_nodes_only_says_so() -> None:
    rows = [ep("W", 1e8), ep("B", 4e8, ranks=8, nodes=2)]
    assert said(*rows) == [
        (
            "NPB EP class B generates random numbers at 400 Mop/s [396…404 in 3 launches] on 8 "
            "cores of 2 nodes."
        )
    ]
