"""The tables behind the stacked figures."""

from __future__ import annotations

from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.breakdowns import breakdown_tables
from heorot.report.tables.table import Allowance
from tests.unit.report.sample_breakdowns import make_breakdowns

FRAME = Frame(Anchors({}, {}, frozenset(), frozenset()), Allowance(), "export")


def test_tables_hold_all_and_mark_what_failed() -> None:
    shares, phases = breakdown_tables("t", "npb/ep", make_breakdowns(), FRAME)
    assert [row.tone for row in shares.rows].count("bad") == 1
    assert len(shares.rows) == 4
    assert len(phases.rows) == 12
    assert shares.rows[1].cells[0].text == "2 ranks × 1 thread, perturbed"
    assert shares.rows[3].cells[0].text == "2 copies, check failed"
    assert shares.rows[1].cells[4].text == "18.0 % [17.1…18.9]"
    assert "median of 3 launches [smallest…largest]" in shares.caption
    assert {len(row.cells) for row in shares.rows} == {len(shares.columns)}
    assert {len(row.cells) for row in phases.rows} == {len(phases.columns)}
    assert breakdown_tables("t", "npb/ep", (), FRAME) == ()


def test_launches_stand_beside_each_case_where_they_differ() -> None:
    first, second, *_ = make_breakdowns()
    fewer = second.model_copy(update={"n_launches": 1})
    shares, _ = breakdown_tables("t", "npb/ep", (first, fewer), FRAME)
    assert [row.cells[0].text for row in shares.rows] == [
        "1 rank × 1 thread, 3 launches",
        "2 ranks × 1 thread, 1 launch, perturbed",
    ]
