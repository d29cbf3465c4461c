"""Results found by program, region and metric, and replaced in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.model.analysis.rows import Rows
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


@pytest.fixture
def results() -> list[Result]:
    return [
        a_result(median=1.0, point={"n": 1, "access": "stride"}),
        a_result(median=2.0, point={"n": 2, "access": "stride"}, threads=2),
        a_result(median=3.0, point={"n": 2, "access": "stride"}, toolchain="other"),
        a_result(median=4.0, region="copy"),
        a_result(median=5.0, metric="latency"),
        a_result(median=6.0, benchmark="memory/other"),
        a_result(median=7.0, case="wrong", verified="failed"),
        a_result(median=8.0, case="impossible", plausible=False),
    ]


def found(rows: Rows, **wanted: Any) -> list[float]:
    names = {"benchmark": "memory/stream", "region": "triad", "metric": "bandwidth"}
    return [row.median for row in rows.find(**(names | wanted))]


def test_rows_keep_their_order(results: list[Result]) -> None:
    rows = Rows(results[:3])
    rows = rows.adding(results[3:])
    assert list(rows) == results


@pytest.mark.parametrize(
    ("wanted", "medians"),
    [
        ({}, [1.0, 2.0, 3.0]),
        ({"region": "copy"}, [4.0]),
        ({"metric": "latency"}, [5.0]),
        ({"benchmark": "memory/other"}, [6.0]),
        ({"cores": 2}, [2.0]),
        ({"stack": Stack("other")}, [3.0]),
        ({"point": {"n": 2}}, [2.0, 3.0]),
        ({"point": {"n": 2}, "cores": 1}, [3.0]),
        ({"point": {"bytes": 8}}, []),
        ({"region": "absent"}, []),
    ],
)
def test_what_is_found_agrees_in_all_that_matters_and_is_trustworthy(
    results: list[Result], wanted: dict[str, Any], medians: list[float]
) -> None:
    assert found(Rows(results), **wanted) == medians


def test_rows_added_later_are_found(results: list[Result]) -> None:
    rows = Rows(results[:1])
    rows = rows.adding(results[1:2])
    assert found(rows) == [1.0, 2.0]


def test_a_row_takes_the_place_of_the_one_with_its_key(results: list[Result]) -> None:
    rows = Rows(results)
    better = results[1].model_copy(update={"median": 20.0, "share_of_ceiling": 0.5})
    refused = results[2].model_copy(update={"plausible": False})
    rows = rows.replacing([refused, better])
    assert list(rows) == [results[0], better, refused, *results[3:]]
    assert found(rows) == [1.0, 20.0]


def test_a_row_without_a_place_is_not_added(results: list[Result]) -> None:
    rows = Rows(results)
    rows = rows.replacing([a_result(case="elsewhere")])
    assert list(rows) == results


def test_nothing_to_replace_changes_nothing(results: list[Result]) -> None:
    rows = Rows(results)
    rows = rows.replacing([])
    assert list(rows) == results
