"""More full nodes: speedup and efficiency of programs, and the reasons for losses."""

from __future__ import annotations

from collections.abc import Iterable

from heorot.model.analysis.breakdown import Breakdown
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import Answer
from tests.unit.analyse.explain.spread.placing import divided, of_dust, placed
from tests.unit.analyse.questions.asking import a_run, answered, asked, sentence


def on_nodes(*rows: Result, breakdowns: Iterable[Breakdown] = ()) -> Answer:
    """The gain of more nodes, the last row compared with the first."""
    further = tuple(row.setup for row in rows[1:-1])
    experiment = asked("nodes", rows[0], rows[-1], further=further)
    return answered(a_run(*rows), experiment, breakdowns=breakdowns)


def test_a_lack_of_efficiency_is_explained_by_the_phase_that_grew() -> None:
    one, two = placed(1e9, 1, 4), placed(1.6e9, 2, 8)
    divisions = [divided(one, 1.0, 0.1), divided(two, 0.625, 0.3)]
    answer = on_nodes(one, two, breakdowns=divisions)
    assert sentence(answer).endswith(
        "Solver class W 1.60 [1.57…1.63 in 3 launches] times as fast, an efficiency of 80.0 % "
        "[78.4…81.6 in 3 launches] (communication takes 30 % [30…30 in 3 launches] of the time, "
        "against 10 % [10…10 in 3 launches])."
    )
    assert answer.lines[0].needs_cause
    assert {row for each in divisions for row in each.rows} <= set(answer.sentences[0].evidence)


def test_what_is_efficient_needs_no_cause() -> None:
    (line,) = on_nodes(placed(1e9, 1, 4), placed(1.9e9, 2, 8)).lines
    assert (line.reasons, line.needs_cause) == ((), False)


def test_nodes_beyond_which_it_slows_down_are_named() -> None:
    rows = [placed(1e9, 1, 4), placed(1.8e9, 2, 8), placed(1.2e9, 4, 16)]
    assert sentence(on_nodes(*rows)).endswith("(it is fastest on 2).")
    slower = [placed(1e9, 1, 4), placed(0.5e9, 2, 8)]
    assert sentence(on_nodes(*slower)).endswith("(it is fastest on one).")


def test_more_than_the_nodes_explain_is_said_to_be_so() -> None:
    one, two = placed(1e9, 1, 4), placed(3e9, 2, 8)
    divisions = [divided(one, 3.0, 0.0), divided(two, 1.0, 0.1)]
    assert sentence(on_nodes(one, two, breakdowns=divisions)).endswith(
        "(computing takes 0.600 [0.600…0.600 in 3 launches] times as long as its share)."
    )
    assert sentence(on_nodes(one, two)).endswith("(more than the nodes explain).")


def test_only_the_first_program_of_a_sentence_has_its_reasons_there() -> None:
    solver = [placed(1e9, 1, 4), placed(0.5e9, 2, 8)]
    dust = [of_dust(1e9, 1, 4), of_dust(0.9e9, 2, 8)]
    answer = answered(a_run(*solver, *dust), asked("nodes", *solver), asked("nodes", *dust))
    assert all(line.reasons for line in answer.lines)
    assert sentence(answer).count("it is fastest on one") == 1
