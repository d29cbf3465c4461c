"""The table of processor time: a row for each case, a cell for each of its rows."""

from __future__ import annotations

from typing import Any

from heorot.model.analysis.result import Result
from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.processor_time import is_processor_time, processor_tables
from heorot.report.tables.table import Allowance, Table
from tests.unit.analyse.builders import a_result


def a_row(metric: str, median: float, unit: str, case: str = "one_core", **changes: Any) -> Result:
    fields: dict[str, Any] = {"region": "whole_run", "derived": True, **changes}
    return a_result(metric=metric, median=median, unit=unit, case=case, **fields)


def a_table(rows: list[Result], cited: frozenset[str] = frozenset()) -> tuple[Table, ...]:
    keyed = {row.id: row for row in rows}
    ids = {key: f"r{i}" for i, key in enumerate(keyed)}
    anchors = Anchors(keyed, ids, frozenset(), cited)
    return processor_tables("t", "Stream", rows, Frame(anchors, Allowance(), "heorot export"))


def test_its_rows_are_told_from_others() -> None:
    assert is_processor_time(a_row("system_share", 0.1, "1"))
    assert not is_processor_time(a_row("time", 0.1, "s"))
    assert not is_processor_time(a_result())


def test_a_row_for_each_case_and_an_anchor_for_each_cell() -> None:
    rows = [
        a_row("user_time", 9.0, "s"),
        a_row("system_time", 1.0, "s"),
        a_row("system_share", 0.1, "1"),
        a_row("user_time", 18.0, "s", "all", ranks=2),
        a_row("user_speedup", 1.9, "", "all", ranks=2),
    ]
    (table,) = a_table(rows)
    titles = ["case", "layout", "in the program", "in the system", "share of the system"]
    assert [column.title for column in table.columns] == [*titles, "user speedup"]
    first, second = table.rows
    assert [cell.text for cell in first.cells[:2]] == ["one_core", "1 rank × 1 thread"]
    assert first.cells[2].text == "9.00 s [8.91…9.09 in 3 launches]"
    assert [cell.id for cell in first.cells] == ["", "", "r0", "r1", "r2", ""]
    assert [cell.id for cell in second.cells] == ["", "", "r3", "", "", "r4"]
    assert first.cells[5].text == "\N{EN DASH}"
    assert second.cells[5].number == 1.9
    assert table.folded


def test_no_rows_make_no_table() -> None:
    assert a_table([]) == ()


def test_a_long_table_shows_what_statements_rest_on() -> None:
    rows = [a_row("user_time", 1.0 + i, "s", f"case{i}", toolchain=f"t{i % 2}") for i in range(80)]
    (table,) = a_table(rows, frozenset({rows[77].id}))
    assert (len(table.rows), len(table.packed), table.n_rows) == (40, 80, 80)
    assert table.rows[-1].cells[0].text == "case77"
    assert table.rows[-1].cells[2].text == "t1"
