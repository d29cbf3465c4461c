"""Bimodal results are reported with the launches of each mode, and their difference."""

from __future__ import annotations

from heorot.analyse.validity.modes import find_divided
from heorot.model.analysis.result import Mode
from heorot.model.run.outcome import Outcome
from tests.unit.analyse.builders import a_result as a_row
from tests.unit.analyse.builders import a_run_line, a_step


def test_two_modes_are_a_warning_that_names_them() -> None:
    modes = (
        Mode(median=29e9, share=0.4, launches=(1, 3)),
        Mode(median=77e9, share=0.6, launches=(2, 4, 5)),
    )
    rows = [a_row(modes=modes, n_launches=5), a_row(region="copy", n_launches=5)]
    (finding,) = find_divided(rows, [], {})
    assert finding.severity == "warning"
    assert finding.text == ("1 result of 2 is bimodal; 2 had the 4 launches that the test needs")
    (row,) = finding.rows
    assert row[2:4] == ("1, 3 against 2, 4, 5", "1")
    assert row[4].endswith(
        "two modes: 29.0 GB/s in launches 1 and 3; 77.0 GB/s in launches 2, 4 and 5"
    )


def test_what_the_same_launches_divide_is_one_row_with_what_differs() -> None:
    def modes(low: tuple[int, ...], high: tuple[int, ...], factor: float) -> tuple[Mode, Mode]:
        first = Mode(median=1e9, share=0.5, launches=low)
        return first, Mode(median=factor * 1e9, share=0.5, launches=high)

    rows = [
        a_row(n_launches=5, region="copy", modes=modes((3, 5), (1, 2, 4), 1.5)),
        a_row(n_launches=5, region="triad", modes=modes((3, 5), (1, 2, 4), 1.7)),
        a_row(n_launches=5, region="add", modes=modes((1, 2), (3, 4, 5), 1.2)),
        a_row(n_launches=5, region="read", modes=modes((1, 2), (1, 2), 1.3)),
        a_row(region="few", n_launches=3),
    ]
    steps = [a_step(id=f"S{launch:04d}", launch=launch) for launch in range(1, 6)]
    outcomes = [
        Outcome(
            step=step.id,
            state="completed",
            run=a_run_line([("n1", (int(step.launch in {3, 5}),))]),
        )
        for step in steps
    ]
    (finding,) = find_divided(rows, outcomes, {step.id: step for step in steps})
    assert finding.text.startswith("4 results of 5 are bimodal; ")
    assert "; 4 had the 4 launches" in finding.text
    together, other, within = finding.rows
    assert together[2:4] == ("3, 5 against 1, 2, 4", "2")
    assert together[4].startswith("triad ")
    assert together[5] == "cores"
    assert other[2:4] == ("1, 2 against 3, 4, 5", "1")
    assert other[5] == "neither nodes nor cores"
    assert within[2:] == ("both values in a launch", "1", within[4], "")
