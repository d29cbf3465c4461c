"""The table of results marks rows: withheld, questionable, derived from others."""

from __future__ import annotations

import pytest

from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.results import result_table
from heorot.report.tables.table import Allowance
from tests.unit.analyse.builders import a_result
from tests.unit.report.tables.reading import lines_of


@pytest.mark.parametrize(
    ("changes", "mark"),
    [
        ({"derived": True, "metric": "power", "unit": "W"}, "derived"),
        ({"derived": True, "metric": "largest_error", "unit": "ulp"}, "derived"),
        ({"derived": True, "metric": "efficiency", "unit": "1"}, ""),
        ({"verified": "failed"}, "check failed: withheld"),
    ],
)
def test_rows_say_where_they_come_from(changes: dict[str, object], mark: str) -> None:
    rows = [a_result(**changes), a_result(region="copy", verified="unchecked")]
    keyed = {row.id: row for row in rows}
    anchors = Anchors(keyed, {key: key for key in keyed}, frozenset(), frozenset())
    table = result_table("t", "memory/stream", rows, Frame(anchors, Allowance(), "heorot export"))
    assert table.columns[-1].title == "marks"
    assert table.rows[0].cells[-1].text == mark


def test_what_does_not_tell_rows_apart_opens_where_columns_are_many() -> None:
    points: list[dict[str, int | str]] = [
        {"shape": f"s{i}", "n": i, "nx": i, "ny": i, "working_set_bytes": i << 20} for i in (1, 2)
    ]
    rows = [a_result(point=point, region=f"r{point['n']}") for point in points]
    rows += [a_result(point=points[0], metric="flop_rate", case="other", verified="unchecked")]
    keyed = {row.id: row for row in rows}
    anchors = Anchors(keyed, {key: key for key in keyed}, frozenset(), frozenset())
    table = result_table("t", "memory/stream", rows, Frame(anchors, Allowance(), "heorot export"))
    assert [column.title for column in table.columns] == [
        *("region", "shape", "n", "working set", "quantity", "case", "median"),
        *("95 % interval, or range", "marks", "more"),
    ]
    line = lines_of(table)[1]
    assert (line["nx"], line["ny"], line["working set"]) == ("2", "2", "2 MiB")
    assert line["samples / launches"] == f"{rows[1].n} / {rows[1].n_launches}"
