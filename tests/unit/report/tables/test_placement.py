"""Where ranks ran: few ranks one by one, many together."""

from __future__ import annotations

import pytest

from heorot.model.run.outcome import Outcome
from heorot.report.sections.steps import Ending
from heorot.report.tables.placement import MOST_RANKS, cpus_cell, placement_table
from heorot.report.tables.table import Allowance
from tests.unit.analyse.builders import a_step
from tests.unit.report.samples import BENCHMARKS, make_outcome, make_step
from tests.unit.report.tables.reading import lines_of

TAKEN = ("user time", "system time", "system share", "peak memory", "involuntary switches")


def ending(n_ranks: int) -> Ending:
    step = make_step(1, BENCHMARKS[0], "case", n_ranks, 1)
    return Ending(step, make_outcome(step, 0.0))


def test_few_ranks_have_a_row_each() -> None:
    table = placement_table([ending(MOST_RANKS)], Allowance())
    assert [row.cells[2].number for row in table.rows] == list(range(MOST_RANKS))
    assert "largest" not in table.caption


def test_many_ranks_share_a_row_with_the_largest_values() -> None:
    many = ending(MOST_RANKS + 1)
    table = placement_table([many], Allowance())
    (row,) = table.rows
    assert row.cells[2].text == f"0-{MOST_RANKS}"
    assert many.outcome.end is not None
    assert row.cells[6].number == max(many.outcome.end.user_seconds)
    assert lines_of(table)[0]["system time"] == "50.0 ms"
    assert "largest" in table.caption


def test_a_step_without_an_end_took_nobody_knows_what() -> None:
    lost = ending(2)
    outcome = lost.outcome.model_copy(update={"end": None})
    table = placement_table([Ending(lost.step, outcome)], Allowance())
    for line in lines_of(table):
        assert {line[title] for title in TAKEN} == {"–"}


def test_a_step_that_never_started_has_no_row() -> None:
    never = Outcome(step="S0001", state="lost", reason="never started")
    assert placement_table([Ending(a_step(), never)], Allowance()).rows == ()


@pytest.mark.parametrize(
    ("cpus", "text"), [((3, 0, 1, 2, 8), "0-3,8"), ((), "–"), ((5,), "5"), ((1, 3), "1,3")]
)
def test_processors_are_printed_as_ranges(cpus: tuple[int, ...], text: str) -> None:
    assert cpus_cell(cpus).text == text
