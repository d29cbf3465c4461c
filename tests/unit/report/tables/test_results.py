"""The table of results marks what a row is: withheld, doubtful, derived from others."""

from __future__ import annotations

import pytest

from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.results import result_table
from heorot.report.tables.table import Allowance
from tests.unit.analyse.builders import a_result


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
