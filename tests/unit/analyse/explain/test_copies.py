"""What copies of a program that run side by side take from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.analyse.explain.copies import METRIC, attribute, explain
from heorot.analyse.rows import Rows
from heorot.model.analysis.result import Result

if TYPE_CHECKING:
    from tests.unit.analyse.conftest import Kit


def rate(kit: Kit, median: float, *, copies: int = 0, **changes: object) -> Result:
    fields = {
        "benchmark": "npb/mg",
        "region": "mg",
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"class": "A"},
        "case": "A_copies" if copies else "A_one_core",
        "ranks": copies or 1,
        "options": {"class": "A", "star": True} if copies else {"class": "A"},
        "median": median,
    }
    return kit.result(**(fields | changes))


def test_two_copies_by_hand(kit: Kit) -> None:
    (row,) = explain(Rows([rate(kit, 2e9), rate(kit, 3e9, copies=2)]))
    assert (row.metric, row.unit, row.better, row.derived) == (METRIC, "1", "lower", True)
    assert row.median == pytest.approx(0.25)
    # the intervals are 1 % to both sides: (1 - 2.97 / 4.04) to (1 - 3.03 / 3.96), outwards
    assert row.ci_low == pytest.approx(1.0 - 3.03 / 3.96)
    assert row.ci_high == pytest.approx(1.0 - 2.97 / 4.04)
    assert (row.case, row.ranks, row.share_of_ceiling) == ("A_copies", 2, None)


def test_copies_that_do_not_hinder_each_other_lose_nothing(kit: Kit) -> None:
    (row,) = explain(Rows([rate(kit, 2e9), rate(kit, 4e9, copies=2)]))
    assert row.median == pytest.approx(0.0)
    assert attribute([row]) == []


def test_only_the_same_problem_compares(kit: Kit) -> None:
    alone = rate(kit, 2e9)
    for other in (
        rate(kit, 3e9, copies=2, point={"class": "W"}),
        rate(kit, 3e9, copies=2, toolchain="gnu-12+mpich"),
        rate(kit, 3e9, copies=2, verified="failed"),
    ):
        assert explain(Rows([alone, other])) == []
    assert explain(Rows([rate(kit, 3e9, copies=2)])) == []


def test_copies_are_not_the_copy_alone(kit: Kit) -> None:
    (row,) = explain(Rows([rate(kit, 2e9), rate(kit, 1e9, copies=1)]))
    assert row.median == pytest.approx(0.5)


def test_the_first_metric_counts(kit: Kit) -> None:
    rows = [
        rate(kit, 2e9),
        rate(kit, 3e9, copies=2),
        rate(kit, 2.0, metric="operation_rate"),
        rate(kit, 1.0, copies=2, metric="operation_rate"),
    ]
    (row,) = explain(Rows(rows))
    assert row.median == pytest.approx(0.25)


def test_the_worst_class_gets_a_sentence(kit: Kit) -> None:
    rows = Rows(
        [
            rate(kit, 2e9),
            rate(kit, 3e9, copies=2),
            rate(kit, 2e9, point={"class": "W"}, case="W_one_core"),
            rate(kit, 3.4e9, copies=2, point={"class": "W"}, case="W_copies"),
        ]
    )
    derived = explain(rows)
    (said,) = attribute(derived)
    assert said.text.startswith(
        "Of 2 copies of NPB MG class A at once each loses 25 % of the speed it has alone"
    )
    assert said.evidence == (derived[0].key,)
    assert said.lost == pytest.approx(0.25)
