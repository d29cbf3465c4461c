"""What the NAS Parallel Benchmarks say."""

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
    assert said(*rows) == ["NPB EP class A runs at 200 Mop/s [198, 202] on one core."]


def test_several_cores_are_told_with_share_and_efficiency() -> None:
    wide = {"case": "W_all", "ranks": 4}
    rows = [
        ep("W", 1e8),
        ep("W", 3.8e8, **wide),
        ep("W", 9e9, metric="flop_rate", unit="flop/s", share_of_ceiling=0.25),
        ep("W", 36e9, metric="flop_rate", unit="flop/s", share_of_ceiling=0.24, **wide),
        ep("W", 9e8, case="W_copies", ranks=4, options={"star": True}),
    ]
    (found,) = sentences(a_context(rows))
    assert found.text == (
        "NPB EP class W runs at 380 Mop/s [376, 384] on 4 cores with a parallel efficiency of "
        "95.0 % [93.1, 96.9]; its 36.0 Gflop/s [35.6, 36.4] are 24.0 % [23.8, 24.2] of peak."
    )
    assert found.evidence == (rows[1].key, rows[0].key, rows[3].key)


@pytest.mark.parametrize(
    "flaw", [{"verified": "failed"}, {"plausible": False}, {"options": {"star": True}}]
)
def test_refused_numbers_and_copies_are_not_quoted(flaw: dict[str, Any]) -> None:
    assert said(ep("W", 1e8, **flaw)) == []


def test_a_class_that_ran_on_several_nodes_only_says_so() -> None:
    rows = [ep("W", 1e8), ep("B", 4e8, ranks=8, nodes=2)]
    assert said(*rows) == ["NPB EP class B runs at 400 Mop/s [396, 404] on 8 cores of 2 nodes."]
