"""Ratios to other placements stand next to their rates."""

from __future__ import annotations

from typing import Any

from heorot.model.analysis.result import Result
from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.results import result_table
from heorot.report.tables.rows import format_row
from heorot.report.tables.table import Allowance, Table
from tests.unit.analyse.builders import a_result
from tests.unit.model.keys import but


def a_rate(nodes: int, **changes: Any) -> Result:
    fields = {"case": f"{nodes}_nodes", "nodes": nodes, "ranks": 4 * nodes, **changes}
    return a_result(metric="rate", median=1e9 * nodes, **fields)


def a_ratio(row: Result, metric: str, median: float) -> Result:
    values = {"median": median, "ci_low": 0.99 * median, "ci_high": 1.01 * median}
    update = {"metric": metric, "derived": True, "unit": "1" if "eff" in metric else "", **values}
    return row.model_copy(update=update)


def a_table(rows: list[Result], *cited: Result) -> Table:
    keyed = {row.id: row for row in rows}
    ids = {key: f"r{i}" for i, key in enumerate(keyed)}
    anchors = Anchors(keyed, ids, frozenset(), frozenset(row.id for row in cited))
    return result_table("t", "CG", rows, Frame(anchors, Allowance(), "heorot export"))


def test_a_ratio_is_a_cell_of_its_rate() -> None:
    one, two = a_rate(1), a_rate(2)
    speedup, efficiency = a_ratio(two, "node_speedup", 1.9), a_ratio(two, "node_efficiency", 0.95)
    table = a_table([one, two, speedup, efficiency], speedup)
    assert table.n_rows == 2
    assert [column.title for column in table.columns][-2:] == ["node speedup", "node efficiency"]
    few, many = (row.cells[-2:] for row in table.rows)
    assert [cell.text for cell in few] == ["", ""]
    assert [cell.text for cell in many] == ["1.90 [1.88…1.92 in 3 launches]", "95.0 %"]
    assert [cell.id for cell in many] == ["r2", ""]
    assert many[0].copied == "1.9\t1.881\t1.919"


def test_a_ratio_whose_rate_has_another_name_keeps_its_row() -> None:
    one = a_rate(1)
    loss = but(a_ratio(one, "density_loss", 1.2), toolchain="gnu", network="ib")
    table = a_table([one, loss])
    assert table.n_rows == 2
    assert [row.id for row in table.rows] == ["r0", "r1"]


def test_an_excerpt_has_the_rates_whose_ratios_are_cited() -> None:
    rates = [a_rate(n) for n in range(1, 101)]
    ratios = [a_ratio(row, "node_loss", 1.1) for row in rates]
    table = a_table([*rates, *ratios], ratios[77])
    assert len(table.rows) < table.n_rows == 100
    assert "r177" in {cell.id for row in table.rows for cell in row.cells}


def test_a_number_that_opens_what_is_copied_is_written_once() -> None:
    one, two = a_rate(1), a_rate(2)
    table = a_table([one, two, a_ratio(two, "node_speedup", 1.9)])
    html = str(format_row(table.rows[1], table.columns))
    assert 'data-c="2e+09\t' in html
    assert 'data-n="2e+09"' not in html
    assert 'data-n="1.9"' not in html
