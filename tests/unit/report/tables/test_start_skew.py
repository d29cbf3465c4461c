"""The table of starts: windows have a share and an error, barriers have neither."""

from __future__ import annotations

from heorot.model.analysis.disturbance import StartQuality
from heorot.model.run.identity import Setup
from heorot.report.tables.start_skew import start_table
from heorot.report.tables.table import Allowance
from heorot.units import NOTHING


def quality(**changes: object) -> StartQuality:
    facts: dict[str, object] = {
        "setup": Setup("mail/bundle", "all", "gnu", ranks=4),
        "by": "window",
        "regions": 7,
        "bodies": 1000,
        "late": 15,
        "clock_error_seconds": 4e-7,
        "steps": ("S0001",),
    }
    return StartQuality.model_validate(facts | changes)


def cells_of(one: StartQuality) -> list[tuple[str, str]]:
    (row,) = start_table([one], Allowance()).rows
    return [(cell.text, cell.tone) for cell in row.cells[-2:]]


def test_windows_tell_what_began_in_time_and_how_wrong_the_clock_may_be() -> None:
    assert cells_of(quality()) == [("98.5 %", ""), ("400 ns", "")]


def test_many_late_starts_are_marked() -> None:
    assert cells_of(quality(late=51))[0] == ("94.9 %", "warn")


def test_a_clock_that_all_share_has_no_error() -> None:
    assert cells_of(quality(clock_error_seconds=0.0))[1] == ("one clock", "muted")


def test_barriers_have_neither() -> None:
    assert cells_of(quality(by="barrier")) == [(NOTHING, "muted")] * 2
