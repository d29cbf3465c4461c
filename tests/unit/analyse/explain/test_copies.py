"""Contention of concurrent copies of a program."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.explain.copies import METRIC, attribute, explain
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.node_roofline.shares import Contention
from heorot.model.analysis.result import Result
from tests.unit.analyse.explain.problems import a_rate, a_run_of
from tests.unit.analyse.node_roofline.synthetic_node import a_room, roof_rows
from tests.unit.model.keys import but


def rate(median: float, *, copies: int = 0, **changes: Any) -> Result:
    fields: dict[str, Any] = {
        "point": {"class": "A"},
        "case": "A_copies" if copies else "A_one_core",
        "ranks": copies or 1,
        "options": {"class": "A", "star": True} if copies else {"class": "A"},
    }
    return a_rate(median, **(fields | changes))


def test_two_copies_by_hand() -> None:
    (row,) = explain(a_run_of(rate(2e9), rate(3e9, copies=2)))
    assert (row.metric, row.unit, row.better, row.derived) == (METRIC, "1", "lower", True)
    assert row.median == pytest.approx(0.25)
    # the intervals are 1 % to both sides: (1 - 2.97 / 4.04) to (1 - 3.03 / 3.96), outwards
    assert row.ci_low == pytest.approx(1.0 - 3.03 / 3.96)
    assert row.ci_high == pytest.approx(1.0 - 2.97 / 4.04)
    assert (row.case, row.ranks, row.share_of_ceiling) == ("A_copies", 2, None)


def test_copies_that_do_not_hinder_each_other_lose_nothing() -> None:
    (row,) = explain(a_run_of(rate(2e9), rate(4e9, copies=2)))
    assert row.median == pytest.approx(0.0)
    assert attribute(a_run_of(row)) == []


def test_only_the_same_problem_compares() -> None:
    alone = rate(2e9)
    for other in (
        rate(3e9, copies=2, point={"class": "W"}),
        rate(3e9, copies=2, toolchain="gnu-12+mpich"),
        rate(3e9, copies=2, verified="failed"),
    ):
        assert explain(a_run_of(alone, other)) == []
    assert explain(a_run_of(rate(3e9, copies=2))) == []


def test_copies_are_not_the_copy_alone() -> None:
    (row,) = explain(a_run_of(rate(2e9), rate(1e9, copies=1)))
    assert row.median == pytest.approx(0.5)


def test_the_first_metric_counts() -> None:
    rows = [
        rate(2e9),
        rate(3e9, copies=2),
        rate(2.0, metric="operation_rate"),
        rate(1.0, copies=2, metric="operation_rate"),
    ]
    (row,) = explain(a_run_of(*rows))
    assert row.median == pytest.approx(0.25)


def test_the_worst_size_gets_a_sentence() -> None:
    rows = [
        rate(2e9),
        rate(3e9, copies=2),
        rate(2e9, point={"class": "W"}, case="W_one_core"),
        rate(3.4e9, copies=2, point={"class": "W"}, case="W_copies"),
    ]
    derived = explain(a_run_of(*rows))
    (said,) = attribute(a_run_of(*derived))
    assert said.text.startswith(
        "Each of 2 copies of Solver class A loses 25.0 % [23.5…26.5 in 3 launches] of its speed"
    )
    assert said.evidence == (derived[0].id,)
    assert said.lost == pytest.approx(0.25)


def test_copies_on_several_nodes_do_not_share_one() -> None:
    assert explain(a_run_of(rate(2e9), rate(3e9, copies=2, nodes=2))) == []


def test_who_measures_what_cores_share_tells_its_own_loss_too() -> None:
    fields: dict[str, Any] = {
        "benchmark": "memory/stream",
        "region": "triad",
        "metric": "bandwidth",
        "point": {},
    }
    rows = [rate(16e9, **fields), rate(20e9, copies=2, **fields)]
    (said,) = attribute(a_run_of(*rows, *explain(a_run_of(*rows))))
    assert said.text.startswith("Each of 2 copies of memory/stream")
    assert "loses 37.5 % [36.2…38.7 in 3 launches] of its speed" in said.text


def test_what_a_level_feeds_does_not_explain_who_measures_it() -> None:
    fields: dict[str, Any] = {
        "benchmark": "memory/hierarchy",
        "region": "read",
        "metric": "bandwidth",
        "point": {"working_set_bytes": 12 << 20},
    }
    rows = [rate(16e9, **fields), rate(20e9, copies=2, **fields)]
    room = a_room(rows=[*roof_rows(), *rows, *explain(a_run_of(*rows))])
    (lost,) = (row for row in room.rows if row.metric == METRIC)
    own = Contention(
        key=lost.key,
        lost=Middle(median=lost.median, low=lost.ci_low, high=lost.ci_high),
        level_alone="L3",
        level="L3",
        consumed=16e9,
        part=10e9,
        wait_alone=None,
        wait=None,
        clock_alone=None,
        clock=None,
        explains=(("bandwidth", lost.median),),
        row=lost.id,
    )
    (said,) = attribute(room, [own])
    assert said.text.startswith("Each of 2 copies of bandwidth sweep working set 12 MiB")
    assert said.text.endswith(": they share L3 alone.")


def test_sentences_are_about_the_first_stack() -> None:
    rows = [rate(2e9), rate(3e9, copies=2)]
    other = [but(row, toolchain="clang") for row in (rows[0], rate(1e9, copies=2))]
    (said,) = attribute(a_run_of(*rows, *explain(a_run_of(*rows, *other))))
    assert "loses 25.0 %" in said.text
