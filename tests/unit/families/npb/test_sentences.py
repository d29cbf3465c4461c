"""What the NAS Parallel Benchmarks say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.npb.sentences import sentences

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result
    from tests.unit.conftest import Kit


def ep(kit: Kit, size: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "npb/ep",
        "region": "ep",
        "metric": "operation_rate",
        "unit": "op/s",
        "case": f"{size}_x",
        "point": {"class": size},
    }
    return kit.result(median=median, **(fields | changes))


def said(kit: Kit, *rows: Result) -> list[str]:
    return [each.text for each in sentences(kit.context(rows))]


def test_the_largest_class_speaks_for_ep(kit: Kit) -> None:
    rows = [ep(kit, "A", 2e8), ep(kit, "S", 9e8), ep(kit, "W", 8e8)]
    assert said(kit, *rows) == ["NPB EP class A runs at 200 Mop/s [198, 202] on one core."]


def test_several_cores_are_told_with_share_and_efficiency(kit: Kit) -> None:
    wide = {"case": "W_all", "ranks": 4}
    rows = [
        ep(kit, "W", 1e8),
        ep(kit, "W", 3.8e8, **wide),
        ep(kit, "W", 9e9, metric="flop_rate", unit="flop/s", share_of_ceiling=0.25),
        ep(kit, "W", 36e9, metric="flop_rate", unit="flop/s", share_of_ceiling=0.24, **wide),
        ep(kit, "W", 9e8, case="W_copies", ranks=4, options={"star": True}),
    ]
    (found,) = sentences(kit.context(rows))
    assert found.text == (
        "NPB EP class W runs at 380 Mop/s [376, 384] on 4 cores with a parallel efficiency of "
        "95.0 % [93.1, 96.9]; its 36.0 Gflop/s [35.6, 36.4] are 24.0 % [23.8, 24.2] of peak."
    )
    assert found.evidence == (rows[1].key, rows[0].key, rows[3].key)


@pytest.mark.parametrize(
    "flaw", [{"verified": "failed"}, {"plausible": False}, {"options": {"star": True}}]
)
def test_refused_numbers_and_copies_are_not_quoted(kit: Kit, flaw: dict[str, Any]) -> None:
    assert said(kit, ep(kit, "W", 1e8, **flaw)) == []


def test_a_class_that_ran_on_several_nodes_only_says_so(kit: Kit) -> None:
    rows = [ep(kit, "W", 1e8), ep(kit, "B", 4e8, ranks=8, nodes=2)]
    assert said(kit, *rows) == [
        "NPB EP class B runs at 400 Mop/s [396, 404] on 8 cores of 2 nodes."
    ]
