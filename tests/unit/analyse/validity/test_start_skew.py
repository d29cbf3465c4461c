"""Common starts: what is late is summed up by program, and much of it is a finding."""

from __future__ import annotations

from heorot.analyse.validity.start_skew import find_late_starts, judge_start_skew
from heorot.model.run.ranks import Starts
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_series


def begun(late: int, error: float = 0.0, by: str = "window", **changes: object) -> Series:
    """A series of 100 bodies, some of them late."""
    starts = Starts(
        bodies=100,
        late=late,
        window_seconds=1e-6,
        clock_error_seconds=error,
        local_seconds=(1e-4,),
    )
    return a_series(starts=starts, synchronisation=by, **changes)


def test_series_of_a_program_are_summed_up() -> None:
    series = [
        begun(1, 2e-7, point={"bytes": 8}),
        begun(4, 5e-7, point={"bytes": 16}),
        begun(0, 1e-7, point={"bytes": 16}, launch=2, step="S0009"),
        a_series(),
    ]
    (quality,) = judge_start_skew(series)
    assert (quality.regions, quality.bodies, quality.late) == (2, 300, 5)
    assert quality.clock_error_seconds == 5e-7
    assert quality.steps == (series[0].step, "S0009")
    assert quality.kept == 1.0 - 5 / 300


def test_ways_to_start_are_distinguished() -> None:
    ways = judge_start_skew([begun(0), begun(0, by="barrier")])
    assert [each.by for each in ways] == ["window", "barrier"]


def test_late_starts_are_a_finding_if_they_are_many() -> None:
    assert find_late_starts(judge_start_skew([begun(5)])) == []
    (finding,) = find_late_starts(judge_start_skew([begun(6)]))
    assert finding.text.startswith("In 1 case operations started before all ranks were ready")
    assert "most of them, 6 %, in " in finding.text
    assert finding.severity == "warning"
    assert finding.evidence


def test_late_cases_are_one_finding_with_the_worst_first() -> None:
    series = [begun(7 + i, benchmark=f"messages/p{i}", step=f"S{i}") for i in range(17)]
    (finding,) = find_late_starts(judge_start_skew([*series, begun(1, benchmark="messages/q")]))
    assert finding.short.startswith("In 17 cases operations started before")
    assert "23 %, in messages/p16" in finding.text
    assert [row[-1] for row in finding.rows] == [f"{n} %" for n in range(23, 6, -1)]
    assert len(finding.columns) == len(finding.rows[0])
    assert finding.affected[0] == "messages/p16"
    assert set(finding.evidence) == {f"S{i}" for i in range(17)}


def test_nobody_comes_late_for_a_barrier() -> None:
    assert find_late_starts(judge_start_skew([begun(6, by="barrier")])) == []
